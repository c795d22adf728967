// Times as the operator's page writes them.
import { expect, test } from "vitest";
import { formatAge, formatUtc } from "../../lib/site/web/operator/ages.ts";

test.each([
  [-1, "0 s"],
  [0, "0 s"],
  [59.9, "59 s"],
  [60, "1 min"],
  [7_199, "119 min"],
  [7_200, "2 h"],
  [47 * 3_600, "47 h"],
  [48 * 3_600, "2 d"],
  [400 * 86_400, "400 d"],
])("%d seconds are written as %s", (seconds, text) => {
  expect(formatAge(seconds)).toBe(text);
});

test("a time is written in UTC, regardless of the time zone it was given in", () => {
  expect(formatUtc("2026-11-28T01:55:30.123+02:00")).toBe("2026-11-27 23:55");
  expect(formatUtc("2026-11-28T01:55:30.123456Z", true)).toBe("2026-11-28 01:55:30");
});
