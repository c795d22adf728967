// The corpus itself: as many pages of each kind, spread over languages, color schemes and windows, and all of them served.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ProblemCode, problemCodes, problemKinds } from "../../../lib/contract/problems/problem-kinds.ts";
import { corpusPages } from "../../fixtures/problem-pages/pages.ts";
import type { ProblemPage } from "../../fixtures/problem-pages/problem-page.ts";
import { type ProblemSite, startProblemSite } from "../../fixtures/problem-pages/problem-site.ts";

/** What is judged by the page, and is a fault of the capture. */
const judgedCodes = problemCodes.filter(
  (code) => code !== "BLANK" && code !== "BOT_CHALLENGE" && problemKinds[code].severity !== "info",
);
const REPAIRED: readonly ProblemCode[] = ["STILL_LOADING", "IMAGES_MISSING", "OVERLAY_LEFT"];

describe("corpus", () => {
  let pages: readonly ProblemPage[];
  let site: ProblemSite;
  beforeAll(async () => {
    pages = await corpusPages();
    site = await startProblemSite(pages);
  });
  afterAll(() => site.close());

  test("has 15 pages of each code, and 40 without a fault", () => {
    const codes = [...judgedCodes, null];
    const counts = codes.map((code) => [code, pages.filter((page) => page.code === code).length]);
    expect(counts).toEqual(codes.map((code) => [code, code === null ? 40 : 15]));
  });

  test("marks at least half of the pages as repairable whose problem can be repaired", () => {
    for (const code of REPAIRED)
      expect(pages.filter((page) => page.code === code && page.repairable).length).toBeGreaterThanOrEqual(8);
  });

  test("has at least six languages, both color schemes and three windows, each of a fair share", () => {
    const shares = (key: (page: ProblemPage) => string) =>
      [...Map.groupBy(pages, key).values()].map((group) => group.length / pages.length);
    expect(shares(({ language }) => language).filter((share) => share >= 0.06).length).toBeGreaterThanOrEqual(6);
    expect(Math.min(...shares(({ scheme }) => scheme))).toBeGreaterThan(0.25);
    const windows = shares(({ window }) => `${window.width} × ${window.height}`);
    expect(windows.filter((share) => share >= 0.15)).toHaveLength(3);
  });

  test("names each page once, and serves it with its status", async () => {
    expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
    const statuses = await Promise.all(pages.map(async (page) => (await fetch(site.url(page))).status));
    expect(statuses).toEqual(pages.map(({ status = 200 }) => status));
  });
});
