// The filter engine's package: the only module that imports it, so that it is loaded on demand and bundled in part.
import { FiltersEngine, Request } from "@ghostery/adblocker";

/** Throws for an engine that another version of the package has serialized. */
export function deserializeEngine(serialized: Uint8Array): FiltersEngine {
  return FiltersEngine.deserialize(serialized);
}

/** A request, or the URL of a page, as engines match it. */
export const toFilterRequest: typeof Request.fromRawDetails = (details) => Request.fromRawDetails(details);
