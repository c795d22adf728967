// The billing run: every hour, it closes the invoices of periods that have ended, reminds of those that are overdue, and queues events
// whose messages were lost. It can be repeated at any time: what is done is not done again.
import * as v from "valibot";
import type { UnpaidInvoice } from "../account/account.ts";
import { FurtherWriteFailed, NoSuchAccount, updateKeyRing } from "../account/account-store.ts";
import { type DirectoryRow, queryDirectory } from "../account/directory.ts";
import { suspendAccount } from "../account/suspension.ts";
import { getItem, itemUpdate, putItem } from "../aws/items.ts";
import { billingRunKey, periodKey } from "../aws/table-keys.ts";
import { type BillingPeriod, isUnbilled, periodsUntil } from "../billing/billing-period.ts";
import { invoice, isSettled } from "../billing/invoice.ts";
import { invoiceNumber } from "../billing/invoice-number.ts";
import { type PaymentTerms, paymentTerms } from "../billing/payment.ts";
import { readPeriods } from "../billing/period-store.ts";
import { auditEntry, auditWrite } from "../operator/audit-log.ts";
import { eventAccount, type OperatorEventInput } from "../operator-events/operator-event.ts";
import { queueOperatorEvent, queuePendingEvents } from "../operator-events/queue-event.ts";
import { reportedChange } from "../operator-events/reported-change.ts";
import { logError, logInfo } from "../platform/log.ts";
import { BILLING, type BillingEnvironment } from "./apply-event.ts";
import { queuePaymentNotice } from "./payment-notice.ts";
import { findUnpaid, isForSuspension, isOverdue, withUnpaid } from "./unpaid-invoices.ts";

/** How much a run has done, by what it does. */
export interface BillingOutcome {
  closed: number;
  reminded: number;
  suspended: number;
  /** Accounts for which it failed: the next run tries again. */
  failed: number;
}

const PAGE_SIZE = 100;
const RunSchema = v.object({ closed_until: v.number() });

/**
 * Runs at `now` (milliseconds since 1970). The first run of a stage closes nothing: what was billed before is settled in another way.
 * A run that fails for an account does so for no other, and the next one looks at the same time again.
 */
export async function runBilling(env: BillingEnvironment, now: number): Promise<BillingOutcome> {
  const outcome: BillingOutcome = { closed: 0, reminded: 0, suspended: 0, failed: 0 };
  await queuePendingEvents(env, now);
  const item = await getItem(env.USAGE_TABLE, billingRunKey);
  const since = item ? v.parse(RunSchema, item).closed_until : now;
  let after: string | undefined;
  do {
    const page = await queryDirectory(env.ACCOUNTS_TABLE, { search: "", after, pageSize: PAGE_SIZE });
    for (const row of page.rows) await billAccount(row, { env, since, now }, outcome);
    after = page.next;
  } while (after !== undefined);
  if (outcome.failed === 0) await putItem(env.USAGE_TABLE, { ...billingRunKey, closed_until: now });
  logInfo("billing run", { ...outcome });
  return outcome;
}

/** Reads what a run needs, and changes nothing. Rejects when it can't be read. */
export async function checkBilling({ ACCOUNTS_TABLE, USAGE_TABLE }: BillingEnvironment): Promise<void> {
  await getItem(USAGE_TABLE, billingRunKey);
  await queryDirectory(ACCOUNTS_TABLE, { search: "", after: undefined, pageSize: 1 });
}

interface Run {
  readonly env: BillingEnvironment;
  /** When the last run was, in milliseconds since 1970. */
  readonly since: number;
  readonly now: number;
}

async function billAccount(row: DirectoryRow, run: Run, outcome: BillingOutcome): Promise<void> {
  try {
    const due = periodsUntil(row, run.now).filter(
      (period) => !isUnbilled(period) && isSettled(period, run.now) && !isSettled(period, run.since),
    );
    if (due.length > 0) outcome.closed += await closeInvoices(row, due, run);
    const terms = paymentTerms();
    if (!terms) return;
    for (const unpaid of row.unpaid_invoices ?? []) {
      if (!unpaid.reminded_at && isOverdue(unpaid, terms, run.now)) outcome.reminded += await remind(row, unpaid, run);
    }
    outcome.suspended += await suspendIfUnpaid(row, terms, run);
  } catch (error) {
    if (error instanceof NoSuchAccount) return; // it was deleted meanwhile
    outcome.failed++;
    logError("account not billed", error, { account_id: row.id });
  }
}

async function closeInvoices(row: DirectoryRow, due: readonly BillingPeriod[], { env, now }: Run): Promise<number> {
  const records = await readPeriods(env.USAGE_TABLE, row, now);
  let closed = 0;
  for (const { start } of due) {
    const record = records.find(({ period }) => period.start === start);
    if (!record) continue;
    const { period, ...billed } = record;
    const facts = invoice(period, { ...billed, now });
    const { end } = period;
    const isUnpaid = facts.payment === "unpaid";
    const closing = {
      Update: itemUpdate(env.USAGE_TABLE, periodKey(row.id, start), {
        update: "SET closed_at = :now",
        condition: "attribute_not_exists(closed_at)",
        values: { ":now": new Date(now).toISOString() },
      }),
    };
    try {
      const { event } = await reportedChange(
        { activityTable: env.ACTIVITY_TABLE, now },
        ({ account }) => invoiceEvent("invoice.closed", account, { ...facts, start, end }),
        (further) =>
          updateKeyRing(
            env.ACCOUNTS_TABLE,
            row.id,
            ({ account, keys }) => ({
              account: isUnpaid ? withUnpaid(account, { start, end, total: facts.total }) : { ...account },
              keys,
            }),
            (before) => [closing, ...further(before)],
          ),
      );
      if (event) await queueOperatorEvent(event);
      closed++;
    } catch (error) {
      if (!(error instanceof FurtherWriteFailed)) throw error; // else another run has closed it
    }
  }
  return closed;
}

async function remind(row: DirectoryRow, unpaid: UnpaidInvoice, { env, now }: Run): Promise<number> {
  const { start, end } = unpaid;
  const records = await readPeriods(env.USAGE_TABLE, row, now);
  const record = records.find(({ period }) => period.start === start);
  if (!record) return 0;
  const facts = invoice(record.period, { ...record, now });
  const { event } = await reportedChange(
    { activityTable: env.ACTIVITY_TABLE, now },
    ({ account }) => invoiceEvent("invoice.overdue", account, { ...facts, start, end }),
    (further) =>
      updateKeyRing(
        env.ACCOUNTS_TABLE,
        row.id,
        (ring) => {
          const current = findUnpaid(ring.account, start);
          if (!current || current.reminded_at) return ring;
          const reminded = { ...current, reminded_at: new Date(now).toISOString() };
          return { ...ring, account: withUnpaid(ring.account, reminded) };
        },
        further,
      ),
  );
  if (!event) return 0;
  await queueOperatorEvent(event);
  await queuePaymentNotice(row.id, { state: "overdue", start });
  return 1;
}

async function suspendIfUnpaid(row: DirectoryRow, terms: PaymentTerms, { env, now }: Run): Promise<number> {
  const unpaid = row.unpaid_invoices?.find((each) => isForSuspension(each, terms, now));
  if (!unpaid || row.suspension) return 0;
  const reason = `The invoice ${invoiceNumber(row.id, unpaid.start)} of $${unpaid.total} is not paid. A payment ends the suspension.`;
  const action = { action: "account.suspended", account_id: row.id, reason } as const;
  await suspendAccount(env, { accountId: row.id, reason, billing: "stop", is_for_payment: true, now }, () => [
    auditWrite(env.ACTIVITY_TABLE, auditEntry(BILLING, action, now)),
  ]);
  return 1;
}

function invoiceEvent(
  type: "invoice.closed" | "invoice.overdue",
  { id, label, email }: Pick<DirectoryRow, "id" | "label" | "email">,
  { start, end, plan, currency, total }: Pick<ReturnType<typeof invoice>, "plan" | "currency" | "total"> & BillingSpan,
): OperatorEventInput {
  const number = invoiceNumber(id, start);
  const data = { account: eventAccount({ label, email }), number, period: { start, end }, plan, currency, total };
  return { type, account_id: id, data };
}

interface BillingSpan {
  readonly start: string;
  readonly end: string;
}
