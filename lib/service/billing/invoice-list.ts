// The invoices of an account, newest first.
import type { Account } from "../account/account.ts";
import type { BillingDates } from "./billing-period.ts";
import { type BilledPlan, invoice } from "./invoice.ts";
import { readPeriods } from "./period-store.ts";

type Billed = Pick<Account, "id"> & BillingDates & BilledPlan;

/** Reads invoices from a table at `now` (milliseconds since 1970). */
export const invoicesOf = (table: string) => async (account: Billed, now: number) => {
  const records = await readPeriods(table, account, now);
  return records.map(({ period, ...record }) => invoice(period, { ...record, now }));
};
