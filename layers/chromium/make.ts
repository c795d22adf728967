// Builds the Chromium layer in a folder, in its own process: node layers/chromium/make.ts <folder>
// It has the files of @sparticuz/chromium, repacked from brotli to zstd, which unpacks in half the time, and in pieces, which
// unpack in parallel, with hyphenation files.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { extract } from "tar-fs";
import { publishFolder } from "../../lib/build/publish-folder.ts";
import { type PlainFile, packFiles } from "../../lib/engine/browser/packed-files.ts";
import { BROWSER_FILTER_FILE, CLOSED_PROCESS_FILE } from "../../lib/engine/browser/protection.ts";
import { browserFilter, closedProcess, packageFolder, ZSTD_LEVEL } from "./build.ts";
import { hyphenationFiles } from "./hyphenation.ts";

await publishFolder(process.argv[2] ?? "", make);

async function make(folder: string): Promise<void> {
  await mkdir(join(folder, "chromium"));
  await packFiles(await files(), join(folder, "chromium", "chromium"), ZSTD_LEVEL);
  await writeFile(join(folder, "chromium", CLOSED_PROCESS_FILE), closedProcess);
}

/** The browser, its libraries, with the one that it is started with, and hyphenation files. The font of the package is omitted, because fonts have their own layer. */
async function files(): Promise<PlainFile[]> {
  const unpacking = Promise.all([
    unpackedFile("chromium"),
    extractFiles("swiftshader.tar"),
    extractFiles("al2023.tar"),
  ]);
  const hyphenation = hyphenationFiles(); // keeps this thread busy for as long as others unpack
  const [content, swiftshader, al2023] = await unpacking;
  const filter = { path: join("lib", BROWSER_FILTER_FILE), mode: 0o700, content: browserFilter };
  return [
    { path: "chromium", mode: 0o700, content },
    ...swiftshader,
    ...[...al2023, filter].map((file) => ({ ...file, path: join("al2023", file.path) })),
    ...hyphenation,
  ];
}

function unpackedFile(name: string): Promise<Buffer> {
  return readFile(join(packageFolder, "bin", `${name}.br`)).then((packed) => promisify(brotliDecompress)(packed));
}

async function extractFiles(archive: string): Promise<PlainFile[]> {
  const folder = await mkdtemp(join(tmpdir(), "archive-"));
  try {
    await pipeline(Readable.from([await unpackedFile(archive)]), extract(folder));
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const read = async (path: string) => ({ path: relative(folder, path), mode: 0o700, content: await readFile(path) });
    return await Promise.all(paths.toSorted().map(read));
  } finally {
    await rm(folder, { recursive: true });
  }
}
