// Shards of the usage counters by the rate of a plan.
import { expect, test } from "vitest";
import { planNames, plans } from "../../../lib/contract/plans.ts";
import { slotShards } from "../../../lib/service/jobs/slot-store.ts";
import { chooseShard, counterShards } from "../../../lib/service/usage/counter-shards.ts";

test("counter shards: the accounts of all plans have one, so that they cost and behave as without shards", () => {
  expect(planNames.map((name) => counterShards(plans[name]))).toEqual(planNames.map(() => 1));
  expect(planNames.map((name) => slotShards(plans[name]))).toEqual(planNames.map(() => 1));
});

test.each([
  [1, 1],
  [300, 1],
  [301, 2],
  [10_000, 34],
])("counter shards: %d requests a minute need %d", (requestsPerMinute, shards) => {
  expect(counterShards({ requestsPerMinute })).toBe(shards);
});

test("counter shards: every shard is chosen, and none beyond them", () => {
  const fast = { requestsPerMinute: 900 };
  const chosen = [0, 0.33, 0.34, 0.66, 0.67, 1 - Number.EPSILON].map((random) => chooseShard(fast, random));
  expect(chosen).toEqual([0, 0, 1, 1, 2, 2]);
});
