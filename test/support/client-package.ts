// The package of the typed client and the command line, built and packed as `npm run client` does, in a folder of the test.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";

const project = resolve(import.meta.dirname, "../..");
const source = join(project, "clients/typescript");
const run = promisify(execFile);

export interface ClientPackage {
  /** The tarball. */
  readonly tarball: string;
  /** A folder in which the package is installed. */
  readonly folder: string;
  /** The file of the command. */
  readonly command: string;
}

/** Builds and packs the package, and installs the tarball in `folder/consumer`. */
export async function installClient(folder: string): Promise<ClientPackage> {
  const built = join(folder, "package");
  mkdirSync(built);
  for (const file of ["package.json", "README.md", "LICENSE"]) cpSync(join(source, file), join(built, file));
  const tsc = join(project, "node_modules/.bin/tsc");
  await Promise.all([
    run(tsc, ["-p", source, "--outDir", join(built, "dist")]),
    run(tsc, ["-p", join(source, "src/cli"), "--outDir", join(built, "dist")]),
  ]);
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: built });
  const tarball = join(folder, stdout.trim());
  const consumer = join(folder, "consumer");
  mkdirSync(consumer);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", tarball], { cwd: consumer });
  const command = join(consumer, "node_modules/screen-capture-client/dist/cli/main.js");
  return { tarball, folder: consumer, command };
}

/** Every version of Node.js on this machine that the package supports, one for each major version. */
export async function supportedNodes(): Promise<ReadonlyMap<number, string>> {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const others = folders.map((folder) => join(folder, "node")).filter(existsSync);
  const nodes = new Map<number, string>();
  for (const node of [process.execPath, ...others]) {
    const [major = 0, minor = 0] = (await run(node, ["-p", "process.versions.node"])).stdout.split(".").map(Number);
    if ((major > 20 || (major === 20 && minor >= 17)) && !nodes.has(major)) nodes.set(major, node);
  }
  return nodes;
}
