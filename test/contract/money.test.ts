// Money: exact addition and multiplication, parsing, formatting and rounding.
import { describe, expect, test } from "vitest";
import { dollars, type Money, roundedToCents, sum, times, usd } from "../../lib/contract/money.ts";
import { seededRandom } from "../fixtures/seeded-random.ts";

describe("money: an amount in dollars", () => {
  test.each([
    ["0", "0.00"],
    ["12", "12.00"],
    ["12.0", "12.00"],
    ["0.5", "0.50"],
    ["0.01", "0.01"],
    ["0.10", "0.10"],
    ["0.005", "0.005"],
    ["0.0035", "0.0035"],
    ["0.0001", "0.0001"],
    ["1.0050", "1.005"],
    ["007.20", "7.20"],
    ["999999999.9999", "999999999.9999"],
  ])("written %s is formatted as %s", (text, reported) => {
    expect(dollars(usd(text))).toBe(reported);
  });

  test.each([
    "",
    " 1",
    "1 ",
    "1\n",
    "-1",
    "+1",
    ".5",
    "5.",
    "1,5",
    "1e3",
    "0x10",
    "$1",
    "0.00001",
    "0.00350",
    "1000000000",
    "1.2.3",
    "NaN",
    "Infinity",
  ])("written '%s' is rejected", (text) => {
    expect(() => usd(text)).toThrow(RangeError);
  });

  test("survives formatting and parsing", () => {
    const random = seededRandom(1);
    const amounts = [0, 1, 9, 10, 99, 100, 9_999, 10_000, 10_001, ...Array.from({ length: 2_000 }, () => random())].map(
      (each) => (each < 1 ? Math.floor(10 ** (random() * 13)) : each) as Money,
    );
    expect(amounts.map((amount) => usd(dollars(amount)))).toEqual(amounts);
  });

  test("has two decimals, or more where needed", () => {
    const reported = Array.from({ length: 20_000 }, (_, amount) => dollars(amount as Money));
    expect(reported.filter((text) => !/^\d+\.\d{2}(\d?[1-9])?$/.test(text))).toEqual([]);
  });
});

describe("money: multiplication", () => {
  test.each([
    ["0.0035", 1_000_000, "3500.00"],
    ["0.0025", 1_000_000, "2500.00"],
    ["0.005", 1_000_000, "5000.00"],
    ["0.0035", 1, "0.0035"],
    ["0.0035", 3, "0.0105"],
    ["0.0035", 333_333, "1166.6655"],
    ["0.0001", 123_456_789, "12345.6789"],
    ["0.005", 0, "0.00"],
  ])("%s × %d is %s", (price, count, reported) => {
    expect(dollars(times(usd(price), count))).toBe(reported);
  });

  test("equals repeated addition", () => {
    const price = usd("0.0035");
    expect(sum(...Array.from({ length: 10_000 }, () => price))).toBe(times(price, 10_000));
  });
});

test("money: addition is exact where binary fractions are not", () => {
  expect(dollars(sum(usd("0.1"), usd("0.2")))).toBe("0.30");
  expect(dollars(sum(usd("12"), usd("0.0035"), usd("0.0065")))).toBe("12.01");
  expect(dollars(sum())).toBe("0.00");
});

describe("money: the charged amount", () => {
  test.each([
    ["0", "0.00"],
    ["0.0001", "0.00"],
    ["0.0049", "0.00"],
    ["0.005", "0.01"],
    ["0.0051", "0.01"],
    ["0.01", "0.01"],
    ["0.0149", "0.01"],
    ["0.015", "0.02"],
    ["1166.6655", "1166.67"],
    ["9.995", "10.00"],
  ])("for %s is %s: whole cents, half a cent up", (amount, charged) => {
    expect(dollars(roundedToCents(usd(amount)))).toBe(charged);
  });

  test("is never more than half a cent from the exact amount", () => {
    const random = seededRandom(2);
    const amounts = Array.from({ length: 2_000 }, () => Math.floor(random() * 1e12) as Money);
    const distances = amounts.map((amount) => roundedToCents(amount) - amount);
    expect(distances.filter((distance) => distance > 50 || distance <= -50)).toEqual([]);
    expect(amounts.filter((amount) => roundedToCents(amount) % 100 !== 0)).toEqual([]);
  });
});
