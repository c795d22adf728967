// Payments of invoices: what is stored of them, and when an invoice is due. The operator's payment provider reports them; where none is
// configured, no payments are recorded.
import * as v from "valibot";
import { optionalVariable } from "../platform/environment.ts";
import { DAY_MS } from "../usage/day.ts";

/** What the payment provider said last of the invoice of a period. */
export const PaymentSchema = v.object({
  status: v.picklist(["paid", "void", "failed"]),
  /** When that happened, by the provider's clock. */
  at: v.string(),
  /** The provider's name of it, such as the id of an invoice. */
  reference: v.nullable(v.string()),
});
export type Payment = v.InferOutput<typeof PaymentSchema>;

/** When invoices are due, in days after the end of their period. */
export interface PaymentTerms {
  readonly overdueAfterDays: number;
  /** After so many days, the account is suspended; undefined where none is. */
  readonly suspendAfterDays: number | undefined;
}

/** Reads the terms from the environment; undefined where no payments are recorded. */
export function paymentTerms(): PaymentTerms | undefined {
  const overdueAfterDays = optionalVariable("OVERDUE_AFTER_DAYS");
  if (overdueAfterDays === undefined) return undefined;
  return { overdueAfterDays, suspendAfterDays: optionalVariable("SUSPEND_OVERDUE_AFTER_DAYS") };
}

/** The time so many days after a timestamp, in milliseconds since 1970. */
export function daysAfter(timestamp: string, days: number): number {
  return Date.parse(timestamp) + days * DAY_MS;
}

/** What an invoice says of its payment. */
export interface PaymentState {
  /** `null` where no payments are recorded. An invoice of $0.00 is paid: nothing is due. */
  readonly payment: "unpaid" | "paid" | "void" | null;
  /** From then on it is overdue; null if nothing is to be paid. */
  readonly due_at: string | null;
  /** When a payment failed last, unless one succeeded since. */
  readonly payment_failed_at: string | null;
}

const NOTHING_RECORDED: PaymentState = { payment: null, due_at: null, payment_failed_at: null };

/** Returns what an invoice of a period that ends at `end` says of its payment. `isFree` is true for a total of $0.00. */
export function paymentState(
  stored: Payment | undefined,
  { end, isFree, terms }: { readonly end: string; readonly isFree: boolean; readonly terms: PaymentTerms | undefined },
): PaymentState {
  if (!terms) return NOTHING_RECORDED;
  if (stored && stored.status !== "failed") return { payment: stored.status, due_at: null, payment_failed_at: null };
  if (isFree) return { payment: "paid", due_at: null, payment_failed_at: null };
  const due_at = new Date(daysAfter(end, terms.overdueAfterDays)).toISOString();
  return { payment: "unpaid", due_at, payment_failed_at: stored?.at ?? null };
}
