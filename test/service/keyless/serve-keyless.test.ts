// Captures without an API key on real tables: their limits and cache with browsers that fail or wait, and a picture with a real one.
import { text } from "node:stream/consumers";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import {
  KEYLESS_CACHE_S,
  KEYLESS_CAPTURES_PER_HOUR,
  type KeylessEvent,
} from "../../../lib/contract/keyless-capture.ts";
import type { LazyBrowser, StartBrowser } from "../../../lib/engine/browser-launcher.ts";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { keylessCapturesKey } from "../../../lib/service/aws/table-keys.ts";
import { parseKeyless } from "../../../lib/service/keyless/keyless-options.ts";
import { storePicture } from "../../../lib/service/keyless/picture-store.ts";
import { serveKeyless } from "../../../lib/service/keyless/serve-keyless.ts";
import { type Site, startSite } from "../../fixtures/site.ts";
import { whileCallsFail } from "../../support/aws-calls.ts";
import { anApiRequest } from "../../support/builders.ts";
import { filterLists, realBrowser } from "../../support/chromium.ts";
import { collectLoggedErrors } from "../../support/logged-errors.ts";
import { slowTest } from "../../support/slow-run.ts";
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

/** A service for visitors whose browsers fail once `failed` resolves, so that no page is needed, or are those of `startBrowser`. */
function aService({
  perDay = 1_000,
  atOnce = 1_000,
  failed = Promise.resolve(),
  startBrowser: sent,
}: {
  perDay?: number;
  atOnce?: number;
  failed?: Promise<void>;
  startBrowser?: StartBrowser;
} = {}) {
  let started = 0;
  let launchedAhead = 0;
  const env = {
    USAGE_TABLE: running.tables.usage,
    ACTIVITY_TABLE: running.tables.activity,
    KEYLESS_CAPTURES_PER_DAY: perDay,
    MAX_CONCURRENT_KEYLESS_CAPTURES: atOnce,
  };
  const failing = () => {
    started++;
    const first = failed.then(() => Promise.reject(new ApiError("TARGET_UNREACHABLE", "<b>No</b> answer.")));
    first.catch(() => undefined);
    return { first, egressRefusals: () => 0, kill() {}, async [Symbol.asyncDispose]() {} } as unknown as LazyBrowser;
  };
  const prepare = async () => {
    launchedAhead++;
  };
  const startBrowser = sent ?? Object.assign(failing, { prepare });
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
  /** A request without an address, as the page sends it before the visitor has typed one. */
  const wake = async ({ ip = "203.0.113.1", at }: Pick<Visit, "ip" | "at">) => {
    const { status, body } = await answer(
      {},
      anApiRequest({ method: "POST", path: "/try", sourceIp: ip, receivedAt: at }),
    );
    expect([status, body]).toEqual([204, undefined]);
  };
  return { visit, wake, started: () => started, launchedAhead: () => launchedAhead };
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

test.each([
  ["of the day", { perDay: 1 }, ["keyless capture not released", "keyless capture still counted"]],
  ["at the same time", { atOnce: 0 }, ["keyless capture still counted", "refused operation not released"]],
])(
  "keyless: a capture beyond those %s gets that error although its counts can't be taken back, which is logged",
  async (_, limits, events) => {
    const loggedErrors = collectLoggedErrors();
    const { visit } = aService(limits);
    const at = nextDay();
    if ("perDay" in limits) await visit({ ip: "10.5.0.1", at });
    const refused = await whileCallsFail(/:-1\b/, () => visit({ ip: "10.5.1.1", at }));
    expect(refused).toMatchObject({ code: "CAPACITY", status: 503 });
    expect(loggedErrors()).toEqual(events);
  },
);

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

test("keyless: a network has its browser started ahead of a capture 10 times an hour, and gets the same answer without it afterwards", async () => {
  const { wake, started, launchedAhead } = aService();
  const at = nextDay();
  await Promise.all(Array.from({ length: 40 }, (_, index) => wake({ ip: `203.0.113.${index}`, at })));
  expect(launchedAhead()).toBe(10);
  await wake({ ip: "203.0.114.1", at });
  await wake({ at: at + HOUR_MS });
  expect([launchedAhead(), started()]).toEqual([12, 0]);
});

test("keyless: no browser is started ahead for a network that has no captures left, and none is taken from its captures", async () => {
  const { visit, wake, launchedAhead } = aService();
  const at = nextDay();
  for (let count = 1; count < KEYLESS_CAPTURES_PER_HOUR; count++) await visit({ at });
  await wake({ at });
  expect(launchedAhead()).toBe(1);
  expect(isRefused("RATE_LIMITED")(await visit({ at }))).toBe(false);
  await wake({ at });
  expect(launchedAhead()).toBe(1);
  expect(isRefused("RATE_LIMITED")(await visit({ at }))).toBe(true);
});

test("keyless: many networks together have as many browsers started ahead as captures in a day, and none when those are used up", async () => {
  const { visit, wake, launchedAhead } = aService({ perDay: 3 });
  let at = nextDay();
  await Promise.all(Array.from({ length: 20 }, (_, index) => wake({ ip: `10.3.${index}.1`, at })));
  expect(launchedAhead()).toBe(3);
  at = nextDay();
  for (const network of [1, 2, 3]) await visit({ ip: `10.4.${network}.1`, at });
  await wake({ ip: "10.4.4.1", at });
  expect(launchedAhead()).toBe(3);
  await wake({ ip: "10.4.4.1", at: nextDay() });
  expect(launchedAhead()).toBe(4);
});

describe("keyless: with a real browser", () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  /** The events of a capture of a page of the site, by a browser that may reach it. */
  async function capture(path: string, at: number): Promise<KeylessEvent[]> {
    const startBrowser: StartBrowser = (use) => ({
      ...realBrowser(use, parseAllowedOrigins(site.hostPort)),
      lists: filterLists(),
    });
    const { visit } = aService({ startBrowser });
    return (await visit({ url: `${site.origin}${path}`, at })) as KeylessEvent[];
  }

  test("the stream has the phases, and a picture of 640 by 400 pixels, which answers the next request", async () => {
    const at = nextDay();
    const events = await capture("/cards", at);
    const phases = events.flatMap((event) => ("phase" in event ? [event.phase] : []));
    expect(phases).toEqual(expect.arrayContaining(["browser", "navigate", "settle", "capture", "encode"]));
    const [last] = events.slice(-1);
    if (!last || !("picture" in last)) throw new Error(JSON.stringify(last));
    const { format, width, height } = await sharp(Buffer.from(last.picture.data, "base64")).metadata();
    expect({ format, width, height, cached: last.picture.from_cache }).toEqual({
      format: "webp",
      width: 640,
      height: 400,
      cached: false,
    });
    expect(await capture("/cards", at)).toEqual([
      { picture: { ...last.picture, from_cache: true, total_ms: expect.any(Number) } },
    ]);
  });

  slowTest("a page that doesn't answer ends after 15 seconds", async () => {
    expect((await capture("/never-answers", nextDay())).at(-1)).toMatchObject({ error: { code: "CAPTURE_TIMEOUT" } });
  });
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
