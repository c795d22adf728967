// Makes the Chromium layer: the files of @sparticuz/chromium, repacked from brotli to zstd, which unpacks in half the
// time, and in pieces, with which a second core helps. Run by synth when the layer is missing, or by hand:
// node layers/chromium/build.ts
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { extract } from "tar-fs";
import { type PlainFile, packFiles } from "../../lib/platform/packed-files.ts";

/** Higher levels pack the layer a little smaller, but take minutes and unpack no faster: 82 MB in 2.6 s at this one. */
const ZSTD_LEVEL = 6;

const packageFolder = join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "..");

/**
 * The folder that becomes /opt, built first if it is missing. It is named by what its content depends on, so it is
 * built once for each version of Chromium.
 */
export function buildChromiumLayer(): string {
  const folder = layerFolder();
  // Constructs are made synchronously and streams are not, hence the process of its own.
  if (!existsSync(folder))
    execFileSync(process.execPath, [import.meta.filename], { stdio: ["ignore", "inherit", "inherit"] });
  return folder;
}

function layerFolder(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
  // Without dots, behind which CDK would see the extension of a file.
  return join(
    import.meta.dirname,
    "dist",
    `${version.replaceAll(".", "-")}-zstd-${ZSTD_LEVEL}-files-no-fonts-checksums`,
  );
}

/** Builds beside the target and renames at the end, so that nobody sees a half-built layer. */
async function build(target: string): Promise<void> {
  if (existsSync(target)) return;
  await mkdir(dirname(target), { recursive: true });
  const unfinished = await mkdtemp(`${target}.unfinished-`);
  try {
    await mkdir(join(unfinished, "chromium"));
    await packFiles(await files(), join(unfinished, "chromium", "chromium"), ZSTD_LEVEL);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process was faster: its layer is as good as ours.
    if (!existsSync(target)) throw error;
  }
}

/** The browser first, which is nearly all of it; then its libraries. The package's one font is left out: fonts are a layer. */
async function files(): Promise<PlainFile[]> {
  const browser = { path: "chromium", mode: 0o700, content: await unpackedFile("chromium") };
  const [swiftshader, al2023] = [await filesOf("swiftshader.tar"), await filesOf("al2023.tar")];
  return [browser, ...swiftshader, ...al2023.map((file) => ({ ...file, path: join("al2023", file.path) }))];
}

function unpackedFile(name: string): Promise<Buffer> {
  return readFile(join(packageFolder, "bin", `${name}.br`)).then((packed) => promisify(brotliDecompress)(packed));
}

async function filesOf(archive: string): Promise<PlainFile[]> {
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

if (import.meta.main) await build(layerFolder());
