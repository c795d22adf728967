// The ticks of the chart of days.
import { expect, test } from "vitest";
import { tickStep } from "../../lib/site/web/app/tick-step.ts";

test.each([
  [1, 1],
  [4, 1],
  [5, 2],
  [8, 2],
  [9, 5],
  [40, 10],
  [41, 20],
  [562, 200],
  [12_000, 5000],
])("a chart up to %i has ticks every %i", (highest, step) => {
  expect(tickStep(highest)).toBe(step);
});
