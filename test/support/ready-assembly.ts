// Synthesizes the cloud assembly once for all tests that start the service.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { synthesizeWithCache } from "../../lib/local/assembly/cached-assembly.ts";

export async function setup(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assembly-"));
  const project = resolve(import.meta.dirname, "../..");
  await synthesizeWithCache({ project, output: join(folder, "laid"), context: { stage: "local" } });
  rmSync(folder, { recursive: true });
}
