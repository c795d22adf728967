// The filter lists as they lie in their layer: engines that are made when the layer is built, and loaded when needed.
import type { FiltersEngine } from "@ghostery/adblocker";
import type { Purpose } from "./purposes.ts";

export interface FilterLists {
  /** The engine of a purpose, read once for as long as a function lives. Rejects when its file is missing. */
  engine(purpose: Purpose): Promise<FiltersEngine>;
}

/** `folder` has a file for each purpose: the layer's `/opt/blocking`. */
export function createFilterLists(_folder: string): FilterLists {
  return { engine: () => Promise.reject(new Error("to be written")) };
}
