// The temporary folder of a test run: everything that tests write outside the project is in it and removed with it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { TMPDIR, NODE_COMPILE_CACHE } = process.env;
let folder: string | undefined;

/**
 * Points TMPDIR of this process, and of all that are started from now on, to a new folder until the run has ended. Node.js
 * keeps compiled code there, too: the tests start several hundred commands, which spend half of their time on compiling.
 */
export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), "capture-tests-"));
  set("TMPDIR", folder);
  set("NODE_COMPILE_CACHE", join(folder, "compile-cache"));
}

export function teardown(): void {
  set("TMPDIR", TMPDIR);
  set("NODE_COMPILE_CACHE", NODE_COMPILE_CACHE);
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function set(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
