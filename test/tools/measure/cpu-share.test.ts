import { expect, test } from "vitest";
import { quotaOf } from "../../../lib/tools/measure/cpu-share.ts";

test("1,769 MB are one vCPU: all of a period of 20 ms", () => {
  expect(quotaOf(1_769)).toBe(20_000);
});

test.each([
  [512, 5_789],
  [2_048, 23_154],
  [3_008, 34_008],
])("%d MB are %d µs of each period", (megabytes, quota) => {
  expect(quotaOf(megabytes)).toBe(quota);
});
