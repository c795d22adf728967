// Options no honest caller sends: each is refused as a whole, without harm and without an echo of its size.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../lib/contract/capture-options.ts";
import { type CaptureOptionName, captureOptionNames } from "../../lib/contract/options/all.ts";
import { apiErrorOf } from "../support/builders.ts";

const url = "https://example.com/";

function problems(sent: unknown) {
  return apiErrorOf(() => parseCaptureOptions(sent)).details;
}

test.each([
  [null, "null"],
  ["url=x", '"url=x"'],
  [5, "5"],
])("%j in place of options is refused", (sent, shown) => {
  expect(problems(sent)).toEqual({ options: [`must be sent as an object of options, not ${shown}`] });
});

test("a list in place of options has no input", () => {
  expect(problems([url])).toEqual({ url: ["is missing: send exactly one of 'url', 'html' and 'markdown'"] });
});

test.each(captureOptionNames)("%s refuses a nested object", (name) => {
  expect(Object.keys(problems({ url, format: "jpeg", [name]: { a: { b: 1 } } }) ?? {})).toContain(name);
});

test.each(captureOptionNames)("%s refuses null", (name) => {
  expect(Object.keys(problems({ url, format: "jpeg", [name]: null }) ?? {})).toContain(name);
});

test.each(captureOptionNames)("%s refuses 1 MB of junk and shows little of it", (name) => {
  const input = name === "html" || name === "markdown" ? "url" : name; // 1 MB of HTML is what `html` is for
  const { message, details } = apiErrorOf(() => parseCaptureOptions({ url, [input]: "\n<".repeat(500_000) }));
  expect({ named: Object.keys(details ?? {}).includes(input), brief: message.length < 300 }).toEqual({
    named: true,
    brief: true,
  });
});

describe("a list", () => {
  const singular: CaptureOptionName[] = ["url", "html", "markdown", "selector"];

  test.each(singular)("is refused where %s is text", (name) => {
    expect(problems({ ...(name === "selector" && { url }), [name]: ["a", "b"] })).toEqual({
      [name]: ['must be text, not ["a","b"]'],
    });
  });

  test.each([
    ["viewport_width", ["800", "900"], 'must be a whole number from 64 to 7680 pixels, not ["800","900"]'],
    ["delay", ["1"], 'must be a number from 0 to 30 seconds, not ["1"]'],
    ["format", ["png"], 'must be one of png, jpeg, webp, not ["png"]'],
    ["full_page", ["true", "false"], 'must be true or false, not ["true","false"]'],
  ])("is refused where %s is one value", (name, value, message) => {
    expect(problems({ url, [name]: value })).toEqual({ [name]: [message] });
  });

  test.each([[["load", ["auto"]]], ['["load"'], ["[]]"], ["load,auto"], [{ 0: "load" }], [[null]]])(
    "of conditions cannot be %j",
    (value) => {
      expect(Object.keys(problems({ url, wait_until: value }) ?? {})).toEqual(["wait_until"]);
    },
  );
});

describe("a number", () => {
  test.each(["1e1", "0x10", "1_0", " 1", "1 ", "1\n", ".5", "1.", "+-1", "NaN", "Infinity", "١", "1,5", "", true, [1]])(
    "cannot be %j",
    (value) => {
      expect(Object.keys(problems({ url, delay: value }) ?? {})).toEqual(["delay"]);
    },
  );

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("cannot be %d", (value) => {
    expect(problems({ url, delay: value })).toHaveProperty("delay");
  });

  test("of a million digits is refused", () => {
    expect(problems({ url, delay: "1".repeat(1_000_000) })).toEqual({
      delay: [`must be a number from 0 to 30 seconds, not "${"1".repeat(56)}...`],
    });
  });
});

describe("a flag", () => {
  test.each(["yes", "on", "", "2", 2, -1, "true ", {}, []])("cannot be %j", (value) => {
    expect(problems({ url, full_page: value })).toEqual({
      full_page: [`must be true or false, not ${JSON.stringify(value)}`],
    });
  });
});

test("a refused value is shown on one line", () => {
  expect(problems({ url, format: "a\r\nX-Injected: b" })?.format).toEqual([
    'must be one of png, jpeg, webp, not "a\\r\\nX-Injected: b"',
  ]);
});

test.each(["constructor", "tostring", "__proto__", "hasownproperty"])("%s is no alias of a format", (name) => {
  expect(problems({ url, format: name })).toHaveProperty("format");
});

test("inherited options do not count", () => {
  const sent = Object.create(null, { url: { value: url, enumerable: true } });
  expect(parseCaptureOptions(sent)).toEqual(parseCaptureOptions({ url }));
});
