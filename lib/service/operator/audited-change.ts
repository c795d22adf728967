// Changes of accounts by operators, from the page and by commands: the entry of the audit log is stored in the transaction of the change.
import type { KeyRing } from "../account/account.ts";
import type { Write } from "../aws/transaction.ts";
import type { RouteCall } from "../http/define-route.ts";
import {
  type AuditActor,
  type AuditEntry,
  type AuditedAction,
  auditEntry,
  auditWrite,
  logAudit,
  storeAudit,
} from "./audit-log.ts";

/** Who changes something, and where the audit log is. */
export interface AuditContext {
  readonly activityTable: string;
  readonly actor: AuditActor;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Called with an entry that is stored. @default does nothing */
  readonly onStored?: (entry: AuditEntry) => void;
}

/** The context of a request of an operator: who changes something, as the audit log names them. Stored entries are logged, too. */
export function auditContext({
  request,
  operator,
  env,
}: Pick<RouteCall<"operator", unknown, "ACTIVITY_TABLE">, "request" | "operator" | "env">): AuditContext {
  return {
    activityTable: env.ACTIVITY_TABLE,
    actor: { operator: operator.session.name, from: request.sourceIp },
    now: request.receivedAt,
    onStored: logAudit,
  };
}

/** What a change stores in its transaction in addition, by the account as it was before. */
export type FurtherWrites = (before: KeyRing) => readonly Write[];

/**
 * Changes an account, with an entry for what `describe` returns of it. Nothing is added where `change` changes nothing, or there is nothing to
 * describe.
 */
export async function auditedChange<Result>(
  { activityTable, actor, now, onStored }: AuditContext,
  describe: (before: KeyRing) => AuditedAction | undefined,
  change: (further: FurtherWrites) => Promise<Result>,
): Promise<Result> {
  let entry: AuditEntry | undefined;
  const result = await change((before) => {
    const action = describe(before);
    entry = action && auditEntry(actor, action, now);
    return entry ? [auditWrite(activityTable, entry)] : [];
  });
  if (entry) onStored?.(entry);
  return result;
}

/** Returns the write of an entry, for the transaction of a change that is not one of an account. */
export function auditWrites({ activityTable, actor, now }: AuditContext, action: AuditedAction): readonly Write[] {
  return [auditWrite(activityTable, auditEntry(actor, action, now))];
}

/** Stores an entry before something that is done in many steps, or is no change. */
export async function auditFirst(
  { activityTable, actor, now, onStored }: AuditContext,
  action: AuditedAction,
): Promise<void> {
  const entry = auditEntry(actor, action, now);
  await storeAudit(activityTable, entry);
  onStored?.(entry);
}
