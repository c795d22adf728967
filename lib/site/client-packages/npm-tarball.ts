// Packs the TypeScript client with its command line for `npm install`. The same sources give the same bytes.
import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import tar from "tar-stream";

const projectRoot = join(import.meta.dirname, "../../..");
const source = join(projectRoot, "clients/typescript");

/** As npm has it: before 1980, the times of a zip file could not hold what is unpacked. */
const MODIFIED_AT = new Date("1985-10-26T08:15:00Z");

/** Compiles the client and resolves to its tarball. Rejects with the output of the compiler. */
export async function npmTarball(): Promise<Buffer> {
  const compiled = mkdtempSync(join(tmpdir(), "client-"));
  try {
    await Promise.all([compile(source, compiled), compile(join(source, "src/cli"), compiled)]);
    const files = [
      ...["package.json", "README.md", "LICENSE"].map((name) => [name, readFileSync(join(source, name))] as const),
      ...filesIn(compiled).map((name) => [`dist/${name}`, readFileSync(join(compiled, name))] as const),
    ];
    return await pack(files);
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

async function pack(files: readonly (readonly [name: string, content: Buffer])[]): Promise<Buffer> {
  const archive = tar.pack();
  for (const [name, content] of files) {
    archive.entry({ name: `package/${name}`, mtime: MODIFIED_AT, mode: 0o644 }, content);
  }
  archive.finalize();
  return gzipSync(await buffer(archive), { level: 9 });
}
