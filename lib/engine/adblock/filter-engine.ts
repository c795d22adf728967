// The one way to the engine's package: a module of its own, so that it is loaded late and bundled without what is unused.
import { FiltersEngine, Request } from "@ghostery/adblocker";

/** Throws for what another version of the package has written. */
export function deserializeEngine(serialized: Uint8Array): FiltersEngine {
  return FiltersEngine.deserialize(serialized);
}

/** What an engine is asked about: a request, or a page whose address it is. */
export const toFilterRequest: typeof Request.fromRawDetails = (details) => Request.fromRawDetails(details);
