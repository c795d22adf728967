// Filter lists: engines that are serialized when the layer is built, and loaded on demand.
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { FiltersEngine } from "@ghostery/adblocker";
import type { Purpose } from "../../contract/options/filter-purposes.ts";
import { type ConsentFiles, readConsentFiles } from "./autoconsent-files.ts";

/** The metadata of one list. */
export interface FilterList {
  readonly purpose: Purpose;
  readonly title: string;
  readonly version: string;
  /** Date of the last change, such as `2026-03-20`. */
  readonly date: string;
}

export interface FilterLists {
  /** The engine of a purpose. Rejects when its file is missing. */
  engine(purpose: Purpose): Promise<FiltersEngine>;
  /** Autoconsent's files. Rejects when one is missing. */
  consent(): Promise<ConsentFiles>;
}

/**
 * `folder` has a file for each purpose: the layer's `/opt/blocking`. Each is loaded once per process. On one machine the folder can be a
 * symbolic link, and files are loaded again when it names another folder.
 */
export function createFilterLists(folder: string): FilterLists {
  let loaded: { readonly path: string; readonly lists: FilterLists } | undefined;
  const current = async () => {
    const path = await realpath(folder).catch(() => folder); // reading a file of a missing folder reports which one
    if (loaded?.path !== path) loaded = { path, lists: loadOnce(path) };
    return loaded.lists;
  };
  return {
    engine: async (purpose) => (await current()).engine(purpose),
    consent: async () => (await current()).consent(),
  };
}

function loadOnce(folder: string): FilterLists {
  const engines = new Map<Purpose, Promise<FiltersEngine>>();
  let consent: Promise<ConsentFiles> | undefined;
  return {
    engine(purpose) {
      const engine = engines.get(purpose) ?? readEngine(join(folder, `${purpose}.engine`));
      engines.set(purpose, engine);
      return engine;
    },
    consent() {
      consent ??= readConsentFiles(folder);
      return consent;
    },
  };
}

/** A missing file, or one of another engine version, is a deployment error, so it is not ignored. */
async function readEngine(file: string): Promise<FiltersEngine> {
  try {
    const [{ deserializeEngine }, serialized] = await Promise.all([import("./filter-engine.ts"), readFile(file)]);
    return deserializeEngine(serialized);
  } catch (error) {
    throw new Error(`The filter lists at ${file} cannot be used.`, { cause: error });
  }
}
