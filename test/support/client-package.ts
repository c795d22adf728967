// The package of the typed client and the command line, as the website serves it, installed in a folder of the test.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { TARBALL_NAME } from "../../lib/site/client-packages/client-paths.ts";
import { npmTarball } from "../../lib/site/client-packages/npm-tarball.ts";

const run = promisify(execFile);

export interface ClientPackage {
  /** The tarball. */
  readonly tarball: string;
  /** A folder in which the package is installed. */
  readonly folder: string;
  /** The file of the command. */
  readonly command: string;
}

/** Packs the client, and installs the tarball in `folder/consumer`. */
export async function installClient(folder: string): Promise<ClientPackage> {
  const tarball = join(folder, TARBALL_NAME);
  writeFileSync(tarball, await npmTarball());
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
