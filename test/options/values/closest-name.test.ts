// The known name a mistyped one was probably meant to be.
import { expect, test } from "vitest";
import { closestName } from "../../../lib/options/values/closest-name.ts";

const names = ["delay", "format", "full_page", "html", "timeout", "viewport_height", "viewport_width"];

test.each([
  ["delay", "delay"],
  ["DELAY", "delay"],
  ["dealy", undefined], // two letters of five: too far
  ["dela", "delay"],
  ["delays", "delay"],
  ["fullPage", "full_page"],
  ["viewport-width", "viewport_width"],
  ["viewport_hight", "viewport_height"],
  ["time_out", "timeout"],
  ["xtml", "html"],
  ["xyml", undefined],
  ["", undefined],
  ["x", undefined],
])("%j is nearest to %j", (name, expected) => {
  expect(closestName(name, names)).toBe(expected);
});

test("of two candidates the nearer one wins, whatever their order", () => {
  const candidates = ["image_heights", "image_width", "image_height"];
  expect([closestName("image_heigh", candidates), closestName("image_heigh", candidates.toReversed())]).toEqual([
    "image_height",
    "image_height",
  ]);
});

test("without candidates there is none", () => {
  expect(closestName("delay", [])).toBeUndefined();
});

test("a name of twenty million characters is near to nothing, and soon so", () => {
  expect(closestName("x".repeat(20_000_000), names)).toBeUndefined();
});
