// The filter lists as they lie in their layer: engines that are made when the layer is built, and loaded when needed.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FiltersEngine } from "@ghostery/adblocker";
import type { Purpose } from "../../options/filter-purposes.ts";
import { type ConsentFiles, readConsentFiles } from "../overlays/autoconsent-files.ts";

/** One list, as it tells of itself. */
export interface FilterList {
  readonly purpose: Purpose;
  readonly title: string;
  readonly version: string;
  /** The day it was last changed, such as `2026-03-20`. */
  readonly date: string;
}

export interface FilterLists {
  /** The engine of a purpose, read once for as long as a function lives. Rejects when its file is missing. */
  engine(purpose: Purpose): Promise<FiltersEngine>;
  /** What closes consent banners, read once as well. Rejects when a file is missing. */
  consent(): Promise<ConsentFiles>;
}

/** `folder` has a file for each purpose: the layer's `/opt/blocking`. */
export function createFilterLists(folder: string): FilterLists {
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

/** A file of another version of the engine, or none, is a mistake of the deployment: it is told, and not got over. */
async function readEngine(file: string): Promise<FiltersEngine> {
  try {
    const [{ deserializeEngine }, serialized] = await Promise.all([import("./filter-engine.ts"), readFile(file)]);
    return deserializeEngine(serialized);
  } catch (error) {
    throw new Error(`The filter lists at ${file} cannot be used.`, { cause: error });
  }
}
