// How long CloudFront may answer a link without asking.
import { afterEach, beforeEach, expect, test } from "vitest";
import { captureCacheControl, edgeCacheControl } from "../../../lib/service/http/edge-cache.ts";
import { createLinks, type StoredCapture } from "../../../lib/service/results/stored-capture.ts";

const now = Date.UTC(2026, 0, 1);
const variables = ["EDGE_CACHE_SECONDS", "LINK_BASE_URL"] as const;
beforeEach(() => Object.assign(process.env, { EDGE_CACHE_SECONDS: "300", LINK_BASE_URL: "https://links.example.com" }));
afterEach(() => {
  for (const name of variables) delete process.env[name];
});

test("edge cache: a link is cached for as long as the stage allows, and browsers ask each time", () => {
  expect(edgeCacheControl(now + 3_600_000, now)).toBe("public, max-age=0, s-maxage=300");
});

test("edge cache: no link is cached after it has expired", () => {
  expect(edgeCacheControl(now + 10_999, now)).toBe("public, max-age=0, s-maxage=10");
  expect(edgeCacheControl(now - 1, now)).toBe("public, max-age=0, s-maxage=0");
});

test("edge cache: there is none in a stage without an edge", () => {
  delete process.env["EDGE_CACHE_SECONDS"];
  expect(edgeCacheControl(now + 3_600_000, now)).toBeUndefined();
});

test("links to results begin with the address of the edge where there is one, and else with that of the API", () => {
  const stored = { key: "1-day/a", slices: [], expires_at: now } as unknown as StoredCapture;
  const url = () => createLinks(stored, { baseUrl: "https://api.example.com", secret: "s" }).link.url;
  expect(url()).toMatch(/^https:\/\/links\.example\.com\/storage\/1-day\/a\?/);
  delete process.env["LINK_BASE_URL"];
  expect(url()).toMatch(/^https:\/\/api\.example\.com\/storage\/1-day\/a\?/);
});

test("cache control of a capture: browsers keep it for the rest of its time, and an edge as long as the stage allows", () => {
  expect(captureCacheControl(now + 3_600_000, now)).toBe("public, max-age=3600, s-maxage=300");
  expect(captureCacheControl(now + 10_000, now)).toBe("public, max-age=10, s-maxage=10");
  delete process.env["EDGE_CACHE_SECONDS"];
  expect(captureCacheControl(now + 3_600_000, now)).toBe("private, max-age=3600");
  expect(captureCacheControl(now - 1, now)).toBe("private, max-age=0");
});
