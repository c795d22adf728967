// Values that say the same have the same fingerprint.
import { expect, test } from "vitest";
import { hashJson } from "../../../lib/service/platform/hash-json.ts";

test.each([
  [
    { a: 1, b: { c: 2, d: [3] } },
    { b: { d: [3], c: 2 }, a: 1 },
  ],
  [{ a: undefined, b: 1 }, { b: 1 }],
  [JSON.parse('{"__proto__": 1, "a": 2}'), JSON.parse('{"a": 2, "__proto__": 1}')],
  [
    { 10: "a", 9: "b" },
    { 9: "b", 10: "a" },
  ],
])("%j and %j have the same", (one, other) => {
  expect(hashJson(one)).toBe(hashJson(other));
});

test("what says anything else has another", () => {
  const values = [
    null,
    {},
    [],
    "",
    0,
    false,
    [1, 2],
    [2, 1],
    { a: 1 },
    { a: "1" },
    { a: [1] },
    { b: 1 },
    ["a", 1],
    "\ud800",
  ];
  expect(new Set(values.map(hashJson)).size).toBe(values.length);
  expect(hashJson(JSON.parse('{"__proto__": 1}'))).not.toBe(hashJson({}));
});
