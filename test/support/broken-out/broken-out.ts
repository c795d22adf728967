// Runs code in place of a Chromium that a page has broken out of, as a user of the test's choice.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { hardeningFolder } from "../../../layers/hardening/build.ts";

/** The function's process is closed; the code runs with the filter. */
export type Protections = readonly ("closed" | "filter")[];

/** A folder that each user can read, unlike that of the test run, with a function, the libraries, and Node.js itself. */
export function createFunctionFolder(): string {
  const folder = mkdtempSync("/tmp/broken-out-");
  cpSync(hardeningFolder("x64"), folder, { recursive: true });
  copyFileSync(process.execPath, join(folder, "node"));
  copyFileSync(join(import.meta.dirname, "attacker.pl"), join(folder, "attacker.pl"));
  buildSync({
    entryPoints: [join(import.meta.dirname, "function.ts")],
    outfile: join(folder, "function.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
    banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` },
  });
  for (const file of ["", "node"]) chmodSync(join(folder, file), 0o755);
  return folder;
}

/** Returns what the code reaches, by way: `reached`, or the error. */
export function attack(folder: string, uid: number, protections: Protections): Readonly<Record<string, string>> {
  const isRoot = process.getuid?.() === 0;
  const { stdout, stderr, status } = spawnSync(
    join(folder, "node"),
    [
      ...["--inspect-port=0", join(folder, "function.mjs"), folder, protections.join()],
      ...["/usr/bin/perl", join(folder, "attacker.pl")],
    ],
    {
      env: { PATH: process.env["PATH"] ?? "", CANARY: "a secret of the function" },
      encoding: "utf8",
      timeout: 30_000,
      ...(isRoot && { uid, gid: uid }),
    },
  );
  if (status !== 0) throw new Error(`The function ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}
