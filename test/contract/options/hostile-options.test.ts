// Options no honest caller sends: each is refused as a whole, without harm and without an echo of its size.
import { describe, expect, test } from "vitest";
import { isSecret, parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { type CaptureOptionName, captureOptionNames } from "../../../lib/contract/options/groups/all.ts";
import { apiErrorOf } from "../../support/builders.ts";
import { IS_SLOW_RUN, sampled } from "../../support/slow-run.ts";
import { examples, url } from "./example-options.ts";

function problems(sent: unknown) {
  return apiErrorOf(() => parseCaptureOptions(sent)).details;
}

/** What is wrong with a request in which an option has this value. */
function errorWith(name: CaptureOptionName, value: unknown) {
  return apiErrorOf(() => parseCaptureOptions({ ...examples[name].sentWith, [name]: value }));
}

/** An array in an array in an array …: JSON.parse makes it, and what walks through it by recursion does not return. */
const deep: unknown = JSON.parse("[".repeat(20_000) + "]".repeat(20_000));

test.each([
  [null, "null"],
  ["url=x", '"url=x"'],
  [5, "5"],
])("hostile options: %j in place of an options object is rejected", (sent, shown) => {
  expect(problems(sent)).toEqual({ options: [`must be sent as an object of options, not ${shown}`] });
});

test("hostile options: a list in place of an options object is rejected", () => {
  expect(problems([url])).toEqual({ options: ["must be sent as an object of options, not a list"] });
});

const junk: readonly (readonly [what: string, value: unknown])[] = [
  ["null", null],
  ["an object", { a: { b: 1 } }],
  ["an object that cannot become text or a number", { toString: null, valueOf: null }],
  ["a list that holds nothing", [null]],
  ["lists 20,000 deep", deep],
  ["an object of such lists", { a: deep, name: deep, value: deep }],
  ["1 MB of junk", "\n<".repeat(500_000)],
  ["1 MB of digits", "1".repeat(1_000_000)],
  ["1 MB of digits within a list", [["1".repeat(1_000_000)]]],
];

/** In the ordinary run, each option gets one of them in turn. */
describe.each(captureOptionNames.map((name, index) => [name, index] as const))("%s", (name, index) => {
  test.each(junk.filter((_, row) => IS_SLOW_RUN || row === index % junk.length))(
    "rejects %s, and shows at most the beginning of it",
    (_, value) => {
      if (acceptsJunk(name) && typeof value === "string") return expect(takenWith(name, value)).toBe(true);
      const { code, message, details } = errorWith(name, value);
      expect(code).toBe("VALIDATION_ERROR");
      expect(Object.keys(details ?? {})).toContain(name);
      expect(message.length + JSON.stringify(details).length).toBeLessThan(2_000);
    },
  );
});

sampled(test, 2).each([
  ["lists 20,000 deep", deep],
  ["objects that cannot become text", { toString: null, valueOf: null }],
  ["lists that hold nothing", [null]],
  ["text", "x"],
])("hostile options: %s for all options at once is rejected", (_, value) => {
  const everything = Object.fromEntries(captureOptionNames.map((name) => [name, value]));
  expect(Object.keys(problems(everything) ?? {}).length).toBeGreaterThan(80);
});

/** HTML of 1 MB is what `html` is for. */
function acceptsJunk(name: CaptureOptionName): boolean {
  return name === "html";
}

function takenWith(name: CaptureOptionName, value: unknown): boolean {
  return parseCaptureOptions({ ...examples[name].sentWith, [name]: value })[name] === value;
}

describe("hostile options: lists", () => {
  const singular: CaptureOptionName[] = ["url", "html", "markdown", "selector", "wait_for_expression", "user_agent"];

  test.each(singular)("are rejected for the text option %s", (name) => {
    expect(errorWith(name, ["a", "b"]).details).toEqual({ [name]: ['must be text, not ["a","b"]'] });
  });

  test.each([
    ["viewport_width", ["800", "900"], 'must be a whole number from 64 to 7680 pixels, not ["800","900"]'],
    ["delay", ["1"], 'must be a number from 0 to 30 seconds, not ["1"]'],
    ["response_type", ["json"], 'must be one of by_format, json, base64, empty, zip, not ["json"]'],
    ["full_page", ["true", "false"], 'must be true or false, not ["true","false"]'],
  ])("are rejected for %s, which has one value", (name, value, message) => {
    expect(problems({ url, [name]: value })).toEqual({ [name]: [message] });
  });

  test.each([[["load", ["auto"]]], ['["load"'], ["[]]"], ["load,auto"], [{ 0: "load" }], [[null]]])(
    "of conditions cannot be %j",
    (value) => {
      expect(Object.keys(problems({ url, wait_until: value }) ?? {})).toEqual(["wait_until"]);
    },
  );
});

describe("hostile options: numbers", () => {
  test.each(["1e1", "0x10", "1_0", " 1", "1 ", "1\n", ".5", "1.", "+-1", "NaN", "Infinity", "١", "1,5", "", true, [1]])(
    "cannot be %j",
    (value) => {
      expect(Object.keys(problems({ url, delay: value }) ?? {})).toEqual(["delay"]);
    },
  );

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("cannot be %d", (value) => {
    expect(problems({ url, delay: value })).toHaveProperty("delay");
  });

  test("with a million digits are rejected", () => {
    expect(problems({ url, delay: "1".repeat(1_000_000) })).toEqual({
      delay: [`must be a number from 0 to 30 seconds, not "${"1".repeat(56)}...`],
    });
  });
});

describe("hostile options: booleans", () => {
  test.each(["yes", "on", "", "2", 2, -1, "true ", {}])("cannot be %j", (value) => {
    expect(problems({ url, full_page: value })).toEqual({
      full_page: [`must be true or false, not ${JSON.stringify(value)}`],
    });
  });
});

describe("hostile options: error messages never contain secrets", () => {
  const secret = "s3cr3t-0123456789";
  const ways: readonly (readonly [way: string, value: unknown])[] = [
    ["as it is", secret],
    ["with a line break", `a: ${secret}\r\nb: c`],
    ["before a colon", `${secret} x: b`],
    ["in a broken address", `https://u:${secret}@h:99999/${secret}?${secret}`],
    ["in an address of another scheme", `socks5://${secret}:${secret}@h`],
    ["as broken JSON", `{"X-A": "${secret}"`],
    ["as a broken list", `["X-A: ${secret}", `],
    ["in a list", [secret, 5]],
    ["in lists", [[`a=${secret}`]]],
    ["as a name", { [`${secret} x`]: "1" }],
    ["in an object", { name: secret, value: { a: secret } }],
    ["in an object of another shape", { a: { b: secret } }],
    ["as a list of objects", [{ name: "a", value: secret, other: secret }]],
    ["with a character that no header can have", `${secret}\u0000`],
    ["as very long text", secret.repeat(20_000)],
    ["as cookies without a name", `=${secret}`],
  ];
  const rows = captureOptionNames
    .filter(isSecret)
    .flatMap((name) => ways.map(([way, value]) => ({ name, way, value })));

  test.each(rows)("$name $way", ({ name, value }) => {
    const sent = { ...examples[name].sentWith, [name]: value, timeout: 0 }; // so that there is a message in any case
    const { message, details } = apiErrorOf(() => parseCaptureOptions(sent));
    expect(`${message} ${JSON.stringify(details)}`).not.toContain("s3cr3t");
  });

  test("the list of secret options is complete", () => {
    expect(captureOptionNames.filter(isSecret)).toEqual([
      "headers",
      "cookies",
      "authorization",
      "http_auth_username",
      "http_auth_password",
      "proxy",
      "webhook_url",
      "storage_access_key_id",
      "storage_secret_access_key",
    ]);
  });

  test.each(["accept_language", "Cookies", "__proto__", "constructor", "", "url"])(
    "%j is not a secret option",
    (name) => {
      expect(isSecret(name)).toBe(false);
    },
  );
});

test("hostile options: error messages show a rejected value on one line", () => {
  expect(problems({ url, response_type: "a\r\nX-Injected: b" })?.["response_type"]).toEqual([
    'must be one of by_format, json, base64, empty, zip, not "a\\r\\nX-Injected: b"',
  ]);
});

test.each(["constructor", "tostring", "__proto__", "hasownproperty"])(
  "hostile options: %s is not an alias of a format",
  (name) => {
    expect(problems({ url, format: name })).toHaveProperty("format");
  },
);

test.each(["__proto__", "constructor", "toString"])("hostile options: %s is not an alias of an option", (name) => {
  const sent = Object.fromEntries([
    ["url", url],
    [name, "1"],
  ]);
  expect(Object.entries(problems(sent) ?? {})).toEqual([[name, ["is not an option"]]]);
});

test("hostile options: inherited properties are ignored", () => {
  const sent = Object.create({ format: "pdf" }, { url: { value: url, enumerable: true } });
  expect(parseCaptureOptions(sent)).toEqual(parseCaptureOptions({ url }));
});
