// Packs the TypeScript client with its command line for `npm install`. The same sources give the same bytes.
import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { tarArchive } from "./tar-archive.ts";

const projectRoot = join(import.meta.dirname, "../../..");
const source = join(projectRoot, "clients/typescript");

/** Compiles the client and resolves to its tarball. Rejects with the output of the compiler. */
export async function npmTarball(): Promise<Buffer> {
  const compiled = mkdtempSync(join(tmpdir(), "client-"));
  try {
    await Promise.all([compile(source, compiled), compile(join(source, "src/cli"), compiled)]);
    const files = [
      ...["package.json", "README.md", "LICENSE"].map((name) => [name, readFileSync(join(source, name))] as const),
      ...filesIn(compiled).map((name) => [`dist/${name}`, readFileSync(join(compiled, name))] as const),
    ];
    return await tarArchive(files.map(([name, content]) => [`package/${name}`, content]));
  } finally {
    rmSync(compiled, { recursive: true, force: true });
  }
}

/** Writes JavaScript and declarations. `npm run check` has checked the types, which would take longer than all else here. */
async function compile(project: string, folder: string): Promise<void> {
  const tsc = join(projectRoot, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [tsc, "--project", project, "--outDir", folder, "--noCheck"]);
}

function filesIn(folder: string): string[] {
  return globSync("**/*.{js,d.ts}", { cwd: folder }).toSorted();
}
