// The number of an invoice, by which its customer, the operator, and a payment provider name it.

/** The account and the first day of the period that starts at `start`, such as `243680359552001-2026-10-31`. */
export function invoiceNumber(accountId: number, start: string): string {
  return `${accountId}-${start.slice(0, 10)}`;
}
