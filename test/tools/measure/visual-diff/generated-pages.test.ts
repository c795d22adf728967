// Generated pages: every block that a visitor sees while scrolling is in the full page, once, at its place; and captures of one
// page agree with each other. The slow run takes a handful of seeds; `npm run test:full-pages` takes as many as GENERATED_PAGES
// says, from GENERATED_SEED on, and prints and saves each page that is wrong.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type CheckedPage,
  checkGeneratedPage,
  describeFaults,
  type PageServer,
  saveGeneratedPage,
  serveGeneratedPages,
} from "../../../../lib/tools/measure/visual-diff/generated-pages.ts";
import {
  type RelationName,
  type RelationResult,
  relationNames,
} from "../../../../lib/tools/measure/visual-diff/relations.ts";
import { generatePage } from "../../../fixtures/generated-page.ts";
import { captureWith } from "../../../support/chromium.ts";
import { IS_SLOW_RUN, slowDescribe } from "../../../support/slow-run.ts";

const COUNT = process.env["GENERATED_PAGES"];
const IS_EXHAUSTIVE = COUNT !== undefined;
const FIRST_SEED = Number(process.env["GENERATED_SEED"] ?? 1);
/** Options of the captures as JSON, such as `{"full_page_algorithm":"by_sections"}`. */
const OPTIONS = JSON.parse(process.env["GENERATED_OPTIONS"] ?? "{}") as Record<string, unknown>;

/** Pages of the slow run. */
const SAMPLE = 6;
/** Every how many pages one is compared with other captures of itself, which takes five more. */
const RELATIONS_EVERY = Number(process.env["GENERATED_RELATIONS_EVERY"] ?? 5);

/**
 * Floors, which may only rise: how many pages of the sample are right, how many of its relations hold, and which share of the
 * pages is right in the long run. They are what was measured on 2026-11-25 (seeds 1 to 6, and 36 of the seeds 1001 to 1040), not what
 * is wanted, which is all of them.
 */
const MIN_RIGHT = SAMPLE;
const MIN_RELATIONS = 8;
const MIN_RIGHT_SHARE = 0.9;

const FOLDER = join(import.meta.dirname, "../../../../.local/generated-pages");

const seeds = Array.from({ length: IS_EXHAUSTIVE ? Number(COUNT) : SAMPLE }, (_, index) => FIRST_SEED + index);

describe("a generated page", () => {
  test("is the same for the same seed, and another for another one", () => {
    expect(generatePage(7).html).toBe(generatePage(7).html);
    expect(generatePage(7).html).not.toBe(generatePage(8).html);
  });

  test("has blocks whose colours differ from each other and from the background", () => {
    for (let seed = 1; seed <= (IS_SLOW_RUN ? 500 : 50); seed++) {
      const { blocks, background } = generatePage(seed);
      const colours = [...blocks.map(({ colour }) => colour), background].map(String);
      expect(new Set(colours).size).toBe(colours.length);
    }
  });
});

slowDescribe("full pages of generated pages", () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await serveGeneratedPages();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const check = (seed: number, relations: readonly RelationName[]) =>
    checkGeneratedPage(seed, {
      origin: server.origin,
      capturePage: (options) => captureWith(options, { allow: [server.hostPort] }),
      options: OPTIONS,
      relations,
    });

  test(
    "show what a visitor sees, and agree with other captures of the page",
    async () => {
      const results = await inParallel(seeds, async (seed, index) => {
        const relations = index % RELATIONS_EVERY === 0 ? relationNames : [];
        return check(seed, relations).then(reportPage, (error) => reportFailure(seed, error));
      });
      const right = results.filter(({ isRight }) => isRight).length;
      const relations = results.flatMap((result) => result.relations);
      if (IS_EXHAUSTIVE) printSummary(results, right);
      expect(right).toBeGreaterThanOrEqual(IS_EXHAUSTIVE ? MIN_RIGHT_SHARE * seeds.length : MIN_RIGHT);
      if (!IS_EXHAUSTIVE)
        expect(relations.filter(({ isBroken }) => !isBroken).length).toBeGreaterThanOrEqual(MIN_RELATIONS);
    },
    IS_EXHAUSTIVE ? 24 * 60 * 60 * 1000 : 180_000,
  );
});

/** What is kept of a page: thousands of pictures would not fit into memory. */
interface Result {
  readonly isRight: boolean;
  readonly relations: readonly Pick<RelationResult, "name" | "isBroken">[];
}

/** Prints and saves a page that is wrong, in the long run. */
async function reportPage(checked: CheckedPage): Promise<Result> {
  const lines = describeFaults(checked);
  if (IS_EXHAUSTIVE && lines.length > 0) {
    const saved = await saveGeneratedPage(FOLDER, checked);
    console.log([...lines, `${saved}.{html,png}`].join("\n"));
  }
  const relations = checked.relations.map(({ name, isBroken }) => ({ name, isBroken }));
  return { isRight: checked.faults.length === 0, relations };
}

/** A capture that fails makes its page wrong. */
function reportFailure(seed: number, error: unknown): Result {
  console.log(`seed ${seed}: failed: ${error}`);
  return { isRight: false, relations: [] };
}

function printSummary(results: readonly Result[], right: number): void {
  const broken = relationNames.map((name) => {
    const all = results.flatMap((result) => result.relations.filter((relation) => relation.name === name));
    return `broken by ${all.filter(({ isBroken }) => isBroken).length} of ${all.length}: ${name}`;
  });
  console.log([`${right} of ${results.length} generated pages are right.`, ...broken].join("\n"));
}

/** The results of `work` for all items, as many at a time as there are processors. */
async function inParallel<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...items.entries()];
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await work(next[1], next[0]);
    }),
  );
  return results;
}
