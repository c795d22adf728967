// The filter lists of a data folder: those of the service's layer, and those that an update has installed. Symbolic links name the
// lists in use and those before them, so replacing a link changes them without a restart.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { builderId, PROVENANCE, type Provenance } from "../../../../layers/blocking/content-packages.ts";
import type { FilterList } from "../../../engine/adblock/filter-lists.ts";
import { LocalServiceError } from "../../local/local-service-error.ts";

/** The link to the lists of the service's layer, next to the folders of updates. Each start replaces it. */
const LAYER = "layer";
const CURRENT = "current";
const PREVIOUS = "previous";

/** The folder of the links and of the updates. */
export const listsFolder = (dataDir: string): string => resolve(dataDir, "lists");

/** The path of the lists in use, which functions get as `BLOCKING_FILES`. */
export const currentLists = (dataDir: string): string => join(listsFolder(dataDir), CURRENT);

/** The metadata of the lists in a folder; empty when it has none. */
export function readLists(folder: string): readonly FilterList[] {
  return readJson(join(folder, "lists.json")) ?? [];
}

/** What the lists in a folder were made of; undefined when it has none. */
export function readProvenance(folder: string): Provenance | undefined {
  return readJson(join(folder, PROVENANCE));
}

function readJson<T>(file: string): T | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** The date of the list that has changed last, such as `2026-03-20`; an empty string without lists. */
export function newestDate(lists: readonly Pick<FilterList, "date">[]): string {
  return lists.reduce((newest, { date }) => (date > newest ? date : newest), "");
}

/**
 * Makes the lists of a layer available to a service that starts. They are used unless an update is as new, and was made by the same
 * builder: the engine of the service may not read the files of another. Returns a message when an update is no longer used.
 */
export function offerLayerLists(dataDir: string, layer: string): string | undefined {
  const folder = listsFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  replaceLink(folder, LAYER, layer);
  const current = readLink(folder, CURRENT);
  if (current === LAYER) return undefined;
  const reason = current === undefined ? undefined : whyUnusable(join(folder, current), layer);
  if (current !== undefined && reason === undefined) return undefined;
  switchTo(dataDir, LAYER);
  return reason;
}

/** Uses the lists in a folder below `listsFolder` from now on, and keeps those before them. */
export function switchTo(dataDir: string, name: string): void {
  const folder = listsFolder(dataDir);
  const current = readLink(folder, CURRENT);
  if (current === name) return;
  if (current !== undefined) replaceLink(folder, PREVIOUS, current);
  replaceLink(folder, CURRENT, name);
}

/**
 * Throws `LocalServiceError` for a data folder without a service, for a link in place of its folder of lists, which would lead root
 * elsewhere, and for a running service whose builder is another one: its engine may not read the files of this one.
 */
export function requireOwnService(dataDir: string): void {
  requireFolder(dataDir);
  const layer = readProvenance(join(listsFolder(dataDir), LAYER));
  if (existsSync(join(dataDir, "service.json")) && layer?.builder !== builderId())
    throw new LocalServiceError("The running service is of another version than this command. Restart it first.");
}

function requireFolder(dataDir: string): void {
  const folder = listsFolder(dataDir);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) throw new LocalServiceError(`No service has started with the data folder '${dataDir}'. Start it first.`);
  if (!found.isDirectory())
    throw new LocalServiceError(`${folder} must be a folder. Remove it, and restart the service.`);
}

/** Uses the lists before those in use. Throws `LocalServiceError` when there are none. */
export function switchBack(dataDir: string): void {
  requireFolder(dataDir);
  const folder = listsFolder(dataDir);
  const previous = readLink(folder, PREVIOUS);
  const layer = join(folder, LAYER);
  if (previous === undefined || !existsSync(join(folder, previous)))
    throw new LocalServiceError(`${folder} has no earlier lists to go back to.`);
  const reason = previous !== LAYER && existsSync(layer) ? whyOfOtherBuilder(join(folder, previous), layer) : undefined;
  if (reason !== undefined) throw new LocalServiceError(reason);
  switchTo(dataDir, previous);
}

const ABANDONED_MS = 60 * 60 * 1000;
const UPDATE = /^[0-9a-f]+$/;
/** What an update leaves that is killed. */
const UNFINISHED = /^[0-9a-f]+\.incomplete-[\w-]+$|^\.\w+-\d+$/;

/**
 * Removes updates that are neither in use nor were before, and what an update left that was killed. Only files of these names: root runs
 * updates in a folder that a page which has broken out of Chromium can change.
 */
export function removeOldUpdates(dataDir: string): void {
  const folder = listsFolder(dataDir);
  const kept = [CURRENT, PREVIOUS, LAYER, readLink(folder, CURRENT), readLink(folder, PREVIOUS)];
  const isAbandoned = (name: string) => Date.now() - lstatSync(join(folder, name)).mtimeMs > ABANDONED_MS;
  const isOld = (name: string) => UPDATE.test(name) || (UNFINISHED.test(name) && isAbandoned(name));
  for (const name of readdirSync(folder).filter((each) => !kept.includes(each) && isOld(each)))
    rmSync(join(folder, name), { recursive: true, force: true });
}

function whyUnusable(update: string, layer: string): string | undefined {
  const [updated, delivered] = [newestDate(readLists(update)), newestDate(readLists(layer))];
  if (updated < delivered)
    return `The service brings newer filter lists (${delivered}) than those installed by npm run lists -- --update (${updated || "missing"}), and uses its own.`;
  return whyOfOtherBuilder(update, layer);
}

function whyOfOtherBuilder(update: string, layer: string): string | undefined {
  if (readProvenance(update)?.builder === readProvenance(layer)?.builder) return undefined;
  return "The filter lists that npm run lists -- --update has installed are of another version of the service, which uses its own. Run the command again.";
}

function readLink(folder: string, name: string): string | undefined {
  try {
    return readlinkSync(join(folder, name));
  } catch {
    return undefined; // no link yet
  }
}

/** A rename replaces the link at once, so that a capture sees the old or the new one. */
function replaceLink(folder: string, name: string, target: string): void {
  const temporary = join(folder, `.${name}-${process.pid}`);
  rmSync(temporary, { force: true });
  symlinkSync(target, temporary);
  renameSync(temporary, join(folder, name));
}
