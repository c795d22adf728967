// Synthesizes the assembly before the tests that start the service: several starts at once would each do it otherwise.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localAssembly } from "./local-assembly.ts";

export async function setup(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assembly-"));
  await localAssembly(join(folder, "laid"));
  rmSync(folder, { recursive: true });
}
