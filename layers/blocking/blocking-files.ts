// Writes what the engine blocks by: serialized engines, the metadata of their lists, rules for consent banners, and licences.
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Config, FiltersEngine, parseFilters } from "@ghostery/adblocker";
import { purposes } from "../../lib/contract/options/filter-purposes.ts";
import type { FilterList } from "../../lib/engine/adblock/filter-lists.ts";
import { toAdblockSyntax } from "./adguard-syntax.ts";
import { writeConsentFiles } from "./consent.ts";
import { builderId, type ContentFolders, contentVersions, PROVENANCE, type Provenance } from "./content-packages.ts";
import { hasSupportedSelector, isBlockingFilter, limitToScope } from "./filter-selection.ts";
import { type ListText, listsFor } from "./lists.ts";

/** Fills an empty folder. Throws when a package lacks a list, or has one without title, version, or date. */
export async function writeBlockingFiles(folder: string, content: ContentFolders): Promise<void> {
  await writeEngines(folder, content.lists);
  await writeConsentFiles(folder, content.consent);
  await copyLicences(join(folder, "licences"), content);
  const provenance: Provenance = { builder: builderId(), versions: contentVersions(content) };
  await writeFile(join(folder, PROVENANCE), JSON.stringify(provenance, undefined, 2));
}

async function writeEngines(folder: string, content: string): Promise<void> {
  const metadata: FilterList[] = [];
  for (const purpose of purposes) {
    const lists = listsFor(purpose, content);
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
async function copyLicences(folder: string, content: ContentFolders): Promise<void> {
  await mkdir(folder);
  await copyFile(join(content.lists, "LICENSE"), join(folder, "dnr-rulesets.txt"));
  await copyFile(join(content.consent, "LICENSE"), join(folder, "autoconsent.txt"));
}
