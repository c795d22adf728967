// Which captures share a cache key, and for how long a result is fresh, stale and stored.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { type CaptureOptionName, captureOptionNames } from "../../../lib/contract/options/groups/all.ts";
import { deliveryOptions } from "../../../lib/contract/options/groups/delivery.ts";
import { optionReference } from "../../../lib/contract/options/option-reference.ts";
import {
  CHROMIUM,
  cacheExpiry,
  cacheLifetimeSeconds,
  cachePolicy,
  storedAttachmentName,
} from "../../../lib/service/captures/cache-key.ts";
import { lifetimeClass } from "../../../lib/service/results/lifetime-class.ts";
import { examples, url } from "../../contract/options/example-options.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";

type Sent = Readonly<Record<string, unknown>>;

const planOf = (sent: Sent, accountId = 3) => cachePolicy(parseCaptureOptions({ cache: true, ...sent }), accountId);
const hashOf = (sent: Sent, accountId = 3) => planOf(sent, accountId)?.key;

/** Options that say nothing about the result; those of the cache itself are tested apart. */
const ofDelivery = [...Object.keys(deliveryOptions), "response_type", "attachment_name"];
const ofTime = ["timeout", "navigation_timeout", "on_timeout", "retry_on"];
const withoutMeaning = [...ofDelivery, ...ofTime, "source"];
/** What is put into a bucket of the caller's uses no cache. */
const ofStorage = captureOptionNames.filter((name) => name === "store" || name.startsWith("storage_"));
const cacheable = captureOptionNames.filter((name) => !ofStorage.includes(name));

/** The options with a default that can be sent, with that default as text. */
const defaults = optionReference()
  .flatMap(({ options }) => options)
  .filter(({ name, defaultText }) => defaultText !== undefined && name !== "cache")
  .map(({ name, defaultText = "" }) => ({ name, value: defaultText.split(/[;,] /)[0] ?? "" }))
  .filter(({ value }) => !value.includes(" "))
  .filter(({ name, value }) => hashIfValid({ ...examples[name as CaptureOptionName].sentWith, [name]: value }));

/** Requests that differ in this option alone: without it, where they are valid then, and with each value of its example. */
function requestsWith(name: CaptureOptionName): Sent[] {
  const { sentWith, values } = examples[name];
  const requested = values.filter((value) => value !== undefined).map((value) => ({ ...sentWith, [name]: value }));
  return [sentWith, ...requested].filter((sent) => hashIfValid(sent) !== undefined);
}

function hashIfValid(sent: Sent): string | undefined {
  try {
    return hashOf(sent);
  } catch {
    return undefined;
  }
}

describe("cache: it is used", () => {
  test.each<[Sent, number | undefined]>([
    [{}, undefined],
    [{ cache: false }, undefined],
    [{ cache_ttl: 0 }, undefined],
    [{ cache: true }, 14_400],
    [{ cache_ttl: 1 }, 1],
    [{ cache: true, cache_ttl: 2_592_000 }, 2_592_000],
  ])("with %j for %j seconds", (sent, seconds) => {
    expect(cachePolicy(parseCaptureOptions({ url, ...sent }), 3)?.ttlSeconds).toBe(seconds);
  });

  test("with stale results for synchronous captures only", () => {
    const plans = [{}, { cache_stale_ttl: 60 }, { cache_stale_ttl: 60, async: true }].map((sent) =>
      planOf({ url, ...sent }),
    );
    expect(plans.map((plan) => [plan?.staleSeconds, plan?.toleratedSeconds])).toEqual([
      [0, 0],
      [60, 60],
      [60, 0],
    ]);
  });

  test("without being read by cache_refresh", () => {
    const requested = [{}, { cache_refresh: true }].map((sent) => planOf({ url, ...sent }));
    expect(requested.map((plan) => plan?.isRefreshed)).toEqual([false, true]);
    expect(requested[0]?.key).toBe(requested[1]?.key);
  });
});

describe("cache key: captures share one", () => {
  const pairs = cacheable
    .filter((name) => !ofDelivery.includes(name))
    .flatMap((name) =>
      examples[name].values.map((value) => ({ name, sent: { ...examples[name].sentWith, [name]: value } })),
    );

  test.each(pairs)("regardless of the order of $name and the other options: $sent", ({ sent }) => {
    const random = seededRandom(Object.keys(sent).length);
    const entries = Object.entries({ ...sent, viewport_width: 500, dark_mode: true });
    const shuffled = entries.toSorted(() => random() - 0.5);
    const hashes = [entries, entries.toReversed(), shuffled].map((each) => hashOf(Object.fromEntries(each)));
    expect(hashes).toEqual(hashes.map(() => hashes[0]));
  });

  test.each<[string, Sent, Sent]>([
    ["a flag is", { url, full_page: true }, { url, full_page: "1" }],
    ["a number is", { url, viewport_width: 800 }, { url, viewport_width: "800.0" }],
    ["a format is", { url, format: "jpg" }, { url, format: "JPEG" }],
    ["a list is", { url, hide_selectors: ["#a", "#b"] }, { url, hide_selectors: '["#a","#b"]' }],
    ["a list of one is", { url, hide_selectors: ["#a"] }, { url, hide_selectors: "#a" }],
    ["headers are", { url, headers: { "X-A": "1" } }, { url, headers: ["X-A: 1"] }],
    ["a cookie is", { url, cookies: [{ value: "1", name: "a" }] }, { url, cookies: "a=1" }],
    ["a language is", { url, locale: "de-ch" }, { url, accept_language: "de-CH" }],
    ["a device is", { url, viewport_device: "iPhone 15 Pro" }, { url, viewport_device: "iphone_15_pro" }],
    ["a default is", { url }, { url, format: "png", time_zone: "UTC", full_page: false, viewport_mobile: undefined }],
    ["the address is", { url: "HTTPS://Example.com:443" }, { url: "https://example.com/" }],
    ["an address with umlauts is", { url: "https://ü.example/ä" }, { url: "https://xn--tda.example/%C3%A4" }],
    ["the source is", { url }, { url, source: "url" }],
  ])("however %s written", (_, one, other) => {
    expect(hashOf(one)).toBe(hashOf(other));
  });

  test.each(defaults)("whether or not the default $value of $name is sent", ({ name, value }) => {
    const { sentWith } = examples[name as CaptureOptionName];
    expect(hashOf({ ...sentWith, [name]: value })).toBe(hashOf(sentWith));
  });

  test("whose window has the default size, in each form of saying so", () => {
    const of = (sent: Sent) => hashOf({ url, ...sent });
    const sized = { viewport_width: 1280, viewport_height: 1024 };
    expect([of(sized), of({ viewport_height: 1024 }), of({ media_type: "screen" })]).toEqual([of({}), of({}), of({})]);
    const phone = { viewport_device: "iphone_15_pro" };
    expect(of({ ...phone, viewport_width: 393 })).toBe(of(phone));
    expect(of({ format: "mp4", video_aspect_ratio: "16:9" })).toBe(of({ format: "mp4" }));
    expect(of({ format: "mp4", viewport_width: 1280 })).toBe(of({ format: "mp4" }));
    expect(of({ format: "pdf", media_type: "print" })).toBe(of({ format: "pdf" }));
    expect(of({ reduced_motion: true })).toBe(of({})); // as every still
    expect(of({ format: "pdf", media_type: "screen" })).not.toBe(of({ format: "pdf" }));
  });

  const meaningless = withoutMeaning.filter((name) => !["cache_key", "on_timeout"].includes(name));
  test.each(meaningless as CaptureOptionName[])("regardless of %s", (name) => {
    const [first, ...others] = requestsWith(name).map((sent) => hashOf(sent));
    expect(others).toEqual(others.map(() => first));
    expect(others.length).toBeGreaterThan(0);
  });
});

describe("cache key: captures do not share one", () => {
  test.each(cacheable.filter((name) => !withoutMeaning.includes(name)))("with another %s", (name) => {
    const isDefault = (sent: Sent) =>
      [...defaults, { name: "reduced_motion", value: true }].some(
        (each) => each.name === name && each.value === sent[name],
      );
    const hashes = requestsWith(name)
      .filter((sent) => !isDefault(sent))
      .map((sent) => hashOf(sent));
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashes.length).toBeGreaterThan(1);
  });

  test("of two accounts", () => {
    expect(hashOf({ url }, 3)).not.toBe(hashOf({ url }, 4));
  });

  test("with another cache_key", () => {
    const hashes = [{}, { cache_key: "a" }, { cache_key: "b" }].map((sent) => hashOf({ url, ...sent }));
    expect(new Set(hashes).size).toBe(3);
  });

  test("that capture an unfinished page after another timeout", () => {
    const timed = { url, on_timeout: "capture" };
    const hashes = [{ url }, timed, { ...timed, timeout: 5 }].map((sent) => hashOf(sent));
    expect(new Set(hashes).size).toBe(3);
    expect(hashOf({ url, timeout: 5, on_timeout: "fail" })).toBe(hashes[0]);
  });

  test("whose links have another file name", () => {
    const named = (sent: Sent) => hashOf({ url, attachment_name: "a.png", ...sent });
    expect(named({})).toBe(hashOf({ url }));
    expect(named({ response_type: "json" })).not.toBe(hashOf({ url, response_type: "json" }));
    expect(named({ async: true })).toBe(named({ response_type: "json" }));
    const names = [{}, { response_type: "json" }].map((sent) =>
      storedAttachmentName(parseCaptureOptions({ url, attachment_name: "a.png", ...sent })),
    );
    expect(names).toEqual([undefined, "a.png"]);
  });
});

test("cache key: it depends on secrets and reveals nothing of them", () => {
  expect(hashOf({ url, authorization: "Bearer hush" })).toMatch(/^[0-9a-f]{64}$/);
});

test("cache key: it contains the installed version of Chromium", () => {
  const text = readFileSync(new URL("../../../node_modules/@sparticuz/chromium/package.json", import.meta.url), "utf8");
  expect(CHROMIUM).toBe(JSON.parse(text).version);
});

describe("cache: a result is stored", () => {
  const DAY_S = 24 * 60 * 60;

  test.each([
    [1, 0, DAY_S],
    [14_400, 0, DAY_S],
    [DAY_S, 0, DAY_S + 3_600],
    [60, DAY_S, DAY_S + 3_660],
    [29 * DAY_S, 0, 29 * DAY_S + 3_600],
    [30 * DAY_S, 0, 30 * DAY_S],
    [30 * DAY_S, 30 * DAY_S, 30 * DAY_S],
  ])("for %d s and stale for %d s at %d s", (ttlSeconds, staleSeconds, stored) => {
    expect(cacheLifetimeSeconds({ ttlSeconds, staleSeconds })).toBe(stored);
    expect(lifetimeClass(stored).days * DAY_S).toBeGreaterThanOrEqual(ttlSeconds);
  });

  test("and served for exactly its TTL, but never after its links expire", () => {
    const now = Date.UTC(2026, 0, 31);
    const timesOf = (ttlSeconds: number, staleSeconds: number) => {
      const { until, staleUntil } = cacheExpiry({ ttlSeconds, staleSeconds }, now + 60_000, now);
      return [until - now, staleUntil - now];
    };
    expect(timesOf(1, 0)).toEqual([1_000, 1_000]);
    expect(timesOf(1, 30)).toEqual([1_000, 31_000]);
    expect(timesOf(50, 30)).toEqual([50_000, 60_000]);
    expect(timesOf(61, 30)).toEqual([60_000, 60_000]);
  });
});
