// Builds the Chromium layer: the files of @sparticuz/chromium, repacked from brotli to zstd, which unpacks in half the time,
// and in pieces, which unpack in parallel, with hyphenation files. Run by synth when the layer is missing, or by hand:
// node layers/chromium/build.ts
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { extract } from "tar-fs";
import { type PlainFile, packFiles } from "../../lib/engine/browser/packed-files.ts";
import { BROWSER_FILTER_FILE, CLOSED_PROCESS_FILE } from "../../lib/engine/browser/protection.ts";
import { publishFolder } from "../../lib/tools/publish-folder.ts";
import { readHardeningLibrary } from "../hardening/build.ts";
import { hyphenationFiles } from "./hyphenation.ts";

/** Higher levels are slightly smaller, but take minutes and unpack no faster. Level 6: 82 MB in 2.6 s. */
const ZSTD_LEVEL = 6;

/** Chromium is packed for this architecture only. */
const closedProcess = readHardeningLibrary("x64", CLOSED_PROCESS_FILE);
const browserFilter = readHardeningLibrary("x64", BROWSER_FILTER_FILE);

const packageFolder = join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "..");

const hyphenationInputs = [
  ...["hyphenation.ts", "hyphenation-file.ts", "hyphenation-languages.ts", "hyphenation-licences.txt"].map((name) =>
    join(import.meta.dirname, name),
  ),
  fileURLToPath(import.meta.resolve("hyphen/package.json")),
];

/**
 * The folder that becomes /opt. It is built when it is missing. Its name is made of the inputs of the build, so it is built
 * once per version of Chromium.
 */
export function buildChromiumLayer(): string {
  const folder = layerFolder();
  // Constructs are synchronous and streams are not, hence the child process.
  if (!existsSync(folder))
    execFileSync(process.execPath, [import.meta.filename], { stdio: ["ignore", "inherit", "inherit"] });
  return folder;
}

function layerFolder(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
  const others = createHash("sha256").update(closedProcess).update(browserFilter);
  for (const path of hyphenationInputs) others.update(readFileSync(path));
  // Without dots, because CDK would parse a file extension.
  return join(
    import.meta.dirname,
    "dist",
    `${version.replaceAll(".", "-")}-zstd-${ZSTD_LEVEL}-files-no-fonts-checksums-${others.digest("hex").slice(0, 8)}`,
  );
}

async function build(folder: string): Promise<void> {
  await mkdir(join(folder, "chromium"));
  await packFiles(await files(), join(folder, "chromium", "chromium"), ZSTD_LEVEL);
  await writeFile(join(folder, "chromium", CLOSED_PROCESS_FILE), closedProcess);
}

/** The browser, its libraries, with the one that it is started with, and hyphenation files. The font of the package is omitted, because fonts have their own layer. */
async function files(): Promise<PlainFile[]> {
  const browser = { path: "chromium", mode: 0o700, content: await unpackedFile("chromium") };
  const [swiftshader, al2023] = [await extractFiles("swiftshader.tar"), await extractFiles("al2023.tar")];
  const filter = { path: join("lib", BROWSER_FILTER_FILE), mode: 0o700, content: browserFilter };
  return [
    browser,
    ...swiftshader,
    ...[...al2023, filter].map((file) => ({ ...file, path: join("al2023", file.path) })),
    ...hyphenationFiles(),
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

if (import.meta.main) await publishFolder(layerFolder(), build);
