// Fixed-point money: integers, because binary fractions cannot represent most amounts of cents exactly.

/** Amount in hundredths of a cent, the unit of overage prices. */
export type Money = number & { readonly unit: "hundredths of a cent" };

const UNITS_PER_CENT = 100;
const DECIMALS = 4;

/** Parses dollars from decimal text such as `0.0035`. Throws a RangeError for more than four decimals. */
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

/** Rounds to whole cents, half a cent up: the charged amount. */
export function roundedToCents(amount: Money): Money {
  return (Math.floor((amount + UNITS_PER_CENT / 2) / UNITS_PER_CENT) * UNITS_PER_CENT) as Money;
}

/** Formats as dollars in decimal: two decimals, or up to four for prices of fractions of a cent. */
export function dollars(amount: Money): string {
  const digits = String(amount).padStart(DECIMALS + 1, "0");
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/0{1,2}$/, "");
}
