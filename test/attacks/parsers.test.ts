// Fuzzing (property-based): every parser that a caller, a page or a queue can reach.
import fc from "fast-check";
import type { Protocol } from "puppeteer-core";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../lib/contract/errors/api-error.ts";
import { parseCaptureOptions } from "../../lib/contract/options/capture-options.ts";
import { type CaptureOptionName, captureOptionNames } from "../../lib/contract/options/groups/all.ts";
import { canonicalLocale, canonicalTimeZone } from "../../lib/contract/options/values/locale.ts";
import { type PageRange, parsePageRanges } from "../../lib/contract/options/values/page-ranges.ts";
import { parseLength, parseMargins } from "../../lib/contract/options/values/paper.ts";
import { templateProblem } from "../../lib/contract/options/values/pdf-template.ts";
import { parseSetCookie } from "../../lib/contract/options/values/set-cookie.ts";
import { upstreamProxy } from "../../lib/engine/egress/upstream-proxy.ts";
import { HtmlTooComplexError, htmlToMarkdown } from "../../lib/engine/formats/document/html-to-markdown.ts";
import { matchesText, matchesUrlPattern } from "../../lib/engine/injected/url-pattern.ts";
import { renderMarkdown } from "../../lib/engine/inputs/markdown.ts";
import { MarkdownTooComplexError } from "../../lib/engine/inputs/markdown-error.ts";
import { consoleText } from "../../lib/engine/page/console-text.ts";
import { toLinkCaller } from "../../lib/service/account/account.ts";
import { UnauthorizedError } from "../../lib/service/account/authenticate.ts";
import { authenticateLink, type Query, signedText, signQuery } from "../../lib/service/account/signed-link.ts";
import { queueHandler } from "../../lib/service/aws/queue-handler.ts";
import { parseBulk } from "../../lib/service/bulk/parse-bulk.ts";
import { queryOptions, rawOptions } from "../../lib/service/http/api-request.ts";
import { notModifiedIfMatches } from "../../lib/service/http/conditional-response.ts";
import { idempotencyKey } from "../../lib/service/http/idempotency-key.ts";
import { json } from "../../lib/service/http/response.ts";
import { parseJobMessage } from "../../lib/service/jobs/job-queue.ts";
import { createApiKey, isWellFormed, KEY_ENTROPY_BYTES, redactKeys } from "../../lib/service/keys/api-key.ts";
import { parseKeyChanges, parseNewKey } from "../../lib/service/keys/key-options.ts";
import { hashJson } from "../../lib/service/platform/hash-json.ts";
import { parseId } from "../../lib/service/platform/ids.ts";
import { contentDisposition } from "../../lib/service/results/content-disposition.ts";
import { checkLink, resultLink } from "../../lib/service/results/result-link.ts";
import { loggableOptions } from "../../lib/service/usage/loggable-options.ts";
import { parseListOptions, parseStatisticsOptions } from "../../lib/service/usage/usage-options.ts";
import { signatureHeaders } from "../../lib/service/webhooks/signature.ts";
import { parseWebhookMessage } from "../../lib/service/webhooks/webhook-queue.ts";
import { proxyEvent } from "../../lib/tools/local/api-gateway/proxy-event.ts";
import { examples, url } from "../contract/options/example-options.ts";
import { aContext, anAccount, anApiKey, anApiRequest, anEvent, FORM_TYPE, JSON_TYPE } from "../support/builders.ts";
import {
  anyJson,
  anyText,
  holds as holdsFully,
  isLongRun,
  MAX_ERROR_BODY_LENGTH,
  madeOf,
  nasty,
  parseErrorBody,
  wellFormed,
  wellFormedJson,
} from "../support/fuzzing.ts";
import { receivingApiHandler } from "../support/lambda-streams.ts";
import { IS_SLOW_RUN, sampled } from "../support/slow-run.ts";

const NOW = Date.UTC(2026, 0, 31);

/** Tries a property; the ordinary run tries a part of what the slow run and `npm run fuzz` try. */
const holds: typeof holdsFully = (property, share = 1) =>
  holdsFully(property, IS_SLOW_RUN || isLongRun ? share : share / 4);

/** What became of a call: its value, or what its ApiError shows. Anything else that is thrown fails the test. */
function outcomeOf(action: () => unknown, longest?: number): unknown {
  try {
    return { value: action() };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect([400, 415, 422]).toContain(error.status);
    return parseErrorBody(error, longest);
  }
}

/** Options under their names and under others, with values that are wanted, nearly so, or not at all. */
const optionName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...captureOptionNames) },
  { weight: 1, arbitrary: anyText() },
);
const exampleOf = (name: string) => (Object.hasOwn(examples, name) ? examples[name as CaptureOptionName].values : []);
const optionPair = optionName.chain((name) =>
  fc.tuple(fc.constant(name), fc.oneof(anyJson(), anyText(), fc.constantFrom(...nasty, ...exampleOf(name)))),
);
const anyOptions = fc.array(optionPair, { maxLength: 8 }).map((pairs): unknown => ({
  url,
  ...Object.fromEntries(pairs),
}));

describe("fuzzing: options", () => {
  const parsers: [string, (sent: unknown) => unknown][] = [
    ["of a capture", parseCaptureOptions],
    ["of a list of captures", parseListOptions],
    ["of statistics", parseStatisticsOptions],
    ["of a new key", (sent) => parseNewKey(sent, NOW)],
    ["of a changed key", (sent) => parseKeyChanges(sent, NOW)],
  ];

  sampled(test, 5).each(parsers)("%s are parsed or rejected, and never crash", async (_, parse) => {
    await holds(
      fc.property(fc.oneof(anyOptions, anyJson()), (sent) => void outcomeOf(() => parse(sent))),
      3,
    );
  });

  test("of a bulk request are parsed or rejected, with a bounded response", async () => {
    const bulk = fc.record({
      options: fc.oneof(anyOptions, anyJson()),
      requests: fc.array(fc.oneof(anyOptions, anyJson())),
    });
    await holds(
      fc.property(
        fc.oneof(bulk, anyJson()),
        (sent) => void outcomeOf(() => parseBulk(sent), 20 * MAX_ERROR_BODY_LENGTH),
      ),
    );
  });

  test("that are unknown are all named", async () => {
    const stranger = anyText().filter((name) => !captureOptionNames.some((known) => known === name));
    const property = fc.property(fc.uniqueArray(stranger, { maxLength: 50 }), (names) => {
      fc.pre(!names.includes("accept_language"));
      const sent = Object.fromEntries([["url", url], ...names.map((name) => [name, "1"])]);
      const { details = {} } = outcomeOf(() => parseCaptureOptions(sent)) as { details?: object };
      expect(new Set(Object.keys(details))).toEqual(new Set(names.map((name) => name.slice(0, 100).toWellFormed())));
    });
    await holds(property);
  });

  test("mean the same in a query, a form and as JSON", async () => {
    const chosen = fc
      .subarray(captureOptionNames, { maxLength: 4 })
      .chain((names) =>
        fc.tuple(...names.map((name) => fc.constantFrom(...exampleOf(name)).map((value) => [name, value] as const))),
      );
    const property = fc.property(chosen, (pairs) => {
      const sent = Object.fromEntries([
        ["url", url],
        ...pairs.flatMap(([name, value]) => [...Object.entries(examples[name].sentWith), [name, value]]),
      ]);
      const texts = Object.entries(sent).flatMap(([name, value]): [string, string][] =>
        Array.isArray(value) ? value.map((each) => [name, String(each)]) : [[name, String(value)]],
      );
      const form = String(new URLSearchParams(texts));
      const [asJson, inForm, inQuery] = [
        anApiRequest({ method: "POST", headers: JSON_TYPE, body: sent }),
        anApiRequest({ method: "POST", headers: FORM_TYPE, body: form }),
        anApiRequest({ query: [...new URLSearchParams(form)] }),
      ].map((request) => outcomeOf(() => parseCaptureOptions(rawOptions(request))));
      expect([inForm, inQuery]).toEqual([asJson, asJson]);
    });
    await holds(property);
  });

  test("are loggable without lone surrogates, within the size of a DynamoDB item", async () => {
    const names = fc.constantFrom("url", "html", "markdown", "scripts", "hide_selectors", "styles", "selector");
    const pairs = fc.array(fc.tuple(names, fc.oneof(anyText(), fc.array(anyText()))));
    const property = fc.property(pairs, (sent) => {
      const logged = JSON.stringify(loggableOptions(Object.fromEntries(sent)));
      expect(Object.keys(wellFormedJson(logged))).toEqual([...new Set(sent.map(([name]) => name))]);
      expect(logged.length).toBeLessThan(400_000);
    });
    await holds(property);
  });

  test("as pairs survive a round trip", async () => {
    const property = fc.property(fc.array(fc.tuple(wellFormed(), wellFormed())), (pairs) => {
      const query = [...new URLSearchParams(pairs)];
      fc.pre(query.every(([name]) => !name.endsWith("[]") && name !== "access_key"));
      const options = queryOptions(anApiRequest({ query }));
      const again = Object.entries(options).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
      expect(again.sort()).toEqual(pairs.sort());
    });
    await holds(property);
  });
});

describe("fuzzing: a request", () => {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    const keep = (entry: unknown) => void lines.push(JSON.stringify(entry));
    vi.spyOn(console, "log").mockImplementation(keep);
    vi.spyOn(console, "error").mockImplementation(keep);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const anyHeaders = fc.dictionary(
    fc.oneof(anyText(), fc.constantFrom("Content-Type", "content-type", "Authorization", "Idempotency-Key")),
    fc.oneof(
      anyText(),
      fc.constantFrom("application/json", 'APPLICATION/JSON ;x="', "application/x-www-form-urlencoded"),
    ),
  );
  const anyBody = fc.oneof(
    anyText(),
    anyOptions.map((options) => JSON.stringify(options)),
    fc.constant(null),
  );
  const anyQuery = fc.dictionary(anyText(), fc.array(anyText()));

  test("gets JSON in our format, no 5xx, and one log line", async () => {
    const handler = receivingApiHandler((request) => json(200, parseCaptureOptions(rawOptions(request)) && {}));
    const request = fc.record({
      httpMethod: fc.oneof(fc.constantFrom("GET", "POST", "DELETE", "TRACE"), anyText()),
      path: anyText(),
      headers: anyHeaders,
      multiValueQueryStringParameters: fc.option(anyQuery),
      body: anyBody,
      isBase64Encoded: fc.boolean(),
    });
    const property = fc.asyncProperty(request, async (parts) => {
      lines.length = 0;
      const { statusCode, body } = await handler(anEvent(parts), aContext());
      expect([200, 400, 415, 422]).toContain(statusCode);
      const reported = JSON.parse(body);
      if (statusCode !== 200) expect(reported).toMatchObject({ error: expect.any(String), code: expect.any(String) });
      expect(
        lines.map((line) => [typeof JSON.parse(line), /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u.test(line)]),
      ).toEqual([["object", false]]);
      expect(Object.keys(Object.prototype)).toEqual([]);
    });
    await holds(property, 3);
  });

  test("becomes an API Gateway event with everything that was sent", async () => {
    const text = anyText();
    const request = fc.record({
      httpMethod: text,
      url: fc.tuple(text, text).map((parts) => parts.join("?")),
      rawHeaders: fc.array(text),
      body: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      sourceIp: text,
      localPort: fc.nat(),
    });
    const method = {
      path: "/{p+}",
      resourceId: "r",
      httpMethod: "ANY",
      functionArn: "a",
      isStreamed: false,
      timeoutMs: 1,
    };
    const property = fc.property(request, (received) => {
      const match = { method, pathParameters: { p: received.url } };
      const event = proxyEvent({
        request: received,
        match,
        api: { id: "a", stage: "s" },
        requestId: "r",
        now: new Date(NOW),
      });
      const at = received.url.indexOf("?");
      const values = Object.entries(event.multiValueQueryStringParameters ?? {}).flatMap(([name, all]) =>
        all?.map((value) => [name, value]),
      );
      expect(JSON.parse(JSON.stringify(event))).toBeDefined();
      expect(values.sort()).toEqual([...new URLSearchParams(received.url.slice(at + 1))].sort());
    });
    await holds(property);
  });

  test("can have any If-None-Match", async () => {
    const answer = { status: 200, headers: { ETag: '"a"' } };
    const property = fc.property(madeOf(['"a"', '"', "W/", ",", "*", "a"]), (sent) => {
      expect([200, 304]).toContain(notModifiedIfMatches(answer, sent).status);
    });
    await holds(property);
  });

  test("has an Idempotency-Key of visible ASCII or is rejected", async () => {
    const property = fc.property(fc.oneof(anyText(), fc.string()), (sent) => {
      const { value } = outcomeOf(() => idempotencyKey({ method: "POST", headers: { "idempotency-key": sent } })) as {
        value?: string;
      };
      expect(value).toBe(/^[!-~]{1,255}$/.test(sent) ? sent : undefined);
    });
    await holds(property);
  });
});

describe("fuzzing: a signed link", () => {
  const secret = anApiKey().signing_secret;
  const name = wellFormed().filter((each) => !["key_id", "expires", "signature", "access_key"].includes(each));
  const parameters = fc.array(fc.tuple(name, wellFormed()), { maxLength: 6 });

  function signed(pairs: Query): Query {
    const query: Query = [...pairs, ["key_id", "7"], ["expires", String(NOW / 1000 + 60)]];
    return [...query, ["signature", signQuery(query, secret)]];
  }

  async function isValid(query: Query): Promise<boolean> {
    const find = async (id: number) => (id === 7 ? toLinkCaller(anAccount(), anApiKey()) : undefined);
    try {
      await authenticateLink(query, { find, now: NOW });
      return true;
    } catch (error) {
      if (error instanceof UnauthorizedError) return false;
      throw error;
    }
  }

  test("is valid in any order of names and in any encoding", async () => {
    const property = fc.asyncProperty(
      parameters,
      fc.infiniteStream(fc.double({ noNaN: true, min: 0, max: 1 })),
      async (pairs, random) => {
        const next = () => random.next().value as number;
        const groups = [...Map.groupBy(signed(pairs), ([each]) => each).values()];
        const shuffled = groups
          .map((group) => ({ group, at: next() }))
          .sort((a, b) => a.at - b.at)
          .flatMap(({ group }) => group);
        const sent = shuffled.map((pair) => pair.map((part) => recoded(part, next)).join("=")).join("&");
        const received = [...new URLSearchParams(sent)];
        expect(signedText(received)).toBe(signedText(signed(pairs)));
        expect(await isValid(received)).toBe(true);
      },
    );
    await holds(property);
  });

  /** Each byte as it is or percent-encoded, in capitals or not. */
  function recoded(text: string, next: () => number): string {
    return [...Buffer.from(text)]
      .map((byte) => {
        const hex = `%${byte.toString(16).padStart(2, "0")}`;
        if (/[\w.-]/.test(String.fromCharCode(byte)) && next() < 0.5) return String.fromCharCode(byte);
        return next() < 0.5 ? hex : hex.toUpperCase();
      })
      .join("");
  }

  test("is invalid with one character changed, added or missing", async () => {
    const place = fc.record({
      pair: fc.nat(),
      part: fc.nat(1),
      at: fc.nat(),
      removed: fc.nat(1),
      added: fc.oneof(fc.constant(""), wellFormed()),
    });
    const property = fc.asyncProperty(parameters, place, async (pairs, { pair, part, at, removed, added }) => {
      const query = signed(pairs).map(([...each]) => each as [string, string]);
      const changed = query[pair % query.length] as [string, string];
      const characters = [...changed[part as 0 | 1]];
      const before = characters.join("");
      characters.splice(at % (characters.length + 1), removed, added);
      changed[part as 0 | 1] = characters.join("");
      fc.pre(
        changed[part as 0 | 1] !== before &&
          signedText(query) + query.length !== signedText(signed(pairs)) + query.length,
      );
      expect(await isValid(query)).toBe(false);
    });
    await holds(property, 3);
  });

  test("is invalid with a parameter added, repeated, missing or moved within its list", async () => {
    const property = fc.asyncProperty(parameters, fc.tuple(name, wellFormed()), fc.nat(), async (pairs, more, at) => {
      const query = signed(pairs);
      const index = at % query.length;
      const one = query[index] as Query[number];
      expect(await isValid([...query, more])).toBe(false);
      expect(await isValid([...query, one])).toBe(false);
      expect(await isValid(query.toSpliced(index, 1))).toBe(false);
      const values = pairs.map(([, value]) => ["list", value] as const);
      fc.pre(values.length > 1 && values[0]?.[1] !== values.at(-1)?.[1]);
      const list = signed(values);
      expect(
        await isValid([
          ...list.slice(values.length - 1, values.length),
          ...list.slice(1, values.length - 1),
          ...list.slice(0, 1),
          ...list.slice(values.length),
        ]),
      ).toBe(false);
    });
    await holds(property);
  });

  test("is never valid by a random query", async () => {
    const key = fc.constantFrom("key_id", "expires", "signature", "url", "access_key");
    const property = fc.asyncProperty(
      fc.array(fc.tuple(fc.oneof(key, anyText()), fc.oneof(fc.constant("7"), anyText()))),
      async (query) => {
        expect(await isValid(query)).toBe(false);
      },
    );
    await holds(property);
  });
});

describe("fuzzing: keys, result links and webhooks", () => {
  const key = fc
    .uint8Array({ minLength: KEY_ENTROPY_BYTES, maxLength: KEY_ENTROPY_BYTES, max: 247 })
    .map((random) => createApiKey(random));

  test("a key with one character changed, added or missing is invalid", async () => {
    const property = fc.property(
      key,
      fc.nat(49),
      fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.constant("")),
      (text, at, other) => {
        expect(isWellFormed(text)).toBe(true);
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        if (changed !== text) expect(isWellFormed(changed)).toBe(false);
        expect(isWellFormed(text.slice(0, at) + other + text.slice(at))).toBe(other === "");
      },
    );
    await holds(property, 3);
  });

  test("any other text is not a key", async () => {
    await holds(
      fc.property(
        anyText(),
        (text) => void expect([isWellFormed(text), isWellFormed(`cap_${text}`)]).toEqual([false, false]),
      ),
    );
  });

  test("a key is redacted anywhere in a text", async () => {
    const property = fc.property(anyText(), key, anyText(), (before, text, after) => {
      expect(redactKeys(before + text + after)).not.toContain(text);
    });
    await holds(property);
  });

  test("a result link leads to its result only", async () => {
    const property = fc.property(
      fc.webPath(),
      fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }),
      anyText(),
      anyText(),
      (path, seconds, one, other) => {
        const own = `1-day${path}`;
        const address = resultLink({ baseUrl: "https://a.example", key: own, expiresAt: seconds * 1000, secret: "s" });
        const [, k = "", e = "", s = ""] = /^https:\/\/a\.example\/storage\/(.*)\?e=(\d+)&s=(.*)$/s.exec(address) ?? [];
        const check = (parts: object) => checkLink({ key: k, e, s, ...parts }, { secrets: ["s"], now: 0 });
        expect(check({})).toBe("valid");
        if (one !== k) expect(check({ key: one })).toBe("forged");
        if (one !== e) expect(check({ e: one })).toBe("forged");
        if (one !== s) expect(check({ s: one })).toBe("forged");
        expect(checkLink({ key: one, e: one, s: other }, { secrets: ["s"], now: 0 })).toBe("forged");
      },
    );
    await holds(property);
  });

  test("a webhook verifies with Standard Webhooks as sent, and not with another body or id", async () => {
    const secret = `whsec_${Buffer.from("a secret of 24 characters").toString("base64")}`;
    const property = fc.property(
      wellFormed(),
      fc.stringMatching(/^[\w-]{1,30}$/),
      fc.stringMatching(/^[\w-]{1,30}$/),
      (text, id, other) => {
        const timestamp = Math.floor(Date.now() / 1000);
        const body = JSON.stringify({ text });
        const headers = {
          ...signatureHeaders({ id, timestamp, body }, [secret]),
          "webhook-id": id,
          "webhook-timestamp": String(timestamp),
        };
        const verify = (sent: string, changed: object = {}) =>
          new Webhook(secret).verify(sent, { ...headers, ...changed });
        expect(verify(body)).toEqual({ text });
        expect(() => verify(`${body} `)).toThrow();
        if (other !== id) expect(() => verify(body, { "webhook-id": other })).toThrow();
        expect(() => verify(body, { "webhook-timestamp": String(timestamp + 1) })).toThrow();
      },
    );
    await holds(property);
  });

  test("an id is parsed as written, and no other text is an id", async () => {
    await holds(fc.property(fc.maxSafeNat(), (id) => void expect(parseId(String(id))).toBe(id)));
    const property = fc.property(fc.oneof(anyText(), fc.double().map(String)), (text) => {
      const id = parseId(text);
      expect(Number.isNaN(id) || (Number.isSafeInteger(id) && id >= 0 && String(id) === text)).toBe(true);
    });
    await holds(property);
  });
});

describe("fuzzing: a small grammar", () => {
  test("page ranges survive a round trip", async () => {
    const range = fc
      .tuple(fc.integer({ min: 1, max: 99_999 }), fc.option(fc.nat(99_999), { nil: undefined }))
      .map(
        ([first, more]): PageRange =>
          more === undefined ? { first } : { first, last: Math.min(99_999, first + more) },
      );
    const property = fc.property(fc.array(range, { minLength: 1 }), (ranges) => {
      const text = ranges.map(({ first, last }) =>
        last === undefined ? `${first}-` : first === last ? `${first}` : `${first}-${last}`,
      );
      expect(parsePageRanges(text.join(","))).toEqual(ranges);
    });
    await holds(property);
    await holds(
      fc.property(madeOf(["1", "-", ",", " ", "0", "99999", "5-3"]), (text) => {
        for (const { first, last = 99_999 } of parsePageRanges(text) ?? [])
          expect([first >= 1, first <= last]).toEqual([true, true]);
      }),
    );
  });

  test("a length is a non-negative number or rejected", async () => {
    const words = ["1", ".5", "cm", "in", "mm", "px", " ", "-", "e3", "constructor", "valueOf", "__proto__", "1e999"];
    const property = fc.property(fc.oneof(madeOf(words, 5), fc.double()), (sent) => {
      const lengths = [parseLength(sent), ...Object.values(parseMargins(sent) ?? {})].filter(
        (each) => each !== undefined,
      );
      expect(lengths.filter((length) => !(Number.isFinite(length) && length >= 0))).toEqual([]);
    });
    await holds(property, 3);
  });

  test("a day of the usage reports exists in the calendar", async () => {
    const property = fc.property(
      fc.oneof(
        fc
          .date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true })
          .map((day) => day.toISOString().slice(0, 10)),
        madeOf(["2026", "-", "02", "30", "00"], 6),
      ),
      (from) => {
        const { value } = outcomeOf(() => parseListOptions({ from })) as { value?: { from: string } };
        const isDay =
          /^\d{4}-\d\d-\d\d$/.test(from) &&
          new Date(`${from}T00:00:00Z`).toString() !== "Invalid Date" &&
          new Date(`${from}T00:00:00Z`).toISOString().startsWith(from);
        expect(value?.from).toBe(isDay ? from : undefined);
      },
    );
    await holds(property);
  });

  test("a locale and a time zone are normalised to their usual spelling", async () => {
    const words = [
      "de",
      "-",
      "_",
      "AT",
      "u",
      "x",
      "en",
      "Latn",
      "co",
      "phonebk",
      "Europe/",
      "Berlin",
      "UTC",
      "+05:30",
      "GMT",
    ];
    const property = fc.property(madeOf(words, 6), (text) => {
      const [locale, zone] = [canonicalLocale(text), canonicalTimeZone(text)];
      if (locale !== undefined) expect(canonicalLocale(locale)).toBe(locale);
      if (zone !== undefined && !zone.startsWith("GMT")) expect(canonicalTimeZone(zone)).toBe(zone);
      expect(`${locale}${zone}`).toMatch(/^[\w/+:-]*$/);
    });
    await holds(property, 3);
  });

  test("a cookie survives a round trip", async () => {
    const token = fc.stringMatching(/^[\w!#$%&'*+.^`|~-]{1,20}$/);
    const value = fc.stringMatching(/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{0,30}$/);
    const cookie = fc.record({
      name: token,
      value,
      path: fc.webPath({ size: "small" }).map((path) => path || "/"),
      secure: fc.constant(true),
      expires: fc.integer({ min: 0, max: 4e9 }),
    });
    await holds(
      fc.property(cookie, (sent) => {
        fc.pre(!sent.path.includes(";"));
        const date = new Date(sent.expires * 1000).toUTCString();
        expect(parseSetCookie(`${sent.name}=${sent.value}; Path=${sent.path}; Secure; Expires=${date}`, NOW)).toEqual(
          sent,
        );
      }),
    );
    const words = [
      "a=1",
      ";",
      "=",
      "Path=/",
      "Domain=.a",
      "Max-Age=",
      "-1",
      "1e9",
      "99999999999999999999",
      "Expires=",
      "Thu, 01 Jan 1970 00:00:00 GMT",
      "SameSite=",
      "constructor",
      "Secure",
      "\t",
    ];
    await holds(
      fc.property(madeOf(words), (text) => {
        const read = parseSetCookie(text, NOW);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
        expect(/[\x00-\x08\x0a-\x1f\x7f]/.test(JSON.stringify(Object.entries(read ?? {})))).toBe(false);
        expect(read?.expires === undefined || Number.isFinite(read.expires)).toBe(true);
      }),
      3,
    );
  });

  test("a URL is accepted only when complete, and a proxy's only when it can be dialled", async () => {
    const words = [
      "http",
      "https",
      ":",
      "//",
      "/",
      "\\",
      "@",
      "%",
      "%zz",
      "user",
      "h.example",
      "[::1]",
      "127.1",
      "99999",
      "#",
      "?",
      " ",
      "é",
      "javascript:",
    ];
    const property = fc.property(madeOf(words, 8), (text) => {
      const address = outcomeOf(() => parseCaptureOptions({ url: text })) as { value?: { url: string } };
      if (address.value) expect([new URL(text).href.length > 0, text.trim()]).toEqual([true, text]);
      const proxied = outcomeOf(() => parseCaptureOptions({ url, proxy: text })) as { value?: { proxy: string } };
      if (proxied.value)
        expect(upstreamProxy(proxied.value.proxy)).toMatchObject({
          host: expect.stringMatching(/./),
          port: expect.any(Number),
        });
    });
    await holds(property, 3);
  });

  test("a URL pattern means what a regular expression would, in linear time", async () => {
    const words = fc.constantFrom("*", "a", "b", ".", "/", "A", "?", "(", "a.js");
    const text = (most: number) => fc.array(words, { maxLength: most }).map((parts) => parts.join(""));
    const property = fc.property(text(6), text(8), (pattern, address) => {
      const parts = pattern.split("*").map((part) => part.replace(/[.?(]/g, "\\$&"));
      const whole = parts.length > 1 ? `^${parts.join(".*")}$` : (parts[0] ?? "");
      expect(matchesText(pattern, address)).toBe(new RegExp(whole, "is").test(address));
      const part = /[a-z0-9]$/i.test(pattern) && parts.length > 1 ? `${parts.join(".*")}($|[:/?#&])` : parts.join(".*");
      expect(matchesUrlPattern(pattern, address)).toBe(new RegExp(part, "is").test(address));
    });
    await holds(property, 5);
  });

  test("a PDF template references nothing external, however it is hidden", async () => {
    const words = [
      "<p>",
      "<img ",
      "alt='>' ",
      "/",
      "src=",
      "'",
      '"',
      "data:x",
      "#a",
      "url(",
      ")",
      " ",
      "<style>",
      "&#117;",
      "\\75 ",
    ];
    const address = fc.constantFrom(
      "url(http://x.example)",
      "<img src=//x.example>",
      '<img alt=">" src="http://x.example">',
      "<image xlink:href='http://x.example'/>",
      "<feImage/href=http://x.example>",
      "u\\72l(x.png)",
      "<link rel=stylesheet>",
      "<script>",
    );
    await holds(
      fc.property(
        fc.array(
          fc.constantFrom(
            "<p>A</p>",
            "<b>",
            "&amp;",
            "\n",
            "<img src='data:image/png;base64,AA'>",
            "url(#a)",
            'src=""',
          ),
        ),
        address,
        (parts, hidden) => {
          expect(templateProblem(parts.join(" "))).toBeUndefined();
          expect(templateProblem([...parts, hidden, ...parts].join(" "))).toBeDefined();
        },
      ),
    );
    await holds(
      fc.property(
        madeOf(words),
        (text) => void expect(["string", "undefined"]).toContain(typeof templateProblem(text)),
      ),
    );
  });

  test("wait conditions are parsed as listed, each of them", async () => {
    const words = fc.constantFrom("load", "LOAD", "auto", "networkidle", "nothing", "[", "]", '"', ",", "");
    const property = fc.property(
      fc.oneof(
        fc.array(words),
        fc.array(words).map((parts) => parts.join("")),
        anyJson(),
      ),
      (wait_until) => {
        const { value } = outcomeOf(() => parseCaptureOptions({ url, wait_until })) as {
          value?: { wait_until: string[] };
        };
        for (const condition of value?.wait_until ?? [])
          expect(condition).toMatch(/^(auto|load|domcontentloaded|networkidle[02]?)$/);
      },
    );
    await holds(property);
  });

  test("a file name fits into a header", async () => {
    await holds(fc.property(anyText(), (name) => void expect(contentDisposition(name)).toMatch(/^[\x20-\x7e]*$/)));
  });
});

describe("fuzzing: documents", () => {
  const markdown = [
    "# ",
    "> ",
    "- ",
    "1. ",
    "* ",
    "**",
    "_",
    "`",
    "```js\n",
    "\n",
    "\n\n",
    "    ",
    "[",
    "](",
    ")",
    "[^1]",
    "[^1]: ",
    "|a|b|\n|-|-|\n",
    "<div>",
    "</div>",
    "<b",
    "<!--",
    "&#0;",
    "\\",
    "~~",
    "- [x] ",
    "www.a.b",
    "a@b.c",
    "[!NOTE]",
    "<svg>",
    "<table>",
  ];
  const html = [
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<i>",
    "<a href='x'>",
    "</a>",
    "<table>",
    "<tr>",
    "<td colspan=1e999>",
    "<td rowspan=99999 colspan=-1>",
    "<th>",
    "</table>",
    "<ul>",
    "<li>",
    "<pre>",
    "<code>",
    "<img src=x alt='|'>",
    "<svg>",
    "<math>",
    "<template>",
    "<frameset>",
    "<select>",
    "<!--",
    "-->",
    "<![CDATA[",
    "&#xD800;",
    "|",
    "\n",
    "text",
  ];

  test("of Markdown are rendered or rejected", async () => {
    const property = fc.asyncProperty(madeOf(markdown), async (text) => {
      const outcome = await renderMarkdown(text, { timeoutMs: 20_000 }).catch((error) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(MarkdownTooComplexError);
      else expect(outcome.html).not.toMatch(/<(script|iframe|object|svg|form)\b/i);
    });
    await holds(property);
  });

  test("of HTML are converted to Markdown or rejected, tables with any spans too", async () => {
    const property = fc.asyncProperty(madeOf(html), async (text) => {
      const outcome = await htmlToMarkdown(text, { baseUrl: "https://a.example/", timeoutMs: 20_000 }).catch(
        (error) => error,
      );
      if (typeof outcome !== "string") expect(outcome).toBeInstanceOf(HtmlTooComplexError);
      else expect([outcome.isWellFormed(), outcome.length < 100 * (text.length + 1_000)]).toEqual([true, true]);
    });
    await holds(property);
  });

  test("can write anything to the console, and it becomes text", async () => {
    const value = fc.record(
      {
        type: fc.constantFrom("string", "object", "number", "function", "symbol", "undefined", "bigint"),
        subtype: fc.constantFrom("error", "array", "null", "map"),
        value: fc.oneof(anyText(), fc.double(), fc.constantFrom(null, true)),
        description: anyText(),
        unserializableValue: fc.constantFrom("-0", "NaN", "Infinity", "1n"),
      },
      { requiredKeys: ["type"] },
    ) as fc.Arbitrary<Protocol.Runtime.RemoteObject>;
    const format = madeOf(["%s", "%d", "%i", "%o", "%c", "%%", "%"]).map(
      (text): Protocol.Runtime.RemoteObject => ({ type: "string", value: text }),
    );
    await holds(
      fc.property(
        fc.array(fc.oneof(value, format)),
        (values) => void expect(typeof consoleText(values)).toBe("string"),
      ),
      3,
    );
  });
});

describe("fuzzing: a queue message", () => {
  const almost = fc.record({
    account_id: fc.oneof(fc.nat(), anyJson()),
    job_id: fc.nat(),
    kind: fc.constant("deliver"),
    options: fc.oneof(fc.record({ inline: anyJson() }), anyJson()),
  });
  const anyMessage = fc.oneof(
    anyText(),
    fc.oneof(almost, anyJson()).map((value) => JSON.stringify(value)),
  );

  test("is a job message or rejected", async () => {
    const property = fc.property(anyMessage, (body) => {
      const message = parseJobMessage(body);
      if (message) expect([Number.isSafeInteger(message.account_id), typeof message.options]).toEqual([true, "object"]);
    });
    await holds(property, 3);
  });

  test("that is invalid fails alone, and is redelivered until it is a dead letter", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const handler = queueHandler("http://127.0.0.1:1/q", async ({ body }) => void parseWebhookMessage(body));
    const property = fc.asyncProperty(anyText(), async (body) => {
      const record = (messageId: string, text: string) => ({
        messageId,
        body: text,
        receiptHandle: "r",
        attributes: { ApproximateReceiveCount: "1" },
      });
      const Records = [record("bad", `x${body}`), record("good", '{"kind":"deliver","account_id":1,"job_id":2}')];
      expect(await handler({ Records } as never, aContext())).toEqual({
        batchItemFailures: [{ itemIdentifier: "bad" }],
      });
    });
    await holds(property);
    vi.restoreAllMocks();
  });
});

test("fuzzing: equal values have the same hash, and different ones another", async () => {
  const property = fc.property(anyJson(), anyJson(), (one, other) => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, each]) => [name, reversed(each)]),
      );
    };
    expect(hashJson(reversed(one))).toBe(hashJson(one));
    if (!isSame(one, other)) expect(hashJson(other)).not.toBe(hashJson(one));
  });
  await holds(property);
});

function isSame(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}
