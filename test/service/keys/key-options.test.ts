// What a caller may tell of an API key.
import { describe, expect, test } from "vitest";
import { parseNothing } from "../../../lib/contract/options/parse-options.ts";
import { parseKeyChanges, parseNewKey, parseRotation } from "../../../lib/service/keys/key-options.ts";
import { apiErrorOf } from "../../support/builders.ts";

const NOW = Date.UTC(2026, 0, 31, 12);

describe("API key options: a new key", () => {
  test("has the scopes capture and usage and no expiry by default", () => {
    expect(parseNewKey({ label: "x" }, NOW)).toEqual({
      label: "x",
      scopes: ["capture", "usage"],
      require_signature: false,
      monthly_limit: null,
      test: false,
      expires_at: null,
    });
  });
});

describe("API key options: a label", () => {
  test.each([
    ["one character", "x"],
    ["100 characters", "x".repeat(100)],
    ["100 characters of two units each", "🦊".repeat(100)],
    ["markup", `<script>alert("1")</script> & 'x' \\ %00 {{7*7}} $\{x}`],
    ["another script", "مفتاح الموقع"],
    ["a name of JavaScript", "__proto__"],
  ])("can be %s", (_, label) => {
    expect(parseNewKey({ label }, NOW).label).toBe(label);
  });

  test("loses the blanks around it", () => {
    expect(parseNewKey({ label: "  Website " }, NOW).label).toBe("Website");
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["that is missing", {}, "must be sent"],
    ["that is empty", { label: "" }, "must not be empty"],
    ["of blanks", { label: " \t\u00a0 " }, "must not be empty"],
    ["that is too long", { label: "x".repeat(101) }, "must have at most 100 characters, not 101"],
    ["that is no text", { label: 7 }, "must be text, not 7"],
    ["that is a list", { label: ["a", "b"] }, 'must be text, not ["a","b"]'],
    ["that is null", { label: null }, "must be text, not null"],
    ["of two lines", { label: "a\nb" }, "must be one line without control characters"],
    ["with a control character", { label: "a\u0000b" }, "must be one line without control characters"],
    ["with half a character", { label: "a\ud800" }, "must be one line without control characters"],
  ])("%s is rejected", (_, sent, message) => {
    expect(apiErrorOf(() => parseNewKey(sent, NOW)).details).toEqual({ label: [message] });
  });
});

test.each<[string, Record<string, unknown>, string, string]>([
  ["no scope", { scopes: [] }, "scopes", "must name at least one"],
  ["a misspelt option", { scope: ["usage"] }, "scope", "is not an option; did you mean 'scopes'?"],
  ["an id of its own", { id: 7 }, "id", "is not an option"],
  ["an account", { account_id: 7 }, "account_id", "is not an option"],
  ["a name of Object's prototype", JSON.parse('{"toString":1}'), "toString", "is not an option"],
  ["a number as expiry", { expires_at: 4102444800 }, "expires_at", "must be a timestamp"],
  ["an empty expiry", { expires_at: "" }, "expires_at", "must be a timestamp"],
  ["a date as expiry", { expires_at: "2099-01-01" }, "expires_at", "must be a timestamp"],
])("API key options: a new key with %s is rejected", (_, sent, field, message) => {
  const { details = {} } = apiErrorOf(() => parseNewKey({ label: "x", ...sent }, NOW));
  expect(details).toEqual({ [field]: [expect.stringContaining(message)] });
});

describe("API key options: changes", () => {
  test("contain only the options that were sent", () => {
    expect(parseKeyChanges({}, NOW)).toEqual({});
    expect(parseKeyChanges({ expires_at: null }, NOW)).toEqual({ expires_at: null });
  });
});

describe("API key options: monthly_limit", () => {
  test.each([
    [0, 0],
    ["0", 0],
    [1_000_000_000, 1_000_000_000],
    ["12", 12],
    [null, null],
    ["null", null],
  ])("%j becomes %j", (sent, monthly_limit) => {
    expect(parseKeyChanges({ monthly_limit: sent }, NOW)).toEqual({ monthly_limit });
  });

  test.each([-1, 0.5, 1_000_000_001, 1e300, "1e3", "", " 1", "0x10", "many", true, [1, 2], {}])(
    "%j is rejected",
    (sent) => {
      const { details } = apiErrorOf(() => parseKeyChanges({ monthly_limit: sent }, NOW));
      expect(Object.keys(details ?? {})).toEqual(["monthly_limit"]);
    },
  );

  test.each([{ test: true }, { scopes: ["capture", "keys"] }])("can't be set for a new key with %j", (facts) => {
    const { details } = apiErrorOf(() => parseNewKey({ label: "x", monthly_limit: 1, ...facts }, NOW));
    expect(details?.["monthly_limit"]?.[0]).toContain("can't be set");
    expect(() => parseNewKey({ label: "x", monthly_limit: null, ...facts }, NOW)).not.toThrow();
  });
});

describe("API key options: a rotation", () => {
  test.each([0, 1, 604_800])("can overlap by %d seconds", (overlap) => {
    expect(parseRotation({ overlap })).toEqual({ overlap, link_grace_period: 0 });
  });

  test.each([-1, 604_801, 0.5, "soon", null])("can't overlap by %j", (overlap) => {
    expect(Object.keys(apiErrorOf(() => parseRotation({ overlap })).details ?? {})).toEqual(["overlap"]);
  });
});

describe("API key options: expires_at", () => {
  test.each([
    ["2026-01-31T12:00:00.001Z", "2026-01-31T12:00:00.001Z"],
    ["2026-01-31T12:00:01z", "2026-01-31T12:00:01.000Z"],
    ["2026-01-31T13:30+01:00", "2026-01-31T12:30:00.000Z"],
    ["2026-01-31T00:00:00-23:59", "2026-01-31T23:59:00.000Z"],
    ["2028-02-29T00:00:00.123456789Z", "2028-02-29T00:00:00.123Z"],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
    ["null", null],
  ])("%s becomes %s", (sent, expires_at) => {
    expect(parseKeyChanges({ expires_at: sent }, NOW)).toEqual({ expires_at });
  });

  test.each([
    ["now", "2026-01-31T12:00:00Z", "must be in the future; to stop a key now, revoke it"],
    ["past, in another zone", "2026-01-31T13:59:59+02:00", "must be in the future"],
    [
      "without an offset",
      "2099-01-01T00:00:00",
      "must be a timestamp with an offset such as 2026-01-31T12:00:00Z, or null",
    ],
    ["on a day that there is not", "2099-02-29T00:00:00Z", "must be a timestamp"],
    ["in a month that there is not", "2099-13-01T00:00:00Z", "must be a timestamp"],
    ["on the 32nd", "2099-01-32T00:00:00Z", "must be a timestamp"],
    ["at an hour that there is not", "2099-01-01T25:00:00Z", "must be a timestamp"],
    ["with an offset that there is not", "2099-01-01T00:00:00+99:00", "must be a timestamp"],
    ["in more than the future", "+012026-01-01T00:00:00Z", "must be a timestamp"],
    ["in the year 10000 of UTC", "9999-12-31T23:59:59-23:59", "must be a timestamp"],
    ["in words", "tomorrow", "must be a timestamp"],
    ["followed by more", "2099-01-01T00:00:00Z\n", "must be a timestamp"],
    ["true", true, "must be a timestamp"],
    ["an object", { year: 2099 }, "must be a timestamp"],
    ["a list of one", ["2099-01-01T00:00:00Z"], "must be a timestamp"],
  ])("rejects a timestamp that is %s", (_, expires_at, message) => {
    const { details } = apiErrorOf(() => parseKeyChanges({ expires_at }, NOW));
    expect(details?.["expires_at"]).toEqual([expect.stringContaining(message)]);
  });
});

test.each(["label", "expires_at", "require_signature", "scopes"])(
  "API key options: an empty list is rejected as %s",
  (name) => {
    const reported = (action: () => unknown) => Object.keys(apiErrorOf(action).details ?? {});
    expect(reported(() => parseNewKey({ label: "x", [name]: [] }, NOW))).toEqual([name]);
    expect(reported(() => parseKeyChanges({ [name]: [] }, NOW))).toEqual([name]);
  },
);

describe("API key options: scopes", () => {
  test.each([
    ["usage", ["usage"]],
    [
      ["KEYS", "usage", "keys"],
      ["usage", "keys"],
    ],
    ['["keys","capture"]', ["capture", "keys"]],
  ])("%j become %j", (sent, scopes) => {
    expect(parseKeyChanges({ scopes: sent }, NOW)).toEqual({ scopes });
  });

  test.each([[[]], ["[]"], [""], ["capture,usage"], [null], [[["usage"]]], [["usage", "usage", "usage", "usage"]]])(
    "of %j are refused",
    (scopes) => {
      expect(Object.keys(apiErrorOf(() => parseKeyChanges({ scopes }, NOW)).details ?? {})).toEqual(["scopes"]);
      expect(Object.keys(apiErrorOf(() => parseNewKey({ label: "x", scopes }, NOW)).details ?? {})).toEqual(["scopes"]);
    },
  );
});

test("API key options: all problems are reported together", () => {
  const { details } = apiErrorOf(() =>
    parseNewKey({ labl: "x", scopes: ["all"], expires_at: "2020-01-01T00:00Z" }, NOW),
  );
  expect(details).toEqual({
    labl: ["is not an option; did you mean 'label'?"],
    label: ["must be sent"],
    scopes: ['must be one of capture, usage, keys, not "all"'],
    expires_at: ["must be in the future; to stop a key now, revoke it"],
  });
});

test("routes without options reject every option", () => {
  expect(() => parseNothing({})).not.toThrow();
  expect(apiErrorOf(() => parseNothing({ label: "x" })).details).toEqual({ label: ["is not an option"] });
});

test.each([
  ["what it cannot be told", () => parseKeyChanges({ revoked_at: null }, NOW), { revoked_at: ["is not an option"] }],
  ["a text of the caller's choice", () => parseKeyChanges({ key: "cap_x" }, NOW), { key: ["is not an option"] }],
  ["an expiry in a rotation", () => parseRotation({ expires_at: null }), { expires_at: ["is not an option"] }],
  [
    "an overlap in milliseconds",
    () => parseRotation({ overlap: 604_801 }),
    { overlap: ["must be a whole number from 0 to 604800 seconds, not 604801; for 604801 milliseconds, send 604.8"] },
  ],
  [
    "a signature that is neither required nor not",
    () => parseNewKey({ label: "a", require_signature: "maybe" }, NOW),
    { require_signature: ['must be true or false, not "maybe"'] },
  ],
])("API key options: %s is rejected", (_, parse, details) => {
  expect(apiErrorOf(parse).details).toEqual(details);
});

test.each([-1, 86_401, "soon"])("API key options: link_grace_period %j is rejected", (link_grace_period) => {
  expect(Object.keys(apiErrorOf(() => parseRotation({ link_grace_period })).details ?? {})).toEqual([
    "link_grace_period",
  ]);
});
