// Builds the blocking layer in a folder, in its own process: node layers/blocking/make.ts <folder>
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Config, FiltersEngine, parseFilters } from "@ghostery/adblocker";
import { publishFolder } from "../../lib/build/publish-folder.ts";
import { purposes } from "../../lib/contract/options/filter-purposes.ts";
import type { FilterList } from "../../lib/engine/adblock/filter-lists.ts";
import { toAdblockSyntax } from "./adguard-syntax.ts";
import { writeConsentFiles } from "./consent.ts";
import { hasSupportedSelector, isBlockingFilter, limitToScope } from "./filter-selection.ts";
import { type ListText, listsFor, requirePackageFolder } from "./lists.ts";

await publishFolder(process.argv[2] ?? "", make);

async function make(folder: string): Promise<void> {
  const blocking = join(folder, "blocking");
  await mkdir(blocking);
  await writeEngines(blocking);
  await writeConsentFiles(blocking);
  await copyLicences(join(blocking, "licences"));
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
  const parsed = lists.map(({ text, scope }) => limitToScope(scope, parseFilters(toAdblockSyntax(text), config)));
  return new FiltersEngine({
    config,
    networkFilters: parsed.flatMap(({ networkFilters }) => networkFilters).filter(isBlockingFilter),
    cosmeticFilters: parsed.flatMap(({ cosmeticFilters }) => cosmeticFilters).filter(hasSupportedSelector),
  });
}

/** The licences of the content, which must be distributed with it. */
async function copyLicences(folder: string): Promise<void> {
  await mkdir(folder);
  for (const name of ["@adguard/dnr-rulesets", "@duckduckgo/autoconsent"]) {
    await copyFile(join(requirePackageFolder(name), "LICENSE"), join(folder, `${name.split("/").at(-1)}.txt`));
  }
}
