// What the dashboard calls captures, where former addresses lead, and which asynchronous captures stand above a list.
import { describe, expect, test } from "vitest";
import type { CaptureState } from "../../clients/typescript/src/generated/types.ts";
import { sourceText, splitError } from "../../lib/site/web/app/captures/capture-text.ts";
import { qualityText } from "../../lib/site/web/app/captures/quality-text.ts";
import { runningCaptures } from "../../lib/site/web/app/captures/running-capture.ts";
import { movedPath } from "../../lib/site/web/app/moved-path.ts";

test.each([
  [{ url: "https://example.com/a?b=1", options: {} }, "example.com/a?b=1"],
  [{ url: "http://example.com/", options: {} }, "http://example.com/"],
  [
    { url: "", options: { html: "<style>h1 { color: red }</style><h1>Order 7</h1>\n<p>Thanks" } },
    "HTML: Order 7 Thanks",
  ],
  [{ url: "", options: { html: "<img src='a'" } }, "HTML"],
  [{ url: "", options: { html: `<p>${"word ".repeat(20)}` } }, `HTML: ${"word ".repeat(12)}…`],
  [{ url: "", options: { markdown: "# Release *notes*" } }, "Markdown: Release notes"],
])("source of a capture: %j is called %s", (capture, text) => {
  expect(sourceText(capture)).toBe(text);
});

test("error of a capture: its code, and its message with all colons", () => {
  expect(splitError("TARGET_HTTP_ERROR: Status: 404")).toEqual({ code: "TARGET_HTTP_ERROR", message: "Status: 404" });
});

test.each([
  [[], /^100$/],
  [["BLANK"], /^0$/],
  [["IMAGES_MISSING", "FONTS_MISSING"], /^\d+ to \d+$/],
] as const)("quality of a capture: with the problems %j it is %s", (codes, text) => {
  expect(qualityText(codes.map((code) => ({ code })))).toMatch(text);
});

test.each([
  ["captures", "open=7&status=failed", "captures/7"],
  ["jobs", "open=7", "captures/7"],
  ["jobs", "", "captures?asynchronous=true"],
  ["jobs", "status=failed&before=9", "captures?asynchronous=true&status=failed"],
  ["jobs", "status=processing", "captures?asynchronous=true"],
  ["captures", "open=javascript:alert(1)", undefined],
  ["keys", "open=7", undefined],
])("moved path: %s?%s leads to %s", (path, query, moved) => {
  expect(movedPath(path, new URLSearchParams(query))).toBe(moved);
});

describe("captures above the list", () => {
  const now = Date.parse("2026-01-01T12:00:00Z");
  const job = (request_id: number, parts: Partial<CaptureState> = {}) =>
    ({
      request_id,
      status: "queued",
      finished_at: null,
      format: "png",
      page_url: "https://shop.example/",
      ...parts,
    }) as CaptureState;
  const shown = (jobs: readonly CaptureState[], filters = "", listed: readonly number[] = []) =>
    runningCaptures(jobs, { listed: new Set(listed), filters: new URLSearchParams(filters), now }).map(
      ({ request_id }) => request_id,
    );
  const ended = (seconds: number, parts: Partial<CaptureState> = {}) => ({
    status: "failed" as const,
    finished_at: new Date(now - seconds * 1000).toISOString(),
    ...parts,
  });

  test("are those that run, and those that have just ended and are not in the list yet", () => {
    const jobs = [job(5), job(4, { status: "processing" }), job(3, ended(5)), job(2, ended(5)), job(1, ended(60))];
    expect(shown(jobs, "", [2])).toEqual([5, 4, 3]);
  });

  test("are no cancelled ones, which no list ever has", () => {
    expect(shown([job(1, ended(1, { error: { code: "CANCELLED" } as NonNullable<CaptureState["error"]> }))])).toEqual(
      [],
    );
  });

  test.each([
    ["asynchronous=true", [1, 2]],
    ["format=pdf", [2]],
    ["url=SHOP", [1]],
    ["asynchronous=false", []],
    ["status=failed", []],
    ["from=2026-01-01", []],
  ])("match the filter %s", (filters, ids) => {
    expect(shown([job(1), job(2, { format: "pdf", page_url: null })], filters)).toEqual(ids);
  });
});
