// Plans: the advertised terms.
import { describe, expect, test } from "vitest";
import { dollars, times } from "../../lib/contract/money.ts";
import { type Plan, type PlanName, planNames, planQuotas, plans, quotaFor } from "../../lib/contract/plans.ts";

interface Row {
  readonly label: string;
  readonly price: string;
  readonly firstMonth?: string;
  readonly quotas: readonly (readonly [name: string, limit: number])[];
  readonly requestsPerMinute: number;
  readonly jobsAtOnce: number;
  /** Price of a single capture. */
  readonly overage?: string;
  readonly trialDays?: number;
}

const separate = (screenshots: number, videos: number) =>
  [
    ["screenshots", screenshots],
    ["videos", videos],
  ] as const;
const pool = (captures: number) => [["captures", captures]] as const;

const table: [PlanName, Row][] = [
  [
    "free",
    {
      label: "Free Trial",
      price: "0.00",
      quotas: separate(300, 50),
      requestsPerMinute: 10,
      jobsAtOnce: 5,
      trialDays: 7,
    },
  ],
  [
    "starter",
    {
      label: "Starter",
      price: "12.00",
      firstMonth: "1.00",
      quotas: separate(5_000, 150),
      requestsPerMinute: 40,
      jobsAtOnce: 50,
      overage: "0.005",
    },
  ],
  [
    "pro",
    { label: "Pro", price: "49.00", quotas: pool(20_000), requestsPerMinute: 80, jobsAtOnce: 200, overage: "0.0035" },
  ],
  [
    "max",
    { label: "Max", price: "129.00", quotas: pool(60_000), requestsPerMinute: 150, jobsAtOnce: 500, overage: "0.0025" },
  ],
];

function rowOf(plan: Plan): Row {
  const {
    label,
    price,
    firstMonthPrice,
    requestsPerMinute,
    concurrentJobs: jobsAtOnce,
    overagePrice,
    trialDays,
  } = plan;
  return {
    label,
    price: dollars(price),
    ...(firstMonthPrice !== undefined && { firstMonth: dollars(firstMonthPrice) }),
    quotas: planQuotas(plan).map(({ name, limit }) => [name, limit] as const),
    requestsPerMinute,
    jobsAtOnce,
    ...(overagePrice !== undefined && { overage: dollars(times(overagePrice, 1)) }),
    ...(trialDays !== undefined && { trialDays }),
  };
}

test.each(table)("plans: plan %s has the advertised terms", (name, row) => {
  expect(rowOf(plans[name])).toEqual(row);
});

test("plans: there are no other plans", () => {
  expect(Object.keys(plans)).toEqual(table.map(([name]) => name));
  expect([...planNames]).toEqual(Object.keys(plans));
});

describe("plans: a capture counts against", () => {
  test.each([
    ["free", "screenshots", { name: "screenshots", limit: 300 }],
    ["free", "videos", { name: "videos", limit: 50 }],
    ["starter", "screenshots", { name: "screenshots", limit: 5_000 }],
    ["starter", "videos", { name: "videos", limit: 150 }],
    ["pro", "screenshots", { name: "captures", limit: 20_000 }],
    ["pro", "videos", { name: "captures", limit: 20_000 }],
    ["max", "screenshots", { name: "captures", limit: 60_000 }],
    ["max", "videos", { name: "captures", limit: 60_000 }],
  ] as const)("with the plan %s, one of %s: %o", (plan, credit, quota) => {
    expect(quotaFor(credit, plans[plan])).toEqual(quota);
  });
});

test("plans: each admits at most 600 requests a minute, for which the item of a hard cap or of a key's limit can reserve", () => {
  expect(Object.values(plans).filter(({ requestsPerMinute }) => requestsPerMinute > 600)).toEqual([]);
});
