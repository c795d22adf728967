// Applies an event of the payment provider to its account, once.
import { ApiError } from "../../contract/errors/api-error.ts";
import { isSmallerPlan } from "../../contract/plans.ts";
import type { Account, KeyRing } from "../account/account.ts";
import { FurtherWriteFailed, NoSuchAccount, readKeyRing, updateKeyRing } from "../account/account-store.ts";
import { changePlan, schedulePlan } from "../account/change-plan.ts";
import { resumeAccount } from "../account/suspension.ts";
import type { Write } from "../aws/transaction.ts";
import { paymentTerms } from "../billing/payment.ts";
import { type AuditActor, type AuditedAction, auditEntry, auditWrite } from "../operator/audit-log.ts";
import type { Environment } from "../platform/environment.ts";
import type { BillingEvent } from "./billing-event.ts";
import { billingEventWrite, findBillingEvent } from "./event-store.ts";
import { queuePaymentNotice } from "./payment-notice.ts";
import { recordPayment } from "./record-payment.ts";
import { isForSuspension } from "./unpaid-invoices.ts";

export type BillingEnvironment = Pick<
  Environment,
  "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "WEBHOOK_QUEUE_URL"
>;

export interface BillingCall {
  /** The idempotency key of the event. */
  readonly id: string;
  readonly event: BillingEvent;
  /** Network address of the sender. */
  readonly from: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What became of an event. One from before the last one of its kind is outdated, and not applied. */
export interface AppliedEvent {
  readonly applied: boolean;
  readonly isReplay: boolean;
}

/**
 * Applies an event, or finds that it was applied. Throws `NOT_FOUND` for an account or a period that doesn't exist, and `CONFLICT` for an id
 * that was used for another event, an invoice that isn't closed, and a plan that can't be set.
 */
export async function applyBillingEvent(call: BillingCall, env: BillingEnvironment): Promise<AppliedEvent> {
  for (;;) {
    const known = await findBillingEvent(env.ACTIVITY_TABLE, call.id, call.event);
    if (known?.isOther) {
      const message =
        "This Idempotency-Key was used for another event. Use the id that the payment provider gave the event.";
      throw new ApiError("CONFLICT", message);
    }
    if (known) {
      if (known.is_applied) await finish(call, env); // the function may have ended before
      return { applied: known.is_applied, isReplay: true };
    }
    try {
      const applied = call.event.type === "plan.set" ? await setPlan(call, env) : await setPayment(call, env);
      if (applied) await finish(call, env);
      return { applied, isReplay: false };
    } catch (error) {
      if (error instanceof NoSuchAccount) throw new ApiError("NOT_FOUND", error.message);
      if (!(error instanceof FurtherWriteFailed)) throw error; // else another call with the same id, or of the same invoice, was faster
    }
  }
}

async function setPlan(call: BillingCall, env: BillingEnvironment): Promise<boolean> {
  const { event, now } = call;
  const { account_id: accountId, plan = null, effective, occurred_at } = event;
  const { account } = await readKeyRing(env.ACCOUNTS_TABLE, accountId);
  const isOutdated = account.plan_event_at !== undefined && occurred_at < account.plan_event_at;
  const hasEnded = plan === null && account.billed_from === null;
  if (isOutdated || hasEnded) {
    await updateKeyRing(env.ACCOUNTS_TABLE, accountId, touch, () => eventWrites(call, env, false));
    return false;
  }
  const tables = { accounts: env.ACCOUNTS_TABLE, usage: env.USAGE_TABLE };
  const isLater = plan === null || (effective ?? defaultTime(account, plan)) === "period_end";
  const action: AuditedAction = {
    action: "account.plan_changed",
    account_id: accountId,
    details: { from: account.plan, to: plan, at: isLater ? "period_end" : "now" },
  };
  const further = () => eventWrites(call, env, true, action);
  const withTime = ({ account: changed, keys }: KeyRing): KeyRing => ({
    account: { ...changed, plan_event_at: occurred_at },
    keys,
  });
  if (plan !== null && !isLater) await changePlan(tables, { accountId, plan, now }, further, withTime);
  else await schedulePlan(tables, { accountId, plan, now }, further, withTime);
  return true;
}

function defaultTime({ plan: current, billed_from }: Account, plan: NonNullable<BillingEvent["plan"]>) {
  return billed_from !== null && isSmallerPlan(plan, current) ? "period_end" : "now";
}

/** What a payment becomes by each event. */
export const paymentStatuses = {
  "payment.succeeded": "paid",
  "payment.failed": "failed",
  "payment.voided": "void",
} as const;

async function setPayment(call: BillingCall, env: BillingEnvironment): Promise<boolean> {
  const { event, now } = call;
  const { type, account_id: accountId, period_start: start = "", occurred_at: at, reference = null } = event;
  if (type === "plan.set") throw new Error("The event is of no payment.");
  const status = paymentStatuses[type];
  const action = {
    action: "invoice.payment_recorded",
    account_id: accountId,
    details: { period: start, payment: status, reference },
  } as const;
  const tables = { accounts: env.ACCOUNTS_TABLE, usage: env.USAGE_TABLE };
  const { isRecorded } = await recordPayment(tables, { accountId, start, status, at, reference, now }, (isApplied) =>
    eventWrites(call, env, isApplied, action),
  );
  return isRecorded;
}

/** What follows an event: the mail about a failed payment, and the end of a suspension for an unpaid invoice. It can be repeated. */
async function finish({ event, now }: BillingCall, env: BillingEnvironment): Promise<void> {
  const { account_id: accountId, period_start: start = "" } = event;
  if (event.type === "payment.failed") await queuePaymentNotice(accountId, { state: "failed", start });
  if (event.type === "payment.succeeded" || event.type === "payment.voided") await resumeIfPaid(accountId, env, now);
}

/** Resumes an account that was suspended for unpaid invoices, once none is left for which it would be. */
export async function resumeIfPaid(accountId: number, env: BillingEnvironment, now: number): Promise<void> {
  const { account } = await readKeyRing(env.ACCOUNTS_TABLE, accountId);
  const terms = paymentTerms();
  const { suspension, unpaid_invoices: unpaid = [] } = account;
  if (!suspension?.is_for_payment) return;
  // An operator's command doesn't know the terms of the stage.
  if (terms ? unpaid.some((invoice) => isForSuspension(invoice, terms, now)) : unpaid.length > 0) return;
  const action = { action: "account.resumed", account_id: accountId } as const;
  await resumeAccount(env, { accountId, now }, () => [
    auditWrite(env.ACTIVITY_TABLE, auditEntry(BILLING, action, now)),
  ]);
}

/** Who does what the service does by itself for a payment, in the audit log. */
export const BILLING: AuditActor = { operator: "billing", from: "service" };

function eventWrites(
  { id, event, from, now }: BillingCall,
  { ACTIVITY_TABLE }: BillingEnvironment,
  isApplied: boolean,
  action?: AuditedAction,
): Write[] {
  const audit = action && isApplied ? [auditEntry({ ...BILLING, from }, action, now)] : [];
  return [
    billingEventWrite(ACTIVITY_TABLE, { id, event, isApplied, now }),
    ...audit.map((entry) => auditWrite(ACTIVITY_TABLE, entry)),
  ];
}

/** A change that changes nothing, for the items that are stored with it. */
const touch = ({ account, keys }: KeyRing): KeyRing => ({ account: { ...account }, keys });
