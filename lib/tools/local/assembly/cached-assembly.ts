// Cache of cloud assemblies by a hash of the sources: synthesis takes longer than the rest of a start.
import { existsSync } from "node:fs";
import { copyFile, link, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { hashSources } from "../../../build/artifact.ts";
import { evictOlderThan, publishFolder } from "../../../build/publish-folder.ts";
import { LocalServiceError } from "../local-service-error.ts";
import { type SynthesizeOptions, synthesize } from "./synthesize.ts";

/** The inputs of an assembly, apart from the packages in the lockfile. */
const SOURCES = [
  ...["bin", "functions", "layers", "lib", "cdk.json", "package-lock.json"],
  "clients", // packages that the website serves
  ...["docs", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"], // pages of the website
];

type Synthesize = (options: SynthesizeOptions) => Promise<string>;

/** Like `synthesizeNew` into a new folder, but copied from the cache when the sources have not changed. */
export async function synthesizeWithCache(
  options: SynthesizeOptions,
  synthesizeNew: Synthesize = synthesize,
): Promise<string> {
  try {
    await copyFromCache(await synthesizeIntoCache(options, synthesizeNew), options.output);
  } catch (error) {
    if (error instanceof LocalServiceError) throw error;
    // Another process has just evicted it, or the checkout belongs to another user.
    await rm(options.output, { recursive: true, force: true });
    await synthesizeNew(options);
  }
  return options.output;
}

/** Copies the assembly of these sources from the cache. Resolves to false, and leaves no output, when it is not there. */
export async function copyIfCached(options: SynthesizeOptions): Promise<boolean> {
  const cached = cachedFolder(options);
  if (!existsSync(cached)) return false;
  try {
    await copyFromCache(cached, options.output);
    return true;
  } catch {
    await rm(options.output, { recursive: true, force: true }); // another process has just evicted it
    return false;
  }
}

/**
 * Like `synthesizeWithCache`, into a folder with an assembly from which functions run: its assets stay as they are, because their names
 * have the hash of their content.
 */
export async function completeAssembly(options: SynthesizeOptions, synthesizeNew: Synthesize): Promise<void> {
  let cached: string;
  try {
    cached = await synthesizeIntoCache(options, synthesizeNew);
  } catch (error) {
    if (error instanceof LocalServiceError) throw error;
    await synthesizeNew(options); // the checkout belongs to another user
    return;
  }
  await copyFromCache(cached, options.output);
}

/** Synthesizes into the cache, unless the sources have not changed. Resolves to the folder there. */
async function synthesizeIntoCache(options: SynthesizeOptions, synthesizeNew: Synthesize): Promise<string> {
  const cached = cachedFolder(options);
  if (existsSync(cached)) return cached;
  await publishFolder(cached, async (output) => void (await synthesizeNew({ ...options, output })));
  evictOlderThan(cached);
  return cached;
}

/** Hashes all sources, which takes a tenth of a second. */
function cachedFolder(options: SynthesizeOptions): string {
  return join(options.project, ".local", "assemblies", hashInputs(options));
}

function hashInputs({ project, context }: SynthesizeOptions): string {
  const hash = hashSources(project, SOURCES).update(JSON.stringify([process.version, context]));
  return hash.digest("hex").slice(0, 16);
}

/** Hard-links the assets that the output lacks, and copies the other files, which a later synthesis may overwrite. */
async function copyFromCache(cached: string, output: string): Promise<void> {
  await mkdir(output, { recursive: true });
  const isNew = (name: string) => !name.startsWith("asset.") || !existsSync(join(output, name));
  for (const name of (await readdir(cached)).filter(isNew)) {
    const [from, to] = [join(cached, name), join(output, name)];
    if ((await stat(from)).isDirectory()) await linkFolder(from, to);
    else await copyFile(from, to);
  }
}

async function linkFolder(folder: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  // readdir lists each folder before its content.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const to = join(target, relative(folder, from));
    if (entry.isDirectory()) await mkdir(to, { recursive: true });
    else await link(from, to).catch(() => copyFile(from, to)); // hard links cannot cross disks
  }
}
