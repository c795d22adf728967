// The known name a mistyped one was probably meant to be.
import { expect, test } from "vitest";
import { closestName } from "../../../../lib/contract/options/values/closest-name.ts";

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
])("closest name: that of %j is %j", (name, expected) => {
  expect(closestName(name, names)).toBe(expected);
});

test("closest name: the closer of two candidates wins in any order", () => {
  const candidates = ["image_heights", "image_width", "image_height"];
  expect([closestName("image_heigh", candidates), closestName("image_heigh", candidates.toReversed())]).toEqual([
    "image_height",
    "image_height",
  ]);
});

test("closest name: undefined without candidates", () => {
  expect(closestName("delay", [])).toBeUndefined();
});

test("closest name: a name of twenty million characters is rejected quickly", () => {
  expect(closestName("x".repeat(20_000_000), names)).toBeUndefined();
});
