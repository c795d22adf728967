// Authentication by API key, and authorization by scope.
import { describe, expect, test } from "vitest";
import { errorBody } from "../../../lib/contract/errors/api-error.ts";
import { type ApiKey, type Caller, type Scope, toCaller } from "../../../lib/service/account/account.ts";
import {
  authenticate,
  type Credentials,
  parsePresentedKey,
  requireGrantableScopes,
  requireScope,
  UnauthorizedError,
} from "../../../lib/service/account/authenticate.ts";
import { createApiKey, hashApiKey } from "../../../lib/service/keys/api-key.ts";
import { anAccount, anApiKey, apiErrorOf } from "../../support/builders.ts";

const NOW = Date.UTC(2026, 0, 31);
const key = createApiKey(new Uint8Array(40).fill(1));
const other = createApiKey(new Uint8Array(40).fill(2));
const typo = `${key.slice(0, -1)}~`;

function credentials(parts: Partial<Credentials>): Credentials {
  return { authorization: undefined, accessKeys: [], apiKeyHeader: undefined, inBody: false, ...parts };
}

const aCaller = (parts: Partial<ApiKey> = {}) => toCaller(anAccount(), anApiKey(parts));

async function refusalOf(stored: Record<string, Caller>, presented = key, isInQuery = false) {
  const find = async (hash: string) => stored[hash];
  const error = await authenticate({ key: presented, isInQuery }, { find, now: NOW }).catch((thrown) => thrown);
  if (!(error instanceof UnauthorizedError)) throw new Error("The key was not refused");
  return error;
}

describe("authentication: the key of a request", () => {
  test.each<[string, Partial<Credentials>, string]>([
    ["is in the header", { authorization: `Bearer ${key}` }, key],
    ["is in the header, however Bearer is written", { authorization: `  bEARER   ${key} ` }, key],
    ["is in the query", { accessKeys: [key] }, key],
    ["is that of the header when both are sent", { authorization: `Bearer ${key}`, accessKeys: [other] }, key],
    ["is that of the header when the query's is wrong", { authorization: `Bearer ${key}`, accessKeys: [typo] }, key],
    ["is that of the query together with another scheme", { authorization: "Basic dTpw", accessKeys: [key] }, key],
    ["is that of the query together with an empty header", { authorization: "", accessKeys: [key] }, key],
    ["is that of the header regardless of the body", { authorization: `Bearer ${key}`, inBody: true }, key],
    ["is that of the query regardless of the body", { accessKeys: [key], inBody: true }, key],
  ])("%s", (_, parts, expected) => {
    expect(parsePresentedKey(credentials(parts)).key).toBe(expected);
  });

  test.each<[string, Partial<Credentials>, string]>([
    ["is nowhere", {}, "missing"],
    ["is sent with another scheme", { authorization: `Basic ${key}` }, "missing"],
    ["is sent without a scheme", { authorization: key }, "missing"],
    ["is in the body", { inBody: true }, "missing"],
    ["is empty in the header", { authorization: "Bearer" }, "malformed"],
    [
      "is wrong in the header, even if good in the query",
      { authorization: `Bearer ${typo}`, accessKeys: [key] },
      "malformed",
    ],
    ["is empty in the header, even if good in the query", { authorization: "Bearer ", accessKeys: [key] }, "malformed"],
    ["is followed by something in the header", { authorization: `Bearer ${key} x`, accessKeys: [key] }, "malformed"],
    ["is wrong in the query", { accessKeys: [typo] }, "malformed"],
    ["is empty in the query", { accessKeys: [""] }, "malformed"],
    ["is twice in the query", { accessKeys: [key, key] }, "malformed"],
  ])("is rejected when it %s", (_, parts, reason) => {
    const error = apiErrorOf(() => parsePresentedKey(credentials(parts)));
    expect(error).toMatchObject({ status: 401, reason, headers: { "WWW-Authenticate": "Bearer" } });
  });

  test.each<[boolean, Partial<Credentials>]>([
    [false, { authorization: `Bearer ${key}` }],
    [false, { authorization: `bearer  ${key}`, accessKeys: [other] }],
    [true, { accessKeys: [key] }],
    [true, { authorization: "Basic dTpw", accessKeys: [key] }],
  ])("is marked as sent in the query: %s, with %j", (isInQuery, parts) => {
    expect(parsePresentedKey(credentials(parts)).isInQuery).toBe(isInQuery);
  });

  test("in the body is rejected with a hint where to send it", () => {
    expect(apiErrorOf(() => parsePresentedKey(credentials({ inBody: true }))).message).toBe(
      "An API key in the request body is not accepted. " +
        "Send it as `Authorization: Bearer <key>` or as the query parameter `access_key`.",
    );
  });
});

describe("authentication: a presented key", () => {
  test("is looked up by its hash only", async () => {
    const caller = aCaller();
    const find = async (hash: string) => (hash === hashApiKey(key) ? caller : undefined);
    expect(await authenticate({ key, isInQuery: false }, { find, now: NOW })).toEqual(caller);
  });

  test("that requires signatures is rejected in a query and accepted in the header", async () => {
    const caller = aCaller({ require_signature: true });
    const stored = { [hashApiKey(key)]: caller };
    expect(await refusalOf(stored, key, true)).toMatchObject({ reason: "unsigned" });
    const find = async (hash: string) => stored[hash];
    expect(await authenticate({ key, isInQuery: false }, { find, now: NOW })).toEqual(caller);
  });

  test("that does not require signatures is accepted in a query", async () => {
    const find = async () => aCaller();
    expect(await authenticate({ key, isInQuery: true }, { find, now: NOW })).toEqual(aCaller());
  });

  test("is rejected with a reason for the log", async () => {
    const past = new Date(NOW).toISOString();
    const errors = await Promise.all([
      refusalOf({}),
      refusalOf({ [hashApiKey(key)]: aCaller() }, other),
      refusalOf({ [hashApiKey(key)]: aCaller({ revoked_at: past, scopes: [] }) }),
      refusalOf({ [hashApiKey(key)]: aCaller({ expires_at: past, scopes: [] }) }),
    ]);
    expect(errors.map(({ reason }) => reason)).toEqual(["unknown", "unknown", "revoked", "expired"]);
  });

  const howToSend = "Send it as `Authorization: Bearer <key>` or as the query parameter `access_key`.";

  test("that is malformed or unknown is rejected with the same message, so that no key can be guessed", async () => {
    const errors = [
      apiErrorOf(() => parsePresentedKey(credentials({ authorization: `Bearer ${typo}` }))),
      apiErrorOf(() => parsePresentedKey(credentials({ accessKeys: [key, key] }))),
      await refusalOf({}),
      await refusalOf({ [hashApiKey(key)]: aCaller() }, other),
    ];
    const reported = errors.map((error) => ({ ...errorBody(error, 1), status: error.status, headers: error.headers }));
    const words = {
      error: `The API key is not valid. Check that it is complete. ${howToSend}`,
      code: "UNAUTHORIZED",
      request_id: 1,
      retryable: false,
      status: 401,
      headers: { "WWW-Authenticate": "Bearer" },
    };
    expect(reported).toEqual([words, words, words, words]);
  });

  test("that is missing is reported as such", () => {
    expect(apiErrorOf(() => parsePresentedKey(credentials({}))).message).toBe(`The API key is missing. ${howToSend}`);
  });

  test.each<[Partial<Credentials>, string]>([
    [{ authorization: "Basic YTpi" }, "The header `Authorization` has the scheme `Basic`, and API keys need `Bearer`."],
    [{ authorization: "Digest" }, "The header `Authorization` has no scheme."],
    [{ authorization: key }, "The header `Authorization` has no scheme."],
    [{ apiKeyHeader: key }, "An API key in the header `X-API-Key` is not accepted."],
  ])("that comes in another place (%#) is reported with the place", (parts, problem) => {
    expect(apiErrorOf(() => parsePresentedKey(credentials(parts))).message).toBe(`${problem} ${howToSend}`);
  });

  test.each<[string, Partial<ApiKey>, boolean, RegExp]>([
    ["is revoked", { revoked_at: new Date(NOW).toISOString() }, false, /^This API key is revoked\. Use another key\.$/],
    ["has expired", { expires_at: new Date(NOW).toISOString() }, false, /^This API key has expired\./],
    ["needs a signature", { require_signature: true }, true, /^This API key needs a signature in a URL/],
  ])("that exists but %s is reported so, since its owner has its text", async (_, parts, isInQuery, message) => {
    expect((await refusalOf({ [hashApiKey(key)]: aCaller(parts) }, key, isInQuery)).message).toMatch(message);
  });
});

describe("authorization: a scope", () => {
  test("of the key admits the request", () => {
    expect(() => requireScope(aCaller({ scopes: ["usage", "keys"] }), "keys")).not.toThrow();
  });

  test("that the key lacks is named in the error", () => {
    expect(apiErrorOf(() => requireScope(aCaller({ scopes: ["usage"] }), "capture"))).toMatchObject({
      code: "FORBIDDEN",
      message: "This API key lacks the scope 'capture'. Use a key that has it.",
    });
  });
});

describe("authorization: a key that lacks scopes", () => {
  const named = "Name only scopes that this key has, or use another key.";
  test.each<[Parameters<typeof requireGrantableScopes>[2], Scope[], string]>([
    ["create", ["capture", "keys"], `the scope 'capture', so it cannot give it to another key. ${named}`],
    [
      "create",
      ["capture", "usage"],
      `the scopes 'capture' and 'usage', so it cannot give them to another key. ${named}`,
    ],
    ["change", ["keys", "capture"], `the scope 'capture', so it cannot give it to a key. ${named}`],
    ["rotate", ["usage", "keys"], "the scope 'usage', so it cannot rotate a key that has it. Use another key."],
    [
      "widen",
      ["capture", "usage"],
      "the scopes 'capture' and 'usage', so it cannot let a key that has them be used longer or in more places. " +
        "Use a key that has them.",
    ],
  ])("cannot %s a key that has %j", (action, granted, lacking) => {
    const caller = aCaller({ scopes: ["keys"] });
    expect(() => requireGrantableScopes(caller, ["keys"], action)).not.toThrow();
    expect(apiErrorOf(() => requireGrantableScopes(caller, granted, action))).toMatchObject({
      code: "FORBIDDEN",
      message: `This API key lacks ${lacking}`,
    });
  });
});
