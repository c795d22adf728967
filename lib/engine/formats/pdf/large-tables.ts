// Keeps the memory of a print low: divides large tables, and releases earlier layouts of large documents.

import * as v from "valibot";
import type * as divide from "../../injected/divide-tables.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";

/** A table of 3,000 rows and 12 columns. In smaller ones, division saves less than 300 MB. */
const LARGE_TABLE_CELLS = 36_000;

/** A document of this size takes about 300 MB, and the collection of its garbage half a second. */
const LARGE_DOCUMENT_NODES = 50_000;

/**
 * Divides the tables that have at least `minCells` cells and look the same when they are divided. Returns how many there are. Each
 * call undoes the divisions of the one before.
 */
export async function divideLargeTables(page: CapturedPage, minCells: number = LARGE_TABLE_CELLS): Promise<number> {
  const count = await evaluateInIsolatedWorld(page, divideTables, minCells);
  if (count > 0) await releaseLayouts(page);
  return count;
}

/**
 * Releases what earlier layouts of a large document have left in memory. Chromium would do so later, but not during a print, which
 * lays out the document four times in one task.
 */
export async function releaseLayouts({ session: { cdp } }: CapturedPage): Promise<void> {
  const { nodes } = await cdp.send("Memory.getDOMCounters");
  if (nodes > LARGE_DOCUMENT_NODES) await cdp.send("HeapProfiler.collectGarbage");
}

const divideTables: PageFunction<typeof divide.divideTables> = pageFunction("printing", "divideTables", {
  result: v.number(),
});
