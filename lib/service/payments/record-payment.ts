// Records what became of the payment of an invoice.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { Account, KeyRing } from "../account/account.ts";
import { readKeyRing, updateKeyRing } from "../account/account-store.ts";
import type { PlanTables } from "../account/change-plan.ts";
import { itemUpdate } from "../aws/items.ts";
import { periodKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { invoice, isSettled } from "../billing/invoice.ts";
import type { Payment } from "../billing/payment.ts";
import { type PeriodRecord, readPeriods } from "../billing/period-store.ts";
import { findUnpaid, withoutUnpaid, withUnpaid } from "./unpaid-invoices.ts";

export interface PaymentReport extends Payment {
  readonly accountId: number;
  /** Start of the period of the invoice, as a timestamp. */
  readonly start: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a report has changed: nothing, if a later one is recorded. */
export interface RecordedPayment {
  readonly ring: KeyRing;
  readonly isRecorded: boolean;
}

/**
 * Records the payment of an invoice, and `further` items in the same transaction. A report from before the recorded one changes nothing; of
 * two at the same time, the payment counts. Throws `NOT_FOUND` for a period that the account doesn't have, `CONFLICT` for an invoice that isn't
 * closed, `NoSuchAccount`, and `FurtherWriteFailed`.
 */
export async function recordPayment(
  { accounts, usage }: PlanTables,
  { accountId, start, now, status, at, reference }: PaymentReport,
  further: (isRecorded: boolean) => readonly Write[] = () => [],
): Promise<RecordedPayment> {
  const { account } = await readKeyRing(accounts, accountId);
  const record = (await readPeriods(usage, account, now)).find(({ period }) => period.start === start);
  if (!record)
    throw new ApiError("NOT_FOUND", `The account ${accountId} has no billing period that starts at ${start}.`);
  if (!isSettled(record.period, now)) {
    const message = `The invoice of the period that starts at ${start} is open. It closes 15 minutes after ${record.period.end}.`;
    throw new ApiError("CONFLICT", message);
  }
  const payment: Payment = { status, at, reference };
  const isRecorded = isLater(payment, record.payment);
  const ring = await updateKeyRing(
    accounts,
    accountId,
    (current) => ({
      ...current,
      account: isRecorded ? withPayment(current.account, record, payment) : { ...current.account },
    }),
    () => [...(isRecorded ? [paymentWrite(usage, accountId, record, payment)] : []), ...further(isRecorded)],
  );
  return { ring, isRecorded };
}

function isLater(payment: Payment, recorded: Payment | undefined): boolean {
  if (!recorded || payment.at > recorded.at) return true;
  return payment.at === recorded.at && recorded.status === "failed";
}

/** The write fails if another report was recorded meanwhile. */
function paymentWrite(
  usage: string,
  accountId: number,
  { period, payment: recorded }: PeriodRecord,
  payment: Payment,
): Write {
  return {
    Update: itemUpdate(usage, periodKey(accountId, period.start), {
      update: "SET #payment = :payment",
      condition: recorded ? "#payment = :recorded" : "attribute_not_exists(#payment)",
      values: { ":payment": payment, ":recorded": recorded },
    }),
  };
}

function withPayment(account: Account, { period, terms, counts }: PeriodRecord, { status, at }: Payment): Account {
  if (status !== "failed") return withoutUnpaid(account, period.start);
  const { total } = invoice(period, { terms, counts, now: Date.parse(period.end) });
  const { start, end } = period;
  return withUnpaid(account, { ...findUnpaid(account, start), start, end, total, failed_at: at });
}
