// The npm packages with the content of the layer, and the identity of what this folder makes of them.
import { createHash, type Hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Filter lists, and rules for consent banners. */
export const contentPackages = { lists: "@adguard/dnr-rulesets", consent: "@duckduckgo/autoconsent" } as const;

export type ContentPackage = keyof typeof contentPackages;

/** The folder of each unpacked package. */
export type ContentFolders = Readonly<Record<ContentPackage, string>>;

/** The version of each package. */
export type ContentVersions = Readonly<Record<ContentPackage, string>>;

/** The file next to the blocking files that says what they were made of, and by what. */
export const PROVENANCE = "provenance.json";

/** The content of that file. */
export interface Provenance {
  readonly builder: string;
  readonly versions: ContentVersions;
}

/** The folder of an installed package. Throws when it is not installed. */
export function requirePackageFolder(name: string): string {
  const folder = join(import.meta.dirname, "../../node_modules", name);
  if (!existsSync(folder)) throw new Error(`${name} is not installed. Run npm ci.`);
  return folder;
}

/** The packages that `npm ci` has installed. Throws when one is not. */
export function installedContent(): ContentFolders {
  return {
    lists: requirePackageFolder(contentPackages.lists),
    consent: requirePackageFolder(contentPackages.consent),
  };
}

/** The versions in the manifests of the packages. */
export function contentVersions(folders: ContentFolders): ContentVersions {
  return { lists: packageVersion(folders.lists), consent: packageVersion(folders.consent) };
}

/**
 * A hash of the modules of this folder and of the engine, whose format changes with its version. Files that another builder has made
 * may have another format.
 */
export function builderId(): string {
  return shorten(hashBuilder());
}

/** Names the files that this builder makes of these versions. */
export function blockingFilesId({ lists, consent }: ContentVersions): string {
  return shorten(hashBuilder().update(`${lists}\n${consent}\n`));
}

const engines = ["@ghostery/adblocker", "@ghostery/adblocker-extended-selectors"];

function hashBuilder(): Hash {
  const hash = createHash("sha256");
  for (const name of engines) hash.update(`${name}@${packageVersion(requirePackageFolder(name))}\n`);
  const sources = readdirSync(import.meta.dirname).filter((file) => /\.(ts|txt)$/.test(file));
  const purposes = "../../lib/contract/options/filter-purposes.ts";
  for (const file of [...sources.toSorted(), purposes]) hash.update(readFileSync(join(import.meta.dirname, file)));
  return hash;
}

function packageVersion(folder: string): string {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
}

const shorten = (hash: Hash) => hash.digest("hex").slice(0, 16);
