// Limits and the cache of captures without an API key: on real tables, with browsers that fail or wait.
import { text } from "node:stream/consumers";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { KEYLESS_CACHE_S, KEYLESS_CAPTURES_PER_HOUR } from "../../../lib/contract/keyless-capture.ts";
import type { LazyBrowser, StartBrowser } from "../../../lib/engine/browser-launcher.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { keylessCapturesKey } from "../../../lib/service/aws/table-keys.ts";
import { parseKeyless } from "../../../lib/service/keyless/keyless-options.ts";
import { storePicture } from "../../../lib/service/keyless/picture-store.ts";
import { serveKeyless } from "../../../lib/service/keyless/serve-keyless.ts";
import { anApiRequest } from "../../support/builders.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Days that no other test counts for. */
let day = Date.UTC(2026, 0, 1);
const nextDay = () => {
  day += DAY_MS;
  return day;
};

interface Visit {
  readonly ip?: string;
  readonly url?: string;
  readonly at: number;
}

/** A service for visitors whose browsers fail once `failed` resolves, so that no page is needed. */
function aService({ perDay = 1_000, atOnce = 1_000, failed = Promise.resolve() } = {}) {
  let started = 0;
  const env = {
    USAGE_TABLE: running.tables.usage,
    ACTIVITY_TABLE: running.tables.activity,
    KEYLESS_CAPTURES_PER_DAY: perDay,
    MAX_CONCURRENT_KEYLESS_CAPTURES: atOnce,
  };
  const startBrowser: StartBrowser = () => {
    started++;
    const first = failed.then(() => Promise.reject(new ApiError("TARGET_UNREACHABLE", "<b>No</b> answer.")));
    first.catch(() => undefined);
    return { first, egressRefusals: () => 0, kill() {}, async [Symbol.asyncDispose]() {} } as unknown as LazyBrowser;
  };
  const answer = (rawOptions: object, request = anApiRequest({ method: "POST", path: "/try" })) =>
    serveKeyless({ request, options: parseKeyless(rawOptions), rawOptions: { ...rawOptions }, env }, startBrowser);
  /** Resolves to the events of the response, or to the error that refused the request. */
  const visit = async ({ ip = "203.0.113.1", url = "https://example.com/", at }: Visit) => {
    const request = anApiRequest({
      method: "POST",
      path: "/try",
      sourceIp: ip,
      receivedAt: at,
      startedAt: performance.now(),
    });
    try {
      const { body } = await answer({ url }, request);
      const events = await text(body as NodeJS.ReadableStream as never);
      await request.responded();
      return events
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    } catch (error) {
      return error as ApiError;
    }
  };
  return { visit, answer, started: () => started };
}

const isRefused = (code: string) => (answer: unknown) => answer instanceof ApiError && answer.code === code;

test("keyless: a network has 10 captures in an hour, whichever of its addresses asks, and others have theirs", async () => {
  const { visit, started } = aService();
  const at = nextDay();
  const ofNetwork = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      visit({ ip: `203.0.113.${index}`, url: `https://example.com/${index}`, at }),
    ),
  );
  expect(ofNetwork.filter(isRefused("RATE_LIMITED"))).toHaveLength(30 - KEYLESS_CAPTURES_PER_HOUR);
  expect(started()).toBe(KEYLESS_CAPTURES_PER_HOUR);
  const refused = await visit({ at: at + HOUR_MS / 2 });
  expect(refused).toMatchObject({ code: "RATE_LIMITED", headers: { "Retry-After": "1800" } });
  expect(isRefused("RATE_LIMITED")(await visit({ ip: "203.0.114.1", at }))).toBe(false);
  expect(isRefused("RATE_LIMITED")(await visit({ at: at + HOUR_MS }))).toBe(false);
});

test("keyless: all addresses of a /48 are one network", async () => {
  const { visit } = aService();
  const at = nextDay();
  const answers = [];
  for (let index = 0; index <= KEYLESS_CAPTURES_PER_HOUR; index++) {
    answers.push(await visit({ ip: `2001:db8:1:${index.toString(16)}::${index + 1}`, at }));
  }
  expect(answers.map(isRefused("RATE_LIMITED")).indexOf(true)).toBe(KEYLESS_CAPTURES_PER_HOUR);
  expect(isRefused("RATE_LIMITED")(await visit({ ip: "2001:db8:2::1", at }))).toBe(false);
});

test("keyless: requests of many networks at once never exceed the captures of the day, and are counted for no network then", async () => {
  const { visit, started } = aService({ perDay: 7 });
  const at = nextDay();
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => visit({ ip: `10.0.${index}.1`, at })));
  expect(started()).toBe(7);
  const refused = answers.filter((answer) => answer instanceof ApiError);
  expect(refused).toHaveLength(53);
  expect(refused[0]).toMatchObject({ code: "CAPACITY", blame: "caller", headers: { "Retry-After": "86400" } });
  for (let count = 0; count <= KEYLESS_CAPTURES_PER_HOUR; count++) {
    expect(await visit({ ip: "10.1.0.1", at })).toMatchObject({ code: "CAPACITY" });
  }
  expect(started()).toBe(7);
  expect(isRefused("CAPACITY")(await visit({ at: at + DAY_MS }))).toBe(false);
  nextDay();
});

test("keyless: as many run at the same time as may, and one that ends makes room", async () => {
  const failed = Promise.withResolvers<void>();
  const { visit, started } = aService({ atOnce: 2, failed: failed.promise });
  const at = nextDay();
  const first = [visit({ ip: "10.2.0.1", at }), visit({ ip: "10.2.1.1", at })];
  await expect.poll(started).toBe(2);
  expect(await visit({ ip: "10.2.2.1", at })).toMatchObject({ code: "CAPACITY", headers: { "Retry-After": "3" } });
  failed.resolve();
  await Promise.all(first);
  expect(await visit({ ip: "10.2.2.1", at })).not.toBeInstanceOf(ApiError);
  const { Item = {} } = await dynamodb().send(
    new GetCommand({ TableName: running.tables.usage, Key: keylessCapturesKey }),
  );
  const counts = Object.entries(Item).filter(([name]) => name.startsWith("b_"));
  expect(counts.filter(([, count]) => count !== 0)).toEqual([]);
});

test("keyless: a picture answers for an hour without a browser, and then no more", async () => {
  const { visit, started } = aService({ perDay: 1 });
  const at = nextDay();
  const url = "https://example.com/cached";
  await storePicture(running.tables.activity, url, { picture: Buffer.from("picture"), capturedAt: at });
  const [event] = (await visit({ url: "HTTPS://EXAMPLE.com:443/cached", at: at + 1 })) as never[];
  expect(event).toMatchObject({ picture: { data: Buffer.from("picture").toString("base64"), from_cache: true } });
  await visit({ url, at: at + KEYLESS_CACHE_S * 1000 - 1 });
  expect(started()).toBe(0);
  await visit({ url, at: at + KEYLESS_CACHE_S * 1000 });
  expect(started()).toBe(1);
});

test("keyless: cached pictures are counted for the network as well", async () => {
  const { visit } = aService();
  const at = nextDay();
  const url = "https://example.com/in-bulk";
  await storePicture(running.tables.activity, url, { picture: Buffer.from("picture"), capturedAt: at });
  const answers = await Promise.all(Array.from({ length: 12 }, () => visit({ url, at })));
  expect(answers.filter(isRefused("RATE_LIMITED"))).toHaveLength(2);
});

test("keyless: the stream ends with the error of a capture, as JSON", async () => {
  const events = await aService().visit({ at: nextDay() });
  expect(events).toEqual([
    { phase: "browser", at_ms: expect.any(Number) },
    { error: { code: "TARGET_UNREACHABLE", message: "<b>No</b> answer." } },
  ]);
});

test("keyless: a request without an address captures nothing, and isn't counted", async () => {
  const { answer, started } = aService();
  for (let count = 0; count <= KEYLESS_CAPTURES_PER_HOUR; count++) expect((await answer({})).status).toBe(204);
  expect(started()).toBe(0);
});

test.each([
  ["another option", { url: "https://example.com", full_page: true }],
  ["a user name", { url: "https://user@example.com" }],
  ["a password", { url: "https://:secret@example.com" }],
  ["an address without a scheme", { url: "example.com" }],
  ["a long address", { url: `https://example.com/${"x".repeat(2_000)}` }],
])("keyless: refuses %s", (_, options) => {
  expect(() => parseKeyless(options)).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }));
});
