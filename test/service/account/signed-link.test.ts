// Signed links: whom they authenticate, and that every change invalidates them.
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ApiError, errorBody } from "../../../lib/contract/errors/api-error.ts";
import { type ApiKey, toLinkCaller } from "../../../lib/service/account/account.ts";
import { UnauthorizedError } from "../../../lib/service/account/authenticate.ts";
import { authenticateLink, type Query, signedText, signQuery } from "../../../lib/service/account/signed-link.ts";
import { signedLinkParameters } from "../../../lib/service/openapi/signed-link-parameters.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";
import { anAccount, anApiKey } from "../../support/builders.ts";

const NOW = Date.UTC(2026, 0, 31);
const SECONDS = NOW / 1000;
const YEAR_S = 366 * 24 * 60 * 60;
const SECRET = anApiKey().signing_secret;

/** A signed query. */
function signed(parts: Record<string, string> = {}, { secret = SECRET, more = [] as Query } = {}): Query {
  const query = { key_id: "7", expires: String(SECONDS + 60), url: "https://example.com/?a=1&b=ü", ...parts };
  const pairs = [...Object.entries(query), ...more];
  return [...pairs, ["signature", signQuery(pairs, secret)]];
}

const isNot = (name: string) => (pair: Query[number]) => pair[0] !== name;

function authenticated(query: Query, key: Partial<ApiKey> = {}, now = NOW) {
  const find = async (id: number) => (id === 7 ? toLinkCaller(anAccount(), anApiKey(key)) : undefined);
  return authenticateLink(query, { find, now });
}

async function refusalOf(query: Query, key: Partial<ApiKey> = {}, now = NOW): Promise<ApiError> {
  const error = await authenticated(query, key, now).catch((thrown) => thrown);
  if (!(error instanceof ApiError)) throw new Error("The link was not refused");
  return error;
}

describe("signed link: the signed text", () => {
  test("contains every parameter but the signature, encoded and sorted by name", () => {
    const query: Query = [
      ["url", "https://example.com/?a=1&b=ü z"],
      ["signature", "00"],
      ["expires", "1800000000"],
      ["cache", "true"],
      ["cache_ttl", ""],
      ["key_id", "7"],
      ["hide_selectors[]", "a+b"],
    ];
    expect(signedText(query)).toBe(
      "cache=true&cache_ttl=&expires=1800000000&hide_selectors%5B%5D=a%2Bb&key_id=7" +
        "&url=https%3A%2F%2Fexample.com%2F%3Fa%3D1%26b%3D%C3%BC%20z",
    );
  });

  test("is the same for any order of parameters, and keeps the order within a list", () => {
    const random = seededRandom(1);
    const query: Query = [...Array.from({ length: 30 }, (_, n): [string, string] => [`p${n % 9}`, String(n)])];
    for (let round = 0; round < 50; round++) {
      const groups = [...Map.groupBy(query, ([name]) => name).values()];
      const shuffled = groups.toSorted(() => random() - 0.5).flat();
      expect(signedText(shuffled)).toBe(signedText(query));
    }
    expect(signedText(query.toReversed())).not.toBe(signedText(query));
  });

  test("is unambiguous", () => {
    const texts = [
      [["a", "1&b=2"]],
      [
        ["a", "1"],
        ["b", "2"],
      ],
      [["a=1&b", "2"]],
      [
        ["a", "1"],
        ["b=2", ""],
      ],
    ] as Query[];
    expect(new Set(texts.map(signedText)).size).toBe(4);
  });

  test("can contain lone surrogates", () => {
    expect(signedText([["a", "\ud800"]])).toBe("a=%EF%BF%BD");
  });

  test("gives an HMAC-SHA256 in hex, keyed with the secret as it is shown", () => {
    const expected = createHmac("sha256", "whsec_c2VjcmV0").update("a=1&key_id=7").digest("hex");
    expect(
      signQuery(
        [
          ["key_id", "7"],
          ["a", "1"],
        ],
        "whsec_c2VjcmV0",
      ),
    ).toBe(expected);
  });
});

test("signed link: the JavaScript example of the reference creates a valid link", async () => {
  const [, code] =
    /```js\n([\s\S]*?)```/.exec(
      String(signedLinkParameters.find(({ name }) => name === "signature")?.["description"]),
    ) ?? [];
  const link: string = new Function("createHmac", "signing_secret", `${code} return link;`)(createHmac, SECRET);
  const query = [...new URL(link).searchParams];
  const find = async () => toLinkCaller(anAccount(), anApiKey());
  await expect(authenticateLink(query, { find, now: Date.UTC(2026, 11) })).resolves.toBeDefined();
});

describe("signed link: verifies a query signed with a language's standard library:", () => {
  /** A query with all characters that encodings treat differently, and lists. */
  const pairs: Query = [
    ["cache_key", "~-_.!*'() /ü"],
    ["expires", "1798761600"],
    ["key_id", "7"],
    ["scripts[]", "a + b"],
    ["scripts[]", "c%d"],
    ["url", "https://example.com/?a=1&b=2#c"],
  ];
  const url = "url=https%3A%2F%2Fexample.com%2F%3Fa%3D1%26b%3D2%23c";
  const rest = "expires=1798761600&key_id=7";

  // The encodings of these pairs by the languages' own libraries.
  test.each([
    [
      "encodeURIComponent of JavaScript",
      `cache_key=~-_.!*'()%20%2F%C3%BC&${rest}&scripts%5B%5D=a%20%2B%20b&scripts%5B%5D=c%25d&${url}`,
    ],
    [
      "URLSearchParams of JavaScript, URI.encode_www_form of Ruby",
      `cache_key=%7E-_.%21*%27%28%29+%2F%C3%BC&${rest}&scripts%5B%5D=a+%2B+b&scripts%5B%5D=c%25d&${url}`,
    ],
    [
      "urlencode of Python, url.Values of Go",
      `cache_key=~-_.%21%2A%27%28%29+%2F%C3%BC&${rest}&scripts%5B%5D=a+%2B+b&scripts%5B%5D=c%25d&${url}`,
    ],
    [
      "urlencode of Python with quote, http_build_query of PHP with RFC 3986",
      `cache_key=~-_.%21%2A%27%28%29%20%2F%C3%BC&${rest}&scripts%5B%5D=a%20%2B%20b&scripts%5B%5D=c%25d&${url}`,
    ],
    [
      "http_build_query of PHP",
      `cache_key=%7E-_.%21%2A%27%28%29+%2F%C3%BC&${rest}&scripts%5B%5D=a+%2B+b&scripts%5B%5D=c%25d&${url}`,
    ],
    [
      "urlencode of Python, not sorted",
      `${url}&cache_key=~-_.%21%2A%27%28%29+%2F%C3%BC&key_id=7&scripts%5B%5D=a+%2B+b&scripts%5B%5D=c%25d&expires=1798761600`,
    ],
  ])("%s", async (_, query) => {
    const sent = [...new URLSearchParams(query)] as Query;
    expect(signedText(sent)).toBe(signedText(pairs));
    const signature = createHmac("sha256", SECRET).update(query).digest("hex");
    await expect(authenticated([...sent, ["signature", signature]])).resolves.toBeDefined();
    const other = [...sent, ["full_page", "true"], ["signature", signature]] as Query;
    expect(await refusalOf(other)).toMatchObject({ reason: "forged" });
  });

  test("but not one that decodes to another query", async () => {
    const query = "expires=1798761600&key_id=7&url=a+b";
    const signature = createHmac("sha256", SECRET).update(query).digest("hex");
    const plus: Query = [
      ["expires", "1798761600"],
      ["key_id", "7"],
      ["url", "a+b"],
      ["signature", signature],
    ];
    expect(await refusalOf(plus)).toMatchObject({ reason: "forged" });
  });
});

describe("signed link: a link", () => {
  test("authenticates the caller whose key signed it", async () => {
    expect(await authenticated(signed())).toEqual(toLinkCaller(anAccount(), anApiKey()).caller);
  });

  test("is accepted when its key requires signatures", async () => {
    await expect(authenticated(signed(), { require_signature: true })).resolves.toBeDefined();
  });

  test("is valid until it expires", async () => {
    const query = signed({ expires: String(SECONDS) });
    await expect(authenticated(query, {}, NOW - 1)).resolves.toBeDefined();
    expect(await refusalOf(query, {}, NOW)).toMatchObject({ reason: "expired" });
  });

  test("can expire in a year", async () => {
    await expect(authenticated(signed({ expires: String(SECONDS + YEAR_S) }))).resolves.toBeDefined();
  });

  test("can be signed with the previous secret only for as long as the rotation requested", async () => {
    const until = new Date(NOW + 1).toISOString();
    const previous = { secret: SECRET, until: new Date(NOW + 9).toISOString() };
    const key = { signing_secret: "whsec_new", previous_signing_secrets: [{ ...previous, links_until: until }] };
    const withoutGrace = { ...key, previous_signing_secrets: [previous] };
    expect(await refusalOf(signed(), withoutGrace)).toMatchObject({ reason: "forged" });
    await expect(authenticated(signed(), key)).resolves.toBeDefined();
    await expect(authenticated(signed({}, { secret: "whsec_new" }), key)).resolves.toBeDefined();
    expect(await refusalOf(signed({}, { secret: "whsec_other" }), key)).toMatchObject({ reason: "forged" });
    expect(await refusalOf(signed(), key, NOW + 1)).toMatchObject({ reason: "forged" });
  });
});

/** The error message by logged reason. */
const SAID: Readonly<Record<string, RegExp>> = {
  malformed: /^(The signed link needs `(key_id|signature)` once: |A signed link must not contain `access_key`)/,
  unknown: /^The `signature` of the link does not match\. .*`details\.signed_text`/,
  forged: /^The `signature` of the link does not match\. .*`details\.signed_text`/,
  expired: /^(This signed link expired at 2026-01-30T23:59:59\.000Z|The API key that signed this link is expired)\./,
  revoked: /^The API key that signed this link is revoked\./,
};

describe("signed link: a link is rejected", () => {
  const past = new Date(NOW).toISOString();
  const good = signed();
  const without = (name: string) => good.filter(isNot(name));
  const withOther = (name: string, value: string): Query => [...without(name), [name, value]];

  test.each<[string, Query, Partial<ApiKey>, string]>([
    ["without a key's id", without("key_id"), {}, "malformed"],
    ["with two ids", [...good, ["key_id", "7"]], {}, "malformed"],
    ["with an id that is none", withOther("key_id", "7.0"), {}, "malformed"],
    ["with a hexadecimal id", withOther("key_id", "0x7"), {}, "malformed"],
    ["with the id of no key", withOther("key_id", "8"), {}, "unknown"],
    ["without a signature", without("signature"), {}, "malformed"],
    ["with two signatures", [...good, ["signature", "0".repeat(64)]], {}, "malformed"],
    ["with an empty signature", withOther("signature", ""), {}, "malformed"],
    ["with a short signature", withOther("signature", "00"), {}, "malformed"],
    ["with a signature in capitals", withOther("signature", "A".repeat(64)), {}, "malformed"],
    ["with a key", [...good, ["access_key", "cap_"]], {}, "malformed"],
    ["with another signature", withOther("signature", "0".repeat(64)), {}, "forged"],
    ["with another end", withOther("expires", String(SECONDS + 61)), {}, "forged"],
    ["without an end that was signed", without("expires"), {}, "forged"],
    ["with another address", withOther("url", "https://example.org/"), {}, "forged"],
    ["with another option", [...good, ["full_page", "true"]], {}, "forged"],
    ["without an option", without("url"), {}, "forged"],
    ["with an option in another case", signed().map(([n, v]) => [n === "url" ? "URL" : n, v] as const), {}, "forged"],
    ["signed with another secret", signed({}, { secret: "whsec_other" }), {}, "forged"],
    ["signed with the bytes of the secret", signed({}, { secret: "secret" }), {}, "forged"],
    ["after its end", signed({ expires: String(SECONDS - 1) }), {}, "expired"],
    ["of a key that was revoked", good, { revoked_at: past }, "revoked"],
    ["of a key that has expired", good, { expires_at: past }, "expired"],
  ])("%s", async (_, query, key, reason) => {
    const error = await refusalOf(query, key);
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(error).toMatchObject({ reason });
    const { error: message, ...body } = errorBody(error, 1);
    expect(message).toMatch(SAID[reason] ?? "");
    expect({ ...body, headers: error.headers }).toEqual({
      code: "UNAUTHORIZED",
      request_id: 1,
      retryable: false,
      headers: { "WWW-Authenticate": "Bearer" },
      ...(["unknown", "forged"].includes(reason) && { details: { signed_text: signedText(query) } }),
    });
  });

  test("with the same message for an unknown key and for a wrong signature", async () => {
    const [unknown, forged] = await Promise.all([
      refusalOf(withOther("key_id", "8")),
      refusalOf(withOther("signature", "0".repeat(64))),
    ]);
    expect(unknown.message).toBe(forged.message);
  });

  test("with a list in another order", async () => {
    const [a, b] = [
      ["click", "#a"],
      ["click", "#b"],
    ] as const;
    const query = signed({}, { more: [a, b] });
    await expect(authenticated(query)).resolves.toBeDefined();
    expect(await refusalOf([b, ...query.filter((pair) => pair !== b)])).toMatchObject({ reason: "forged" });
  });

  test.each([
    ["", "must be sent once, in seconds since 1970"],
    ["soon", "must be sent once, in seconds since 1970"],
    ["1e12", "must be sent once, in seconds since 1970"],
    ["-1", "must be sent once, in seconds since 1970"],
    [" 1800000000", "must be sent once, in seconds since 1970"],
    [String(SECONDS + YEAR_S + 1), "must be at most a year ahead, in seconds since 1970"],
    [String(NOW), "must be at most a year ahead, in seconds since 1970"],
  ])("that expires at %j, with an error that says why", async (expires, message) => {
    expect(await refusalOf(signed({ expires }))).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { expires: [message] },
    });
    expect(await refusalOf(signed({ expires }, { secret: "whsec_other" }))).toMatchObject({ reason: "forged" });
  });

  test("that has two expiry times", async () => {
    const query = signed({}, { more: [["expires", String(SECONDS + 60)]] });
    expect(await refusalOf(query)).toMatchObject({ code: "VALIDATION_ERROR" });
  });
});
