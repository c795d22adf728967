// Cache of cloud assemblies by a hash of the sources: synthesis takes longer than the rest of a start.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { copyFile, link, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { INCOMPLETE_MARK, publishFolder } from "../../publish-folder.ts";
import { LocalServiceError } from "../local-service-error.ts";
import { type SynthesizeOptions, synthesize } from "./synthesize.ts";

/** The inputs of an assembly, apart from the packages in the lockfile. */
const SOURCES = [
  ...["bin", "functions", "layers", "lib", "cdk.json", "package-lock.json"],
  "clients", // packages that the website serves
  ...["docs", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"], // pages of the website
];

/** Two, for switching between two branches. Each takes 200 MB. */
const MAX_CACHED_ASSEMBLIES = 2;

const ABANDONED_MS = 60 * 60 * 1000;

/** Like `synthesize` into a new folder, but copied from the cache when the sources have not changed. */
export async function synthesizeWithCache(options: SynthesizeOptions): Promise<string> {
  const folder = join(options.project, ".local", "assemblies");
  const cached = join(folder, hashSources(options));
  try {
    if (!existsSync(cached)) await synthesizeIntoCache(options, cached);
    await copyFromCache(cached, options.output);
  } catch (error) {
    if (error instanceof LocalServiceError) throw error;
    // Another process has just evicted it, or the checkout belongs to another user.
    await rm(options.output, { recursive: true, force: true });
    await synthesize(options);
  }
  return options.output;
}

function hashSources({ project, context }: SynthesizeOptions): string {
  const hash = createHash("sha256").update(JSON.stringify([process.version, context]));
  for (const source of SOURCES.map((each) => join(project, each)).filter(existsSync)) {
    for (const file of listFiles(source)) hash.update(`${relative(project, file)}\0`).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}

/** Build output. */
const IGNORED = ["dist", "__pycache__"];

/** The files of a source, without build output. */
function listFiles(source: string): string[] {
  if (!statSync(source).isDirectory()) return [source];
  const entries = readdirSync(source, { withFileTypes: true }).filter(({ name }) => !IGNORED.includes(name));
  const paths = entries.map((entry) => ({ path: join(source, entry.name), isFolder: entry.isDirectory() }));
  return paths.flatMap(({ path, isFolder }) => (isFolder ? listFiles(path) : [path])).toSorted();
}

async function synthesizeIntoCache(options: SynthesizeOptions, cached: string): Promise<void> {
  await publishFolder(cached, async (output) => void (await synthesize({ ...options, output })));
  await evict(dirname(cached), cached);
}

/** Removes the oldest assemblies, and the incomplete ones of processes that were killed. */
async function evict(folder: string, cached: string): Promise<void> {
  const others = (await readdir(folder)).map((name) => join(folder, name)).filter((path) => path !== cached);
  const modifiedMs = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isIncomplete = (path: string) => path.includes(INCOMPLETE_MARK);
  const abandoned = others.filter((path) => isIncomplete(path) && Date.now() - modifiedMs(path) > ABANDONED_MS);
  const finished = others.filter((path) => !isIncomplete(path));
  const oldest = finished
    .toSorted((one, other) => modifiedMs(other) - modifiedMs(one))
    .slice(MAX_CACHED_ASSEMBLIES - 1);
  await Promise.all([...abandoned, ...oldest].map((path) => rm(path, { recursive: true, force: true })));
}

/** Hard-links the assets, and copies the other files, which a later synthesis may overwrite. */
async function copyFromCache(cached: string, output: string): Promise<void> {
  await mkdir(output, { recursive: true });
  // readdir lists each folder before its content.
  for (const entry of await readdir(cached, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const to = join(output, relative(cached, from));
    if (entry.isDirectory()) await mkdir(to, { recursive: true });
    else if (entry.parentPath === cached) await copyFile(from, to);
    else await link(from, to).catch(() => copyFile(from, to)); // hard links cannot cross disks
  }
}
