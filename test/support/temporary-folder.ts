// The temporary folder of a test run: everything that tests write outside the project is in it and removed with it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const before = process.env["TMPDIR"];
let folder: string | undefined;

/** Points TMPDIR of this process, and of all that are started from now on, to a new folder until the run has ended. */
export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), "capture-tests-"));
  process.env["TMPDIR"] = folder;
}

export function teardown(): void {
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
