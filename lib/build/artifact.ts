// Build artifacts: folders that are built once for each state of their inputs, by a script in a process of its own.
import { execFileSync } from "node:child_process";
import { createHash, type Hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { evictOlderThan } from "./publish-folder.ts";

export interface Artifact {
  /** What the folder contains, for a person who waits for it. */
  readonly title: string;
  /** Path of the folder. Its name contains a hash of the inputs, so it changes with them. */
  folder(): string;
  /** Path of the module that builds the folder at the path that is its only argument. */
  readonly script: string;
  /** Artifacts that the script reads. */
  readonly needs?: readonly Artifact[];
}

/**
 * The folder of an artifact, built first if it is missing. The script runs in a process of its own because constructs call this
 * function, which are synchronous.
 */
export function builtFolder({ folder, script }: Artifact): string {
  const path = folder();
  if (existsSync(path)) return path;
  execFileSync(process.execPath, [script, path], { stdio: ["ignore", "inherit", "inherit"] });
  evictOlderThan(path);
  return path;
}

/** A hash of the name and the content of each file in `sources`, which are files and folders below `root`. Build output is ignored. */
export function hashSources(root: string, sources: readonly string[]): Hash {
  const hash = createHash("sha256");
  for (const source of sources.map((each) => join(root, each)).filter(existsSync)) {
    for (const file of listFiles(source)) hash.update(`${relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash;
}

/** The folder of a hash below `parent`. */
export function hashedFolder(parent: string, hash: Hash): string {
  return join(parent, "dist", hash.digest("hex").slice(0, 16));
}

const BUILD_OUTPUT = ["dist", "__pycache__"];

function listFiles(source: string): string[] {
  if (!statSync(source).isDirectory()) return [source];
  const entries = readdirSync(source, { withFileTypes: true }).filter(({ name }) => !BUILD_OUTPUT.includes(name));
  const paths = entries.map((entry) => ({ path: join(source, entry.name), isFolder: entry.isDirectory() }));
  return paths.flatMap(({ path, isFolder }) => (isFolder ? listFiles(path) : [path])).toSorted();
}
