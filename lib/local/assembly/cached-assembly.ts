// The cloud assembly of a project, kept until its sources change: to make one takes longer than all the rest of a start.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { copyFile, link, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { type SynthesizeOptions, synthesize } from "./synthesize.ts";

/** What an assembly is made of, beside the packages that the lockfile names. */
const SOURCES = ["bin", "functions", "layers", "lib", "cdk.json", "package-lock.json"];

/** The one in use, and that of whoever goes back and forth between two branches: each takes 200 MB. */
const KEPT = 2;

const UNFINISHED = ".unfinished-";
const ABANDONED_MS = 60 * 60 * 1000;

/** As `synthesize`, into a folder that is not there yet; from what is kept where nothing has changed since. */
export async function keptAssembly(options: SynthesizeOptions): Promise<string> {
  const folder = join(options.project, ".local", "assemblies");
  const kept = join(folder, keyOf(options));
  if (!existsSync(kept)) await keep(options, kept);
  try {
    await lay(kept, options.output);
  } catch {
    // Somebody with other sources has just removed it.
    await rm(options.output, { recursive: true, force: true });
    await synthesize(options);
  }
  return options.output;
}

function keyOf({ project, context }: SynthesizeOptions): string {
  const hash = createHash("sha256").update(JSON.stringify([process.version, context]));
  for (const source of SOURCES.map((each) => join(project, each)).filter(existsSync)) {
    for (const file of filesOf(source)) hash.update(`${relative(project, file)}\0`).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}

/** But for what is built of the others. */
function filesOf(source: string): string[] {
  if (!statSync(source).isDirectory()) return [source];
  const entries = readdirSync(source, { withFileTypes: true }).filter(({ name }) => name !== "dist");
  const paths = entries.map((entry) => ({ path: join(source, entry.name), isFolder: entry.isDirectory() }));
  return paths.flatMap(({ path, isFolder }) => (isFolder ? filesOf(path) : [path])).toSorted();
}

/** Made beside its place, so that nobody sees half of one. */
async function keep(options: SynthesizeOptions, kept: string): Promise<void> {
  const folder = dirname(kept);
  await mkdir(folder, { recursive: true });
  const unfinished = await mkdtemp(`${kept}${UNFINISHED}`);
  try {
    await synthesize({ ...options, output: unfinished });
    await rename(unfinished, kept);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(kept)) throw error; // another process was faster: its assembly is as good as ours
  }
  await clear(folder, kept);
}

/** Removes the oldest, and what was left by somebody who was killed over it. */
async function clear(folder: string, kept: string): Promise<void> {
  const others = (await readdir(folder)).map((name) => join(folder, name)).filter((path) => path !== kept);
  const madeAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isUnfinished = (path: string) => path.includes(UNFINISHED);
  const abandoned = others.filter((path) => isUnfinished(path) && Date.now() - madeAt(path) > ABANDONED_MS);
  const finished = others.filter((path) => !isUnfinished(path));
  const oldest = finished.toSorted((one, other) => madeAt(other) - madeAt(one)).slice(KEPT - 1);
  await Promise.all([...abandoned, ...oldest].map((path) => rm(path, { recursive: true, force: true })));
}

/** Assets are the same files under another name; what describes them is a copy, for it may be written anew. */
async function lay(kept: string, output: string): Promise<void> {
  await mkdir(output, { recursive: true });
  // Each folder comes before what is in it.
  for (const entry of await readdir(kept, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const to = join(output, relative(kept, from));
    if (entry.isDirectory()) await mkdir(to, { recursive: true });
    else if (entry.parentPath === kept) await copyFile(from, to);
    else await link(from, to).catch(() => copyFile(from, to)); // on another disk
  }
}
