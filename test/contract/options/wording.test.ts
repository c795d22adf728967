// The wording of limits.
import { expect, test } from "vitest";
import { atMost, between, tooLong } from "../../../lib/contract/options/wording.ts";

test("limits: descriptions and messages word them alike, with separators of thousands", () => {
  expect([
    atMost(4_000_000, "characters"),
    between(1, 100, "characters"),
    tooLong(1_000, "entries", 1_001),
    tooLong(254, "characters"),
  ]).toEqual([
    "at most 4,000,000 characters",
    "1 to 100 characters",
    "must have at most 1,000 entries, not 1,001",
    "must have at most 254 characters",
  ]);
});
