// Cache of cloud assemblies by a hash of the sources: synthesis takes longer than the rest of a start.
import { existsSync } from "node:fs";
import { copyFile, link, mkdir, readdir, rm } from "node:fs/promises";
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
  const folder = join(options.project, ".local", "assemblies");
  const cached = join(folder, hashInputs(options));
  try {
    if (!existsSync(cached)) {
      await publishFolder(cached, async (output) => void (await synthesizeNew({ ...options, output })));
      evictOlderThan(cached);
    }
    await copyFromCache(cached, options.output);
  } catch (error) {
    if (error instanceof LocalServiceError) throw error;
    // Another process has just evicted it, or the checkout belongs to another user.
    await rm(options.output, { recursive: true, force: true });
    await synthesizeNew(options);
  }
  return options.output;
}

function hashInputs({ project, context }: SynthesizeOptions): string {
  const hash = hashSources(project, SOURCES).update(JSON.stringify([process.version, context]));
  return hash.digest("hex").slice(0, 16);
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
