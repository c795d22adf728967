// Amounts of money as integers, so that sums of them are exact: binary fractions cannot hold most amounts of cents.

/** Amount in hundredths of a cent, the unit in which overage is priced. */
export type Money = number & { readonly unit: "hundredths of a cent" };

const UNITS_PER_CENT = 100;
const DECIMALS = 4;

/** The amount of a decimal text in dollars, such as `0.0035`. Throws a RangeError for one with more decimals. */
export function usd(text: string): Money {
  const [, whole, fraction = ""] = /^(\d{1,9})(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`'${text}' is not an amount in dollars with at most four decimals.`);
  return Number(whole + fraction.padEnd(DECIMALS, "0")) as Money;
}

export function times(amount: Money, count: number): Money {
  return (amount * count) as Money;
}

export function sum(...amounts: readonly Money[]): Money {
  return amounts.reduce((total, amount) => total + amount, 0) as Money;
}

/** The amount that is charged for it: whole cents, half a cent up. */
export function roundedToCents(amount: Money): Money {
  return (Math.floor((amount + UNITS_PER_CENT / 2) / UNITS_PER_CENT) * UNITS_PER_CENT) as Money;
}

/** Dollars as decimal text: with two decimals, or with as many as a price of a fraction of a cent needs. */
export function dollars(amount: Money): string {
  const digits = String(amount).padStart(DECIMALS + 1, "0");
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/0{1,2}$/, "");
}
