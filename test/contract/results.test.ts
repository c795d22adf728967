// The JSON result of a capture, and the headers beside its bytes.
import { describe, expect, test } from "vitest";
import { type CaptureFacts, captureHeaders, captureResult } from "../../lib/contract/results.ts";

const facts: CaptureFacts = {
  requestId: 123,
  mimeType: "image/png",
  sizeBytes: 34_567,
  responseTimeMs: 1_234,
  fromCache: false,
  finalUrl: "https://example.com/",
  warnings: [],
};
const link = { url: "https://api.example/storage/1-day/a.png?e=1&s=b", expiresAt: Date.UTC(2026, 0, 31, 10, 20, 30) };

describe("the JSON result", () => {
  test("has the seven fields of the interface", () => {
    expect(captureResult(facts, link)).toEqual({
      url: "https://api.example/storage/1-day/a.png?e=1&s=b",
      expires_at: "2026-01-31T10:20:30+00:00",
      mime_type: "image/png",
      file_size_bytes: 34_567,
      response_time_ms: 1_234,
      from_cache: false,
      request_id: 123,
    });
  });

  test("has warnings only when something was degraded", () => {
    const degraded = captureResult({ ...facts, warnings: ["The page is longer than an image may be."] }, link);
    expect(degraded).toEqual({
      ...captureResult(facts, link),
      warnings: ["The page is longer than an image may be."],
    });
  });

  test.each([
    [Date.UTC(2026, 0, 31, 23, 59, 59, 0), "2026-01-31T23:59:59+00:00"],
    [Date.UTC(2026, 0, 31, 23, 59, 59, 1), "2026-02-01T00:00:00+00:00"],
    [Date.UTC(2026, 0, 31, 23, 59, 58, 999), "2026-01-31T23:59:59+00:00"],
  ])("expires at the next whole second after %d", (expiresAt, shown) => {
    expect(captureResult(facts, { ...link, expiresAt }).expires_at).toBe(shown);
  });
});

describe("the headers", () => {
  test("tell the time, the cache and where the browser ended up", () => {
    expect(captureHeaders(facts, "browser;dur=1")).toMatchObject({
      "X-Response-Time": "1234",
      "X-Cache": "BYPASS",
      "X-Final-Url": "https://example.com/",
      "Server-Timing": "browser;dur=1",
    });
  });

  test("tell a hit of the cache", () => {
    expect(captureHeaders({ ...facts, fromCache: true }, "")["X-Cache"]).toBe("HIT");
  });

  test("tell no final address where there was none", () => {
    expect(captureHeaders({ ...facts, finalUrl: null }, "")).not.toHaveProperty("X-Final-Url");
  });
});
