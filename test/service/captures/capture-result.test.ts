// The JSON result of a capture, and the headers of a response with a capture.
import { describe, expect, test } from "vitest";
import { type CaptureFacts, captureHeaders, captureResult } from "../../../lib/service/captures/capture-result.ts";

const facts: CaptureFacts = {
  requestId: 123,
  mimeType: "image/png",
  sizeBytes: 34_567,
  responseTimeMs: 1_234,
  fromCache: false,
  isStale: false,
  usesCache: false,
  isTest: false,
  finalUrl: "https://example.com/",
  warnings: [],
  problems: [],
  quality: 100,
  statesQuality: false,
  metadata: {},
  statusCode: 200,
};
const link = { url: "https://api.example/storage/1-day/a.png?e=1&s=b", expiresAt: Date.UTC(2026, 0, 31, 10, 20, 30) };

describe("capture result: the JSON", () => {
  test("has seven fields without optional ones", () => {
    expect(captureResult(facts, link)).toEqual({
      url: "https://api.example/storage/1-day/a.png?e=1&s=b",
      expires_at: "2026-01-31T10:20:30.000Z",
      mime_type: "image/png",
      file_size_bytes: 34_567,
      response_time_ms: 1_234,
      from_cache: false,
      request_id: 123,
    });
  });

  test("has warnings only if there are any", () => {
    const degraded = captureResult({ ...facts, warnings: ["The page is longer than an image may be."] }, link);
    expect(degraded).toEqual({
      ...captureResult(facts, link),
      warnings: ["The page is longer than an image may be."],
    });
  });

  test("shows a capture with an API key for tests", () => {
    expect(captureResult({ ...facts, isTest: true }, link)).toEqual({ ...captureResult(facts, link), test: true });
  });

  test("has metadata only if it was requested, even if all of it is null", () => {
    const metadata = { page_title: null, http_response: null };
    expect(captureResult({ ...facts, metadata }, link)).toEqual({ ...captureResult(facts, link), metadata });
  });

  test("has slices with their positions only if there are any", () => {
    const slices = [
      { url: "https://api.example/storage/1-day/b.png?e=1&s=c", top: 0, height: 4_000, sizeBytes: 100 },
      { url: "https://api.example/storage/1-day/c.png?e=1&s=d", top: 4_000, height: 12, sizeBytes: 50 },
    ];
    expect(captureResult(facts, link, slices)).toEqual({
      ...captureResult(facts, link),
      slices: [
        { url: "https://api.example/storage/1-day/b.png?e=1&s=c", top: 0, height: 4_000, file_size_bytes: 100 },
        { url: "https://api.example/storage/1-day/c.png?e=1&s=d", top: 4_000, height: 12, file_size_bytes: 50 },
      ],
    });
    expect(captureResult(facts, link, [])).not.toHaveProperty("slices");
  });

  test.each([
    [Date.UTC(2026, 0, 31, 23, 59, 59, 0), "2026-01-31T23:59:59.000Z"],
    [Date.UTC(2026, 0, 31, 23, 59, 59, 1), "2026-02-01T00:00:00.000Z"],
    [Date.UTC(2026, 0, 31, 23, 59, 58, 999), "2026-01-31T23:59:59.000Z"],
  ])("expires at the next whole second after %d ms", (expiresAt, shown) => {
    expect(captureResult(facts, { ...link, expiresAt })["expires_at"]).toBe(shown);
  });
});

describe("capture result: the headers", () => {
  test("have the time, the cache status and the final URL, and no metadata that was not requested", () => {
    expect(captureHeaders(facts, "browser;dur=1")).toEqual({
      "X-Request-Id": "123",
      "X-Response-Time": "1234",
      "X-Cache": "BYPASS",
      "X-Final-Url": "https://example.com/",
      "Server-Timing": "browser;dur=1",
    });
  });

  test.each([
    ["HIT", { usesCache: true, fromCache: true }],
    ["STALE", { usesCache: true, fromCache: true, isStale: true }],
    ["MISS", { usesCache: true, fromCache: false }],
    ["BYPASS", { usesCache: false, fromCache: false }],
  ])("have X-Cache %s", (said, use) => {
    expect(captureHeaders({ ...facts, ...use }, "")["X-Cache"]).toBe(said);
  });

  test("omit the final URL if there is none or it is too long", () => {
    const long = (length: number) => `https://example.com/?${"a".repeat(length - 21)}`;
    const reported = [null, long(4_001), long(4_000)].map(
      (finalUrl) => captureHeaders({ ...facts, finalUrl }, "")["X-Final-Url"],
    );
    expect(reported).toEqual([undefined, undefined, long(4_000)]);
  });

  test("have the size of the image", () => {
    const metadata = { image_size: { width: 1_280, height: 20_000 } };
    expect(captureHeaders({ ...facts, metadata }, "")).toMatchObject({
      "X-Image-Width": "1280",
      "X-Image-Height": "20000",
    });
  });

  const response = { status_code: 404, final_url: "https://example.com/", redirects: [] };
  test.each<[string, CaptureFacts["metadata"], number | null, string | undefined]>([
    ["that was requested", { http_response: response }, 404, "404"],
    ["that was not requested", {}, 404, undefined],
    ["of a page that came from no server", { http_response: null }, null, undefined],
  ])("handle a source status %s", (_, metadata, statusCode, reported) => {
    expect(captureHeaders({ ...facts, metadata, statusCode }, "")["X-Source-Status-Code"]).toBe(reported);
  });
});

describe("capture result: X-Blocked", () => {
  const none = { requests: 0, dialogs: 0, unlocked: false };
  const header = (blocked?: object) =>
    captureHeaders({ ...facts, metadata: blocked ? { blocked: { ...none, ...blocked } } : {} }, "")["X-Blocked"];
  const banner = (platform: string, closed_by: "rejecting" | "hiding" = "rejecting") => ({
    cookie_banner: { platform, closed_by },
  });

  test("is present only with block options", () => {
    expect(header()).toBeUndefined();
    expect(header(none)).toBe("requests=0");
  });

  test("lists everything that was blocked, closed or hidden", () => {
    expect(header({ requests: 12, ...banner("OneTrust"), dialogs: 1, unlocked: true })).toBe(
      "requests=12; cookie_banner=rejecting (OneTrust); dialogs=1; unlocked",
    );
  });

  test("replaces characters of a platform name that have a meaning in the header", () => {
    expect(header(banner("a\r\nX-Injected: (b); é", "hiding"))).toBe(
      "requests=0; cookie_banner=hiding (a__X-Injected: _b__ _)",
    );
    expect(header(banner("x".repeat(1_000)))?.length).toBe(138);
  });
});

describe("capture result: X-Warnings", () => {
  const header = (...warnings: string[]) => captureHeaders({ ...facts, warnings }, "")["X-Warnings"];

  test("is percent-encoded, and present only with warnings", () => {
    expect(header()).toBeUndefined();
    expect(header("It is a png.", "Time was up.")).toBe("It%20is%20a%20png.%20Time%20was%20up.");
  });

  test("is truncated after 200 characters", () => {
    expect(header("a".repeat(201))).toBe("a".repeat(200));
  });
});

describe("capture result: X-Page-Title", () => {
  const header = (page_title: string | null) =>
    captureHeaders({ ...facts, metadata: { page_title } }, "")["X-Page-Title"];

  test.each([
    ["Example", "Example"],
    ["Grüße & 日本", "Gr%C3%BC%C3%9Fe%20%26%20%E6%97%A5%E6%9C%AC"],
    ["a\r\nX-Injected: b", "a%0D%0AX-Injected%3A%20b"],
    ["100%", "100%25"],
    ["a\ud800b", "a%EF%BF%BDb"],
    ["", undefined],
    [null, undefined],
  ])("for %j is %s", (title, reported) => {
    expect(header(title)).toBe(reported);
  });

  test("is truncated after 300 characters, but never within a surrogate pair", () => {
    expect(header("a".repeat(301))).toBe("a".repeat(300));
    expect(decodeURIComponent(header(`${"a".repeat(299)}😀`) ?? "")).toBe("a".repeat(299));
    expect(decodeURIComponent(header(`${"a".repeat(298)}😀b`) ?? "")).toBe(`${"a".repeat(298)}😀`);
    expect(header("日".repeat(1_000_000))?.length).toBe(2_700);
  });
});
