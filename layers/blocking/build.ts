// The blocking layer: filter lists of an npm package, made into engines that are loaded in milliseconds. Built by synth
// when it is missing, or by hand: node layers/blocking/build.ts
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FilterList } from "../../lib/engine/adblock/filter-lists.ts";
import { packageFolder } from "./lists.ts";

/** What the content depends on: lists and rules, and the engine, whose format changes with its version. */
const packages = [
  "@adguard/dnr-rulesets",
  "@duckduckgo/autoconsent",
  "@ghostery/adblocker",
  "@ghostery/adblocker-extended-selectors",
];

/** The folder that becomes /opt, built first if it is missing. It is named by what its content depends on. */
export function buildBlockingLayer(): string {
  const folder = layerFolder();
  // Constructs are made synchronously and files are written asynchronously, hence a process of its own.
  if (!existsSync(folder)) {
    const maker = join(import.meta.dirname, "make.ts");
    execFileSync(process.execPath, [maker, folder], { stdio: ["ignore", "inherit", "inherit"] });
  }
  return folder;
}

/** The lists in the layer, which is built first if it is missing. */
export function builtLists(): FilterList[] {
  return JSON.parse(readFileSync(join(buildBlockingLayer(), "blocking", "lists.json"), "utf8"));
}

function layerFolder(): string {
  const hash = createHash("sha256");
  for (const name of packages) {
    hash.update(`${name}@${JSON.parse(readFileSync(join(packageFolder(name), "package.json"), "utf8")).version}\n`);
  }
  const sources = readdirSync(import.meta.dirname).filter((file) => /\.(ts|txt)$/.test(file));
  const purposesName = "../../lib/contract/options/filter-purposes.ts";
  for (const file of [...sources.toSorted(), purposesName]) hash.update(readFileSync(join(import.meta.dirname, file)));
  return join(import.meta.dirname, "dist", hash.digest("hex").slice(0, 16));
}

if (import.meta.main) {
  for (const { purpose, title, version, date } of builtLists()) console.log([purpose, date, version, title].join("\t"));
}
