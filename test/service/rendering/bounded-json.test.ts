// JSON of a renderer that a page has taken over.
import { expect, test } from "vitest";
import { parseBoundedJson } from "../../../lib/service/rendering/bounded-json.ts";

const parse = (json: string) => parseBoundedJson(Buffer.from(json));

test.each([
  '{"a":[1,"x",null,true,{"b":-1e-7}],"c":""}',
  `"${'\\"[{,'.repeat(2_000_000)}"`, // a text of the page
  `${"[".repeat(64)}${"]".repeat(64)}`,
  JSON.stringify(Array(900_000).fill(0)),
])("JSON: what is within the limits is parsed", (json) => {
  expect(JSON.stringify(parse(json))).toBe(JSON.stringify(JSON.parse(json)));
});

test.each([
  ["sixteen million lists within each other", "[".repeat(16_000_000) + "]".repeat(16_000_000)],
  ["more levels than the limit", `${'{"a":'.repeat(65)}1${"}".repeat(65)}`],
  ["ten million empty objects", `[${"{},".repeat(10_000_000)}{}]`],
  ["a million numbers", `[${"0,".repeat(1_000_000)}0]`],
  ["infinity", '{"a":[1e999]}'],
  ["a number of 400 digits", "9".repeat(400)],
  ["an open text", '"abc'],
  ["nothing", ""],
])("JSON: %s is refused", (_, json) => {
  expect(() => parse(json)).toThrow();
});
