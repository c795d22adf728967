// Which requests are blocked: by resource type, by the caller's patterns, and by filter lists with their exceptions.
import { FiltersEngine } from "@ghostery/adblocker";
import { describe, expect, test } from "vitest";
import { cosmeticRulesFor } from "../../../lib/engine/adblock/cosmetic-rules.ts";
import { toFilterRequest } from "../../../lib/engine/adblock/filter-engine.ts";
import {
  findBlockingRule,
  interceptedTypes,
  isExempt,
  type PageRequest,
  requestKind,
} from "../../../lib/engine/adblock/request-rules.ts";
import { runInterruptible } from "../../../lib/engine/inputs/run-interruptible.ts";
import type { PausedRequest } from "../../../lib/engine/page/interception.ts";

const listsOf = (...texts: readonly string[]) => ({
  engines: texts.map((text) => FiltersEngine.parse(text)),
  requestOf: toFilterRequest,
});
const nothing = { requests: [], resources: [] };
const requested = (url: string, more: Partial<PageRequest> = {}): PageRequest => ({
  url,
  kind: "script",
  documentUrl: "https://news.example/article",
  ...more,
});
const isRefused = (list: string | readonly string[], request: PageRequest) =>
  findBlockingRule({ ...nothing, lists: listsOf(...[list].flat()) }, request) !== undefined;

describe("filter lists", () => {
  test.each([
    ["a host and what is below it", "||ads.test^", requested("https://cdn.ads.test/a.js"), true],
    ["no other host", "||ads.test^", requested("https://nads.test/a.js"), false],
    ["a kind", "||ads.test^$script", requested("https://ads.test/a.js"), true],
    ["no other kind", "||ads.test^$script", requested("https://ads.test/a.gif", { kind: "image" }), false],
    ["the document of a frame", "||ads.test^$subdocument", requested("https://ads.test/", { kind: "document" }), true],
    ["what scripts ask for", "||ads.test^$xmlhttprequest", requested("https://ads.test/a", { kind: "xhr" }), true],
    ["a beacon", "||ads.test^$ping", requested("https://ads.test/a", { kind: "ping" }), true],
    ["another party", "||ads.test^$third-party", requested("https://ads.test/a.js"), true],
    ["not the same party", "||news.example^$third-party", requested("https://cdn.news.example/a.js"), false],
    ["on one site", "/track.js$domain=news.example", requested("https://cdn.test/track.js"), true],
    ["not on others", "/track.js$domain=other.example", requested("https://cdn.test/track.js"), false],
    ["an exception", "||ads.test^\n@@||ads.test/needed.js", requested("https://ads.test/needed.js"), false],
    ["what no exception keeps", "||ads.test^$important\n@@||ads.test/a.js", requested("https://ads.test/a.js"), true],
  ])("know %s", (_, list, request, refused) => {
    expect(isRefused(list, request)).toBe(refused);
  });

  test("have exceptions that apply to the other lists", () => {
    const request = requested("https://ads.test/needed.js");
    expect(isRefused(["||ads.test^", "@@||ads.test/needed.js"], request)).toBe(false);
    expect(isRefused(["@@||ads.test/needed.js", "||ads.test^"], request)).toBe(false);
    expect(isRefused(["||ads.test^$important", "@@||ads.test/needed.js"], request)).toBe(true);
  });

  test("treat all requests of a page without a URL as third-party", () => {
    expect(
      isRefused("||ads.test^$third-party", requested("https://ads.test/a.js", { documentUrl: "about:blank" })),
    ).toBe(true);
  });

  test.each([
    ["noopjs", "text/javascript", ""],
    ["noopjson", "application/json", "{}"],
    ["noopframe", "text/html", ""],
  ])("may want %s in place of silence", (name, type, body) => {
    const lists = listsOf(`||ads.test^$redirect=${name}`);
    const refusal = findBlockingRule({ ...nothing, lists }, requested("https://ads.test/a"));
    expect(refusal).toMatchObject({ answer: { status: 200, headers: [{ value: type }, {}], body: Buffer.from(body) } });
  });

  test("can redirect to an image of one pixel", () => {
    const lists = listsOf("||ads.test^$redirect=1x1-transparent.gif");
    const refusal = findBlockingRule({ ...nothing, lists }, requested("https://ads.test/a.gif", { kind: "image" }));
    expect(refusal).toMatchObject({ answer: { status: 200, headers: [{ value: "image/gif" }, {}] } });
  });

  test("block a request that they redirect to an unknown script", () => {
    const lists = listsOf("||ads.test^$script,redirect=google-ima3");
    expect(findBlockingRule({ ...nothing, lists }, requested("https://ads.test/ima3.js"))).toEqual({ blocked: true });
  });

  test("can exempt a whole page", () => {
    const lists = listsOf("||ads.test^\n@@||shop.example^$document\n@@||news.example^");
    expect(isExempt(lists, "https://shop.example/cart")).toBe(true);
    expect(isExempt(lists, "https://news.example/")).toBe(false);
  });

  test("match the beginning of a long URL, so that no page makes them take seconds", () => {
    const lists = listsOf("/\\/.*never$/", "@@/\\/.*never$/$document");
    const long = `https://ads.test/${"/".repeat(400_000)}`;
    const work = () => [
      findBlockingRule({ ...nothing, lists }, requested(long, { documentUrl: long })),
      isExempt(lists, long),
      cosmeticRulesFor(lists.engines, lists.requestOf({ url: `https://${"a.".repeat(400_000)}test/` })).rules,
    ];
    expect(runInterruptible(30_000, work)).toEqual([undefined, false, []]);
  });
});

describe("the caller", () => {
  test("blocks by URL pattern", () => {
    const rules = { ...nothing, requests: ["cdn.test", "*.gif"] };
    expect(findBlockingRule(rules, requested("https://cdn.test/a.js"))).toEqual({ blocked: true });
    expect(findBlockingRule(rules, requested("https://img.test/a.gif?1"))).toEqual({ blocked: true });
    expect(findBlockingRule(rules, requested("https://img.test/a.png"))).toBeUndefined();
  });

  test("blocks long URLs by their beginning", () => {
    const rules = { ...nothing, requests: ["late.js"] };
    expect(findBlockingRule(rules, requested(`https://cdn.test/${"a".repeat(3_000)}/late.js`))).toEqual({
      blocked: true,
    });
    expect(findBlockingRule(rules, requested(`https://cdn.test/${"a".repeat(5_000)}/late.js`))).toBeUndefined();
  });

  test("blocks by resource type", () => {
    const rules = { ...nothing, resources: ["image", "other"] as const };
    expect(findBlockingRule(rules, requested("https://img.test/a", { kind: "image" }))).toEqual({ blocked: true });
    expect(findBlockingRule(rules, requested("https://img.test/a", { kind: "ping" }))).toEqual({ blocked: true });
    expect(findBlockingRule(rules, requested("https://img.test/a", { kind: "script" }))).toBeUndefined();
  });

  test("blocks event streams and text tracks, which Chromium reports as other types", () => {
    const kind = (resourceType: PausedRequest["resourceType"], headers = {}) =>
      requestKind({ resourceType, request: { headers } as PausedRequest["request"] });
    expect([kind("XHR"), kind("Fetch"), kind("Prefetch"), kind("Image")]).toEqual(["xhr", "xhr", "other", "image"]);
    expect(kind("XHR", { Accept: "text/event-stream" })).toBe("eventsource");
    expect([kind("Media", { Range: "bytes=0-" }), kind("Media")]).toEqual(["media", "texttrack"]);
  });

  test("has only the blocked resource types intercepted", () => {
    expect(interceptedTypes(["image"])).toEqual(["Image"]);
    expect(interceptedTypes(["media", "texttrack"])).toEqual(["Media"]);
    expect(interceptedTypes(["websocket"])).toEqual([]);
  });
});
