// The commands of `npm run operator`: links to the operator's page, the audit log, and the operator's secret.
import { type AuditActor, auditPages } from "../../service/operator/audit-log.ts";
import { auditWrites } from "../../service/operator/audited-change.ts";
import { createOperatorLink } from "../../service/operator/operator-link.ts";
import { findOperatorSecret, issueOperatorSecret } from "../../service/operator-events/operator-secret.ts";
import { LINK_LIFETIME_MS } from "../../service/sessions/sign-in-link.ts";
import type { AccountResources } from "../local/cli/find-service.ts";
import { CommandUsageError } from "./arguments.ts";
import type { Command, CommandSet } from "./command-line.ts";

/** The context of a command. */
export interface OperatorCommandContext {
  /** Called when the options are valid. Rejects when the service is not found. */
  readonly storage: () => Promise<Pick<AccountResources, "accounts" | "activity">>;
  /** Public address of the service without a trailing slash. */
  readonly baseUrl: () => Promise<string>;
  readonly actor: AuditActor;
  /** Prints a line. */
  readonly print: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const PRINTED_AT_ONCE = 500;

const commands: Readonly<Record<string, Command<OperatorCommandContext>>> = {
  "sign-in": {
    usage: "",
    run: async (_, { storage, baseUrl, actor, now }) => {
      const { accounts } = await storage();
      const link = await createOperatorLink(accounts, { name: actor.operator, baseUrl: await baseUrl(), now });
      return { link, expires_at: new Date(now + LINK_LIFETIME_MS).toISOString() };
    },
  },
  secret: {
    usage: "[--rotate]",
    run: async ({ rotate }, { storage, actor, now }) => {
      const { accounts, activity } = await storage();
      const known = await findOperatorSecret(accounts);
      if (known && rotate === undefined) return known;
      const action = known ? "operator.secret_rotated" : "operator.secret_created";
      const audit = auditWrites({ activityTable: activity, actor, now }, { action });
      const secret = await issueOperatorSecret(accounts, { isRotation: known !== undefined, now }, audit);
      return secret === undefined ? findOperatorSecret(accounts) : { secret };
    },
  },
  audit: {
    usage: "[--since <timestamp>]",
    run: async ({ since = "1970-01-01" }, { storage, print, now }) => {
      const from = Date.parse(since);
      if (Number.isNaN(from))
        throw new CommandUsageError(`--since must be a time such as 2026-01-31T12:00:00Z, not '${since}'.`);
      const { activity } = await storage();
      for await (const entries of auditPages(activity, { pageSize: PRINTED_AT_ONCE, now })) {
        const wanted = entries.filter(({ at }) => Date.parse(at) >= from);
        for (const entry of wanted) print(JSON.stringify(entry));
        if (wanted.length < entries.length) return;
      }
    },
  },
};

/** The commands of `npm run operator`. */
export const operatorCommands: CommandSet<OperatorCommandContext> = { script: "operator", commands };
