// The tables of the written reference: the terms of a plan.
import { expect, test } from "vitest";
import { usd } from "../../../lib/contract/money.ts";
import type { Plan } from "../../../lib/contract/plans.ts";
import { planTable, replaceTable } from "../../../lib/service/openapi/reference-tables.ts";

const aPlan: Plan = {
  label: "Some",
  price: usd("12"),
  quotas: { captures: 20_000 },
  requestsPerMinute: 40,
  concurrentJobs: 50,
  captureShare: 1,
  overagePrice: usd("0.0035"),
};
const rowOf = (plan: Plan) => planTable({ some: plan }).split("\n")[2];

test.each<[string, Partial<Plan>, string]>([
  ["of one pool", {}, "| `some` | Some | $12.00 | 20,000 captures | $0.0035 | 40 | 50 |"],
  [
    "of two quotas",
    { quotas: { screenshots: 5_000, videos: 150 } },
    "| `some` | Some | $12.00 | 5,000 screenshots and 150 videos | $0.0035 | 40 | 50 |",
  ],
  [
    "with another price for the first month",
    { firstMonthPrice: usd("1") },
    "| `some` | Some | $12.00 ($1.00 for the first month) | 20,000 captures | $0.0035 | 40 | 50 |",
  ],
])("a plan %s is shown with all of its terms", (_, plan, row) => {
  expect(rowOf({ ...aPlan, ...plan })).toBe(row);
});

test("a trial is shown with its days, and that captures beyond it are refused", () => {
  const { overagePrice: _, ...capped } = { ...aPlan, price: usd("0"), trialDays: 7 };
  expect(rowOf(capped)).toBe("| `some` | Some | $0.00 for 7 days, once | 20,000 captures | refused | 40 | 50 |");
});

test("every plan has a row with a cell for each head", () => {
  const [head = "", rule = "", ...rows] = planTable({ some: aPlan, other: aPlan }).split("\n");
  const cells = [head, rule, ...rows].map((row) => row.split("|").length);
  expect(rows).toHaveLength(2);
  expect(new Set(cells).size).toBe(1);
});

test("replaceTable: replaces what is between the markers of a page, and nothing else", () => {
  const page = "# Plans\n\n<!-- plans -->\n| old |\n<!-- /plans -->\n\nMore.\n";
  expect(replaceTable(page, "plans", "| $1 |")).toBe("# Plans\n\n<!-- plans -->\n| $1 |\n<!-- /plans -->\n\nMore.\n");
});

test("replaceTable: throws for a page without the markers", () => {
  expect(() => replaceTable("# Plans\n", "plans", "| new |")).toThrow("no place for the table 'plans'");
});
