// The options that the engine gets: what a capture shows, and nothing of where it goes.
import type { CaptureOptions } from "./capture-options.ts";
import { deliveryOptions } from "./groups/delivery.ts";
import { storageOptions } from "./groups/storage.ts";

/** Options of a capture without those of delivery, cache and storage, whose secrets have no business near a page. */
export type EngineOptions = Omit<CaptureOptions, keyof typeof deliveryOptions | keyof typeof storageOptions>;

const isLeftOut = (name: string) => Object.hasOwn(deliveryOptions, name) || Object.hasOwn(storageOptions, name);

/** What the engine gets of the options of a capture. */
export function engineOptions(options: CaptureOptions): EngineOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !isLeftOut(name))) as EngineOptions;
}
