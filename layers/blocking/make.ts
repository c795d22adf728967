// Builds the blocking layer in a folder, in its own process: node layers/blocking/make.ts <folder>
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Config, FiltersEngine, parseFilters } from "@ghostery/adblocker";
import { purposes } from "../../lib/contract/options/filter-purposes.ts";
import type { FilterList } from "../../lib/engine/adblock/filter-lists.ts";
import { inWordsOfEngine } from "./adguard-syntax.ts";
import { isUnderstood, keepsOut, withinReach } from "./choice-of-rules.ts";
import { writeConsentFiles } from "./consent.ts";
import { type ListText, listsFor, packageFolder } from "./lists.ts";

await make(process.argv[2] ?? "");

/** Builds in a temporary folder and renames it, so that other processes never see an incomplete layer. */
async function make(target: string): Promise<void> {
  if (existsSync(target)) return;
  await mkdir(dirname(target), { recursive: true });
  const incomplete = await mkdtemp(`${target}.incomplete-`);
  const blocking = join(incomplete, "blocking");
  try {
    await mkdir(blocking);
    await writeEngines(blocking);
    await writeConsentFiles(blocking);
    await copyLicences(join(blocking, "licences"));
    await rename(incomplete, target);
  } catch (error) {
    await rm(incomplete, { recursive: true, force: true });
    // Another process was faster; its layer is equal.
    if (!existsSync(target)) throw error;
  }
}

async function writeEngines(folder: string): Promise<void> {
  const metadata: FilterList[] = [];
  for (const purpose of purposes) {
    const lists = listsFor(purpose);
    await writeFile(join(folder, `${purpose}.engine`), createEngine(lists).serialize());
    metadata.push(...lists.map(({ title, version, date }) => ({ purpose, title, version, date })));
  }
  await writeFile(join(folder, "lists.json"), JSON.stringify(metadata, undefined, 2));
}

function createEngine(lists: readonly ListText[]): FiltersEngine {
  const config = new Config({
    loadExtendedSelectors: true,
    // Patterns that are joined to one expression would take more than linear time, see WildcardExpression.
    enableOptimizations: false,
    // A checksum of the file would take 10 ms of loading instead of 0.1.
    integrityCheck: false,
  });
  const parsed = lists.map(({ text, reach }) => withinReach(reach, parseFilters(inWordsOfEngine(text), config)));
  return new FiltersEngine({
    config,
    networkFilters: parsed.flatMap(({ networkFilters }) => networkFilters).filter(keepsOut),
    cosmeticFilters: parsed.flatMap(({ cosmeticFilters }) => cosmeticFilters).filter(isUnderstood),
  });
}

/** The licences of the content, which must be distributed with it. */
async function copyLicences(folder: string): Promise<void> {
  await mkdir(folder);
  for (const name of ["@adguard/dnr-rulesets", "@duckduckgo/autoconsent"]) {
    await copyFile(join(packageFolder(name), "LICENSE"), join(folder, `${name.split("/").at(-1)}.txt`));
  }
}
