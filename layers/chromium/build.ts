// Makes the Chromium layer: the files of @sparticuz/chromium, repacked from brotli to zstd, which unpacks in half the
// time, and the browser in pieces, with which a second core helps. Run by synth when the layer is missing, or by hand:
// node layers/chromium/build.ts
import { execFileSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliDecompress, constants, createBrotliDecompress, createZstdCompress } from "node:zlib";
import { packPieces } from "../../lib/platform/packed-pieces.ts";

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
  return join(import.meta.dirname, "dist", `${version.replaceAll(".", "-")}-zstd-${ZSTD_LEVEL}-pieces-no-fonts`);
}

/** Builds beside the target and renames at the end, so that nobody sees a half-built layer. */
async function build(target: string): Promise<void> {
  if (existsSync(target)) return;
  await mkdir(dirname(target), { recursive: true });
  const unfinished = await mkdtemp(`${target}.unfinished-`);
  try {
    await mkdir(join(unfinished, "chromium"));
    await Promise.all(packedFiles().map((name) => repack(name, join(unfinished, "chromium"))));
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process was faster: its layer is as good as ours.
    if (!existsSync(target)) throw error;
  }
}

/** `chromium` and the tar files of its libraries. Its one font is left out: fonts are a layer of their own. */
function packedFiles(): string[] {
  const files = readdirSync(join(packageFolder, "bin")).filter((file) => file.endsWith(".br"));
  return files.map((file) => basename(file, ".br")).filter((name) => !name.startsWith("fonts"));
}

/** The browser itself is nearly all there is to unpack. */
const LARGEST = "chromium";

async function repack(name: string, folder: string): Promise<void> {
  const from = join(packageFolder, "bin", `${name}.br`);
  const to = join(folder, name);
  if (name === LARGEST) return packPieces(await promisify(brotliDecompress)(await readFile(from)), to, ZSTD_LEVEL);
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } });
  await pipeline(createReadStream(from), createBrotliDecompress(), compress, createWriteStream(`${to}.zst`));
}

if (import.meta.main) await build(layerFolder());
