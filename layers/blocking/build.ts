// The blocking layer: filter lists of an npm package, made into engines that are loaded in milliseconds.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Artifact, builtFolder } from "../../lib/build/artifact.ts";
import type { FilterList } from "../../lib/engine/adblock/filter-lists.ts";
import { blockingFilesId, contentVersions, installedContent } from "./content-packages.ts";

/** Becomes /opt. */
export const blockingLayer: Artifact = {
  title: "Filter lists",
  script: join(import.meta.dirname, "make.ts"),
  folder: () => join(import.meta.dirname, "dist", blockingFilesId(contentVersions(installedContent()))),
};

/** The folder of the layer, built first if it is missing. */
export const buildBlockingLayer = (): string => builtFolder(blockingLayer);

/** The lists in the layer, which is built first if it is missing. */
export function builtLists(): FilterList[] {
  return JSON.parse(readFileSync(join(buildBlockingLayer(), "blocking", "lists.json"), "utf8"));
}
