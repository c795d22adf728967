// Suspends and resumes an account. A suspended one keeps all that it has, and can do nothing with it: each request is refused where its
// account becomes known, captures in progress don't succeed, queued ones end, and webhooks wait.
import * as v from "valibot";
import { choice } from "../../contract/options/coercion.ts";
import { option } from "../../contract/options/option.ts";
import { optionParser } from "../../contract/options/parse-options.ts";
import type { Write } from "../aws/transaction.ts";
import type { Environment } from "../platform/environment.ts";
import { markCounters, unmarkCounters } from "../usage/suspended-counters.ts";
import { enqueueAccountRequest } from "../webhooks/webhook-queue.ts";
import { type Account, type KeyRing, type Suspension, suspensionBillings } from "./account.ts";
import { findSessionCaller, updateKeyRing } from "./account-store.ts";
import { reasonOption } from "./reason-option.ts";

export type SuspensionResources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "WEBHOOK_QUEUE_URL">;

const reason = reasonOption({
  description: "Why the account is suspended. Its owner is shown this text.",
  missing: "must say why: the owner of the account is shown this text",
});

const billing = option(v.optional(choice(suspensionBillings), "stop"), {
  description:
    "Whether the price of the plan is due while the account is suspended. With `stop`, a billing month during all of which it was " +
    "suspended costs nothing.",
});

/** Options of a suspension. */
export const suspensionEntries = { reason, billing };

/** Parses the options of a suspension. Throws `VALIDATION_ERROR`. */
export const parseSuspension = optionParser({ schema: v.object(suspensionEntries, "must be sent") });

export interface SuspensionRequest extends Pick<Suspension, "reason" | "billing" | "is_for_payment"> {
  readonly accountId: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Suspends an account, or changes the reason and the billing of one that is suspended. `further` items are stored in the same transaction.
 * When it resolves, no capture of the account can succeed any more; queued and running ones end soon after. It can be repeated after it was
 * interrupted. Throws when the account does not exist.
 */
export async function suspendAccount(
  { ACCOUNTS_TABLE, USAGE_TABLE, WEBHOOK_QUEUE_URL }: SuspensionResources,
  { accountId, now, ...facts }: SuspensionRequest,
  further: (before: KeyRing) => readonly Write[] = () => [],
): Promise<KeyRing> {
  const ring = await updateKeyRing(
    ACCOUNTS_TABLE,
    accountId,
    ({ account, keys }) => ({ account: withSuspension(account, facts, now), keys }),
    further,
  );
  await markCounters(USAGE_TABLE, ring, now);
  await enqueueAccountRequest(WEBHOOK_QUEUE_URL, { kind: "end_jobs", account_id: accountId });
  return ring;
}

/**
 * Resumes an account: everything works again, and the webhooks that waited are sent. `further` items are stored in the same transaction. It
 * can be repeated after it was interrupted. Throws when the account does not exist.
 */
export async function resumeAccount(
  { ACCOUNTS_TABLE, USAGE_TABLE, WEBHOOK_QUEUE_URL }: SuspensionResources,
  { accountId, now }: Pick<SuspensionRequest, "accountId" | "now">,
  further: (before: KeyRing) => readonly Write[] = () => [],
): Promise<KeyRing> {
  await unmarkCounters(USAGE_TABLE, accountId); // first, so that no capture of the resumed account fails for a mark
  const ring = await updateKeyRing(
    ACCOUNTS_TABLE,
    accountId,
    ({ account, keys }) => ({ account: withoutSuspension(account, now), keys }),
    further,
  );
  await enqueueAccountRequest(WEBHOOK_QUEUE_URL, { kind: "send_webhooks", account_id: accountId });
  return ring;
}

/** Reads whether an account is suspended, for what is no request of it: a result link, or a webhook. */
export async function isAccountSuspended(table: string, accountId: number): Promise<boolean> {
  const caller = await findSessionCaller(table, accountId);
  return caller?.account.suspension !== undefined;
}

function withSuspension(
  account: Account,
  facts: Pick<Suspension, "reason" | "billing" | "is_for_payment">,
  now: number,
): Account {
  const at = account.suspension?.at ?? new Date(now).toISOString();
  const suspended = { ...account, suspension: { ...facts, at } };
  return facts.billing === "stop" ? startStop(suspended, now) : endStop(suspended, now);
}

function withoutSuspension(account: Account, now: number): Account {
  const { suspension: _, ...active } = endStop(account, now);
  return active;
}

/** An account has as many: its oldest ones are in invoices that are closed. */
const MAX_STOPS = 24;

function startStop(account: Account, now: number): Account {
  const { billing_stops: stops = [] } = account;
  if (stops.at(-1)?.until === null) return account;
  return {
    ...account,
    billing_stops: [...stops, { from: new Date(now).toISOString(), until: null }].slice(-MAX_STOPS),
  };
}

function endStop(account: Account, now: number): Account {
  const { billing_stops: stops = [] } = account;
  if (stops.at(-1)?.until !== null) return account;
  const until = new Date(now).toISOString();
  return { ...account, billing_stops: stops.map((stop) => ({ ...stop, until: stop.until ?? until })) };
}
