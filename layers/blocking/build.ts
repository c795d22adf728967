// The blocking layer: filter lists of an npm package, made into engines that are loaded in milliseconds. `npm run lists` prints them.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Artifact, builtFolder, hashedFolder } from "../../lib/build/artifact.ts";
import type { FilterList } from "../../lib/engine/adblock/filter-lists.ts";
import { requirePackageFolder } from "./lists.ts";

/** What the content depends on: lists and rules, and the engine, whose format changes with its version. */
const packages = [
  "@adguard/dnr-rulesets",
  "@duckduckgo/autoconsent",
  "@ghostery/adblocker",
  "@ghostery/adblocker-extended-selectors",
];

/** Becomes /opt. */
export const blockingLayer: Artifact = {
  title: "Filter lists",
  script: join(import.meta.dirname, "make.ts"),
  folder() {
    const hash = createHash("sha256");
    for (const name of packages) {
      hash.update(
        `${name}@${JSON.parse(readFileSync(join(requirePackageFolder(name), "package.json"), "utf8")).version}\n`,
      );
    }
    const sources = readdirSync(import.meta.dirname).filter((file) => /\.(ts|txt)$/.test(file));
    const purposesName = "../../lib/contract/options/filter-purposes.ts";
    for (const file of [...sources.toSorted(), purposesName])
      hash.update(readFileSync(join(import.meta.dirname, file)));
    return hashedFolder(import.meta.dirname, hash);
  },
};

/** The folder of the layer, built first if it is missing. */
export const buildBlockingLayer = (): string => builtFolder(blockingLayer);

/** The lists in the layer, which is built first if it is missing. */
export function builtLists(): FilterList[] {
  return JSON.parse(readFileSync(join(buildBlockingLayer(), "blocking", "lists.json"), "utf8"));
}

if (import.meta.main) {
  for (const { purpose, title, version, date } of builtLists()) console.log([purpose, date, version, title].join("\t"));
}
