// The page envelope around a list of capture logs.
import { describe, expect, test } from "vitest";
import { captureRow } from "../../../lib/service/usage/capture-row.ts";
import type { ListOptions } from "../../../lib/service/usage/usage-options.ts";
import { usagePage } from "../../../lib/service/usage/usage-page.ts";
import { aCaptureLog } from "../../support/builders.ts";

const baseUrl = "https://api.example";

const aRow = (id: number) => captureRow(aCaptureLog({ id }), { baseUrl, now: 0 });

function pageOf(logs: number, total: number, options: Partial<ListOptions> = {}) {
  const rows = Array.from({ length: logs }, (_, id) => aRow(id));
  return usagePage(rows, { total, options: { page: 1, per_page: 25, ...options }, baseUrl });
}

describe("usage page", () => {
  test("has the page envelope around the capture logs", () => {
    expect(pageOf(2, 27, { page: 2 })).toEqual({
      current_page: 2,
      data: [aRow(0), aRow(1)],
      first_page_url: "https://api.example/api/v1/usage?page=1",
      from: 26,
      to: 27,
      last_page: 2,
      per_page: 25,
      total: 27,
    });
  });

  test.each([
    ["of an empty list", 0, 0, 1, { from: null, to: null, last_page: 1 }],
    ["beyond the last", 0, 50, 3, { from: null, to: null, last_page: 2 }],
    ["that is the first and full", 25, 50, 1, { from: 1, to: 25, last_page: 2 }],
    ["that is the last and full", 25, 50, 2, { from: 26, to: 50, last_page: 2 }],
    ["of one log", 1, 1, 1, { from: 1, to: 1, last_page: 1 }],
    ["that begins another", 1, 51, 3, { from: 51, to: 51, last_page: 3 }],
  ])("%s has the positions of its first and last item", (_, logs, total, page, place) => {
    expect(pageOf(logs, total, { page })).toMatchObject({ ...place, current_page: page, total });
  });
});

describe("usage page: first_page_url", () => {
  test("keeps every filter and the size", () => {
    const filters = { status: "failed", api_key_id: 0, from: "2026-01-01", to: "2026-01-31", per_page: 10 } as const;
    const { first_page_url } = pageOf(0, 0, { ...filters, page: 9 });
    expect(Object.fromEntries(new URL(String(first_page_url)).searchParams)).toEqual({
      status: "failed",
      api_key_id: "0",
      from: "2026-01-01",
      to: "2026-01-31",
      per_page: "10",
      page: "1",
    });
  });

  test("omits filters that were not sent", () => {
    expect(pageOf(0, 0, { status: undefined, page: 4 })["first_page_url"]).toBe(
      "https://api.example/api/v1/usage?page=1",
    );
  });
});
