// The filter lists that detect ads, trackers, and the like, with their versions.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FilterList } from "../../engine/adblock/filter-lists.ts";
import { optionalVariable } from "../platform/environment.ts";

/** The lists in the layer of the functions that block requests, as JSON. Defined when the function is bundled. */
declare const FILTER_LISTS: string;

/** On one machine, lists are updated without a deployment, and the function has their folder. On AWS it has no layer. */
export async function readFilterLists(): Promise<readonly FilterList[]> {
  const folder = optionalVariable("BLOCKING_FILES");
  return JSON.parse(folder === undefined ? FILTER_LISTS : await readFile(join(folder, "lists.json"), "utf8"));
}
