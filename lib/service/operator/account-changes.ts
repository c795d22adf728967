// What an operator changes of an account, from the page and by commands, each with its entry in the audit log.
import type { PlanName } from "../../contract/plans.ts";
import type { KeyRing, Suspension } from "../account/account.ts";
import { changePlan } from "../account/change-plan.ts";
import type { LimitChanges } from "../account/limits.ts";
import { setLimits } from "../account/set-limits.ts";
import { resumeAccount, type SuspensionResources, suspendAccount } from "../account/suspension.ts";
import type { AuditEntry } from "./audit-log.ts";
import { type AuditContext, auditedChange } from "./audited-change.ts";

/** An account, and why it is changed. */
interface Reasoned {
  readonly accountId: number;
  readonly reason?: string | undefined;
}

/** Changes the plan of an account; see `changePlan`. */
export function changePlanAudited(
  context: AuditContext,
  tables: { readonly accounts: string; readonly usage: string },
  { accountId, plan, reason }: Reasoned & { readonly plan: PlanName },
): Promise<KeyRing> {
  return auditedChange(
    context,
    ({ account }) => ({
      action: "account.plan_changed",
      account_id: accountId,
      reason,
      details: { from: account.plan, to: plan },
    }),
    (further) => changePlan(tables, { accountId, plan, now: context.now }, further),
  );
}

/** Suspends an account; see `suspendAccount`. */
export function suspendAudited(
  context: AuditContext,
  env: SuspensionResources,
  { accountId, reason, billing }: Reasoned & Pick<Suspension, "reason" | "billing">,
): Promise<KeyRing> {
  return auditedChange(
    context,
    () => ({ action: "account.suspended", account_id: accountId, reason, details: { billing } }),
    (further) => suspendAccount(env, { accountId, reason, billing, now: context.now }, further),
  );
}

/** Resumes an account; see `resumeAccount`. One that isn't suspended gets no entry. */
export function resumeAudited(
  context: AuditContext,
  env: SuspensionResources,
  { accountId, reason }: Reasoned,
): Promise<KeyRing> {
  return auditedChange(
    context,
    ({ account }) => (account.suspension ? { action: "account.resumed", account_id: accountId, reason } : undefined),
    (further) => resumeAccount(env, { accountId, now: context.now }, further),
  );
}

/** Sets and removes overrides of an account's limits; see `setLimits`. */
export function setLimitsAudited(
  context: AuditContext,
  accountsTable: string,
  { accountId, changes, reason }: Reasoned & { readonly changes: LimitChanges },
): Promise<KeyRing> {
  return auditedChange(
    context,
    () => ({ action: "account.limits_changed", account_id: accountId, reason, details: limitDetails(changes) }),
    (further) => setLimits(accountsTable, { accountId, changes, now: context.now }, further),
  );
}

/** The new value of each limit that changes, such as `5 until 2026-01-31T00:00:00.000Z`. */
function limitDetails(changes: LimitChanges): AuditEntry["details"] {
  const written = Object.entries(changes).map(([name, change]) => {
    const end = change?.until ? ` until ${change.until}` : "";
    return [name, change ? `${change.value}${end}` : "by the plan"];
  });
  return Object.fromEntries(written);
}
