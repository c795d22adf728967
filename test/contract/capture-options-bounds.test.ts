// The bounds of every option, at their edges.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../lib/contract/capture-options.ts";
import type { CaptureOptionName } from "../../lib/contract/options/all.ts";
import { apiErrorOf } from "../support/builders.ts";

const url = "https://example.com/";
const inJpeg = { url, format: "jpeg" };

function parsed(name: CaptureOptionName, value: unknown, beside: object = { url }): unknown {
  return parseCaptureOptions({ ...beside, [name]: value })[name];
}

/** What is wrong with a request: each option with its messages. */
function problems(sent: object) {
  return apiErrorOf(() => parseCaptureOptions(sent)).details;
}

describe.each([
  { name: "image_quality", low: 0, high: 100, step: 1, bounds: "a whole number from 0 to 100", beside: inJpeg },
  { name: "viewport_width", low: 64, high: 7680, step: 1, bounds: "a whole number from 64 to 7680 pixels" },
  { name: "viewport_height", low: 64, high: 4320, step: 1, bounds: "a whole number from 64 to 4320 pixels" },
  { name: "device_scale_factor", low: 0.5, high: 5, step: 0.01, bounds: "a number from 0.5 to 5" },
  { name: "delay", low: 0, high: 30, step: 0.01, bounds: "a number from 0 to 30 seconds" },
  { name: "timeout", low: 1, high: 90, step: 1, bounds: "a whole number from 1 to 90 seconds" },
] as const)("$name", ({ name, low, high, step, bounds, ...rest }) => {
  const beside = "beside" in rest ? rest.beside : { url };

  test.each([low, high])("takes %d", (value) => {
    expect([parsed(name, value, beside), parsed(name, String(value), beside)]).toEqual([value, value]);
  });

  test.each([low - step, high + step])("refuses %d", (value) => {
    const refused = [problems({ ...beside, [name]: value }), problems({ ...beside, [name]: String(value) })];
    expect(refused).toEqual([
      { [name]: [`must be ${bounds}, not ${value}`] },
      { [name]: [`must be ${bounds}, not "${value}"`] },
    ]);
  });
});

test.each(["image_quality", "viewport_width", "viewport_height", "timeout"] as const)("%s refuses 70.5", (name) => {
  expect(Object.keys(problems({ ...inJpeg, [name]: 70.5 }) ?? {})).toEqual([name]);
});

describe.each([
  { name: "url", longest: 8_192, filler: "https://example.com/" },
  { name: "html", longest: 4_000_000, filler: "<p>" },
  { name: "markdown", longest: 500_000, filler: "# " },
  { name: "selector", longest: 2_000, filler: "#a" },
] as const)("$name", ({ name, longest, filler }) => {
  const beside = name === "selector" ? { url } : {};
  const ofLength = (length: number) => filler.padEnd(length, "x");

  test(`takes ${longest} characters`, () => {
    expect(parsed(name, ofLength(longest), beside)).toHaveLength(longest);
  });

  test("refuses one more", () => {
    expect(problems({ ...beside, [name]: ofLength(longest + 1) })).toEqual({
      [name]: [`must have at most ${longest} characters, not ${longest + 1}`],
    });
  });

  test("refuses an empty text", () => {
    expect(problems({ ...beside, [name]: "" })?.[name]).toContain("must not be empty");
  });
});

describe("url", () => {
  const complete = "must be a complete address such as https://example.com/page";
  const trimmed = "must not begin or end with white space";
  const twice = "names its scheme twice; write https:// once";

  test.each([
    ["example.com", [complete]],
    ["/page", [complete]],
    ["https://", [complete]],
    ["https://exa mple.com", [complete]],
    [" https://example.com", [trimmed]],
    ["https://example.com\n", [trimmed]],
    [" ", [trimmed, complete]],
    ["https://https://example.com", [twice]],
    ["HTTP://https://example.com", [twice]],
  ])("refuses %j", (address, messages) => {
    expect(problems({ url: address })).toEqual({ url: messages });
  });

  test.each(["http://example.com", "https://a.example/https://b.example", "HTTPS://example.com:8443/?q=https://b"])(
    "takes %s as it is",
    (address) => {
      expect(parsed("url", address, {})).toBe(address);
    },
  );
});

test("wait_until refuses an empty list", () => {
  expect(problems({ url, wait_until: [] })).toEqual({ wait_until: ["must name at least one condition"] });
});
