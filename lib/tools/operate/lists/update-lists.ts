// Installs the newest filter lists into a data folder, whose service uses them without a restart.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { writeBlockingFiles } from "../../../../layers/blocking/blocking-files.ts";
import { consentPackageFiles } from "../../../../layers/blocking/consent.ts";
import {
  blockingFilesId,
  builderId,
  type ContentPackage,
  type ContentVersions,
  contentPackages,
} from "../../../../layers/blocking/content-packages.ts";
import { listFiles } from "../../../../layers/blocking/lists.ts";
import { publishFolder } from "../../../build/publish-folder.ts";
import { purposes } from "../../../contract/options/filter-purposes.ts";
import { createFilterLists } from "../../../engine/adblock/filter-lists.ts";
import { LocalServiceError } from "../../local/local-service-error.ts";
import {
  currentLists,
  listsFolder,
  newestDate,
  readLists,
  readProvenance,
  removeOldUpdates,
  requireOwnService,
  switchTo,
} from "./lists-folder.ts";
import { extractPackage, newestVersion, type PublishedPackage } from "./npm-registry.ts";

export interface ListsUpdate {
  /** False when the newest lists are in use already. */
  readonly isNew: boolean;
  readonly versions: ContentVersions;
  /** The date of the list that has changed last. */
  readonly date: string;
}

const neededFiles: Readonly<Record<ContentPackage, readonly string[]>> = {
  lists: ["package.json", "LICENSE", ...listFiles],
  consent: ["package.json", "LICENSE", ...consentPackageFiles],
};

/**
 * Installs the newest packages of a registry. The lists before them are kept, and stay in use when anything fails. Throws
 * `LocalServiceError` when no service has used the data folder, the registry cannot be
 * used, or its lists are broken, older, or have lost half of their rules.
 */
export async function updateLists(dataDir: string, registry: string): Promise<ListsUpdate> {
  requireOwnService(dataDir);
  const [lists, consent] = await Promise.all([
    newestVersion(registry, contentPackages.lists),
    newestVersion(registry, contentPackages.consent),
  ]);
  const versions = { lists: lists.version, consent: consent.version };
  const current = currentLists(dataDir);
  const name = blockingFilesId(versions);
  const inUse = readProvenance(current);
  if (inUse?.builder === builderId() && blockingFilesId(inUse.versions) === name) {
    return { isNew: false, versions, date: newestDate(readLists(current)) };
  }
  const folder = join(listsFolder(dataDir), name);
  await publishFolder(folder, async (incomplete) => {
    await build(incomplete, { lists, consent });
    await requireBetter(incomplete, current);
  });
  switchTo(dataDir, name);
  removeOldUpdates(dataDir);
  return { isNew: true, versions, date: newestDate(readLists(folder)) };
}

async function build(folder: string, packages: Readonly<Record<ContentPackage, PublishedPackage>>): Promise<void> {
  const unpacked = mkdtempSync(`${folder}-`);
  try {
    const content = { lists: join(unpacked, "lists"), consent: join(unpacked, "consent") };
    for (const each of ["lists", "consent"] as const) {
      await mkdir(content[each]);
      await extractPackage(packages[each], content[each], neededFiles[each]);
    }
    await writeBlockingFiles(folder, content);
  } catch (cause) {
    if (cause instanceof LocalServiceError) throw cause;
    throw new LocalServiceError(
      `The newest lists cannot be used, and nothing has changed: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

/** Compares the new lists with those in use: fewer blocked requests would go unnoticed. */
async function requireBetter(updated: string, current: string): Promise<void> {
  const engines = createFilterLists(updated);
  for (const purpose of purposes) await engines.engine(purpose);
  await engines.consent();
  const [next, before] = [newestDate(readLists(updated)), newestDate(readLists(current))];
  if (next < before)
    throw new LocalServiceError(`The newest lists of the registry (${next}) are older than those in use (${before}).`);
  for (const file of [...purposes.map((purpose) => `${purpose}.engine`), "consent.json"]) {
    const sizeBefore = statSync(join(current, file), { throwIfNoEntry: false })?.size ?? 0;
    if (statSync(join(updated, file)).size < sizeBefore / 2)
      throw new LocalServiceError(
        `${file} of the newest lists has lost more than half of its rules. Those in use stay; try again in a day.`,
      );
  }
}
