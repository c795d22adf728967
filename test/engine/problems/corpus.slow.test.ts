// Judges all pages of the corpus, and repairs those that can be repaired: what is missed, and what is accused wrongly.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProblemCode } from "../../../lib/contract/problems/problem-kinds.ts";
import type { Capture } from "../../../lib/engine/pipeline/capture-output.ts";
import { corpusPages } from "../../fixtures/problem-pages/pages.ts";
import type { ProblemPage } from "../../fixtures/problem-pages/problem-page.ts";
import { type ProblemSite, startProblemSite } from "../../fixtures/problem-pages/problem-site.ts";
import { captureWith } from "../../support/chromium.ts";

/** As many captures at once as a machine of two cores makes without missing what comes late. */
const CONCURRENCY = 3;
const REPAIRED: readonly ProblemCode[] = ["STILL_LOADING", "IMAGES_MISSING", "OVERLAY_LEFT"];
const MIN_REPAIRED_SHARE = 0.8;

describe("corpus:", () => {
  let pages: readonly ProblemPage[];
  let site: ProblemSite;
  beforeAll(async () => {
    pages = await corpusPages();
    site = await startProblemSite(pages);
  });
  afterAll(() => site.close());

  const capture = (page: ProblemPage, options: object = {}) =>
    captureWith(
      {
        url: site.url(page),
        viewport_width: page.window.width,
        viewport_height: page.window.height,
        ...(page.scheme === "dark" && { dark_mode: true }),
        ...page.options,
        ...options,
      },
      { allow: [site.hostPort] },
    );

  test("at most one page of each code is missed, and at most two are accused", { timeout: 600_000 }, async () => {
    const judged = await each(pages, async (page) => ({ page, found: codesOf(await capture(page)) }));
    const missed = judged.filter(({ page, found }) => page.code !== null && !found.some((code) => isOf(page, code)));
    const accused = judged.flatMap(({ page, found }) =>
      found
        .filter((code) => !isOf(page, code) && !page.alsoTrue?.includes(code))
        .map((code) => `${page.name}: ${code}`),
    );
    const missedTwice = [...Map.groupBy(missed, ({ page }) => page.code)].flatMap(([code, group]) =>
      group.length > 1 ? [`${code}: ${group.map(({ page }) => page.name).join(", ")}`] : [],
    );
    expect(missedTwice).toEqual([]);
    expect(accused.length, accused.join("\n")).toBeLessThanOrEqual(2);
  });

  test.each(REPAIRED)("%s is repaired on most of the repairable pages", { timeout: 600_000 }, async (code) => {
    const repairable = pages.filter((page) => page.code === code && page.repairable);
    const outcomes = await each(repairable, async (page) => ({
      page,
      isMended: !codesOf(await capture(page, { self_repair: true })).includes(code),
    }));
    const left = outcomes.filter(({ isMended }) => !isMended).map(({ page }) => page.name);
    expect(left.length, left.join("\n")).toBeLessThanOrEqual((1 - MIN_REPAIRED_SHARE) * repairable.length);
  });
});

function isOf({ code, instead }: ProblemPage, found: ProblemCode): boolean {
  return found === code || found === instead;
}

function codesOf({ problems }: Pick<Capture, "problems">): readonly ProblemCode[] {
  return problems.map(({ code }) => code);
}

async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}
