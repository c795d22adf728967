// URL patterns of callers for requests to block.
import { expect, test } from "vitest";
import { matchesUrlPattern } from "../../../lib/engine/injected/url-pattern.ts";
import { runInterruptible } from "../../../lib/engine/inputs/run-interruptible.ts";

test.each([
  ["a host", "ads.example.com", "https://ads.example.com/a.js"],
  ["a domain, for its subdomains", "example.com", "https://cdn.example.com/a.js"],
  ["a part of a path", "/banner", "https://site.test/img/banner-1.png"],
  ["a whole address", "https://site.test/a.js?v=1", "https://site.test/a.js?v=1"],
  ["a whole address, regardless of its query", "https://site.test/a.js", "https://site.test/a.js?v=1"],
  ["capitals", "Example.COM/Ad", "https://example.com/ad"],
  ["all of a host", "https://ads.example.com/*", "https://ads.example.com/x/y"],
  ["subdomains", "*.example.com", "https://cdn.example.com/a.js"],
  ["subdomains on another port", "*.example.com", "https://cdn.example.com:8443/a.js"],
  ["an ending", "*.js", "https://site.test/app.js"],
  ["an ending before the query", "*.js", "https://site.test/app.js?v=1"],
  ["what lies between", "site.test/*/ads/*.png", "https://site.test/de/ads/one.png"],
  ["a folder", "*/ads/", "https://site.test/ads/one.png"],
  ["characters that regular expressions know", "a(b)+c", "https://site.test/?q=a(b)+c"],
  ["everything", "*", "https://site.test/"],
  ["a web socket", "socket.example.com", "wss://socket.example.com/live"],
])("names %s", (_, pattern, address) => {
  expect(matchesUrlPattern(pattern, address)).toBe(true);
});

test.each([
  ["another host", "ads.example.com", "https://www.example.com/a.js"],
  ["a longer ending", "*.js", "https://site.test/data.json"],
  ["a host that goes on", "*.example.co", "https://cdn.example.com/"],
  ["parts in another order", "ads*site", "https://site.test/ads/"],
  ["a part used twice", "aba*aba", "https://site.test/ababa"],
])("does not name %s", (_, pattern, address) => {
  expect(matchesUrlPattern(pattern, address)).toBe(false);
});

test("takes no longer for a pattern of many stars", () => {
  expect(matchesUrlPattern("*a".repeat(500), `https://site.test/${"a".repeat(499)}${"b".repeat(100_000)}`)).toBe(false);
});

test.each([
  ["many characters of the pattern", "a".repeat(1_000), "a".repeat(1_000_000)],
  ["most of it, again and again", `${"a".repeat(500)}b${"a".repeat(499)}`, `${"a".repeat(999)}b`.repeat(1_000)],
])("takes no longer for an address with %s", (_, ending, path) => {
  const work = () => matchesUrlPattern(`*${ending}`, `https://site.test/${path}!`);
  expect(runInterruptible(600, work)).toBe(false);
});
