// Chromium as the layer carries it, packed, made ready to run in the function's own temporary folder.
import { createReadStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { extract } from "tar-fs";
import { unpackPieces } from "../../platform/packed-pieces.ts";
import { configureFonts } from "./font-configuration.ts";

export interface ChromiumFiles {
  readonly executable: string;
  /** Shared libraries a bare Amazon Linux or Debian lacks: NSS, NSPR, expat. */
  readonly libraries: string;
  /** fontconfig's configuration: the fonts of the layer and no others, so that a page looks the same everywhere. */
  readonly fontConfiguration: string;
}

/**
 * Unpacks the files of the layer at `packed` below the temporary folder, and makes the fonts at `fonts` known. Called
 * once when a function starts, while its CPU is not yet the caller's: it is most of a cold start (0.6 s, of which the
 * binary is nearly all).
 */
export async function unpackChromium(packed: string, fonts: string): Promise<ChromiumFiles> {
  const target = join(tmpdir(), "chromium");
  await mkdir(target, { recursive: true });
  const executable = join(target, "chromium");
  const [fontConfiguration] = await Promise.all([
    configureFonts(fonts, target),
    unpackPieces(join(packed, "chromium"), executable, 0o700),
    unpackArchive(join(packed, "swiftshader.tar.zst"), target), // ANGLE looks for its libraries beside the binary
    unpackArchive(join(packed, "al2023.tar.zst"), join(target, "al2023")),
  ]);
  return { executable, libraries: join(target, "al2023", "lib"), fontConfiguration };
}

async function unpackArchive(archive: string, folder: string): Promise<void> {
  await pipeline(createReadStream(archive), createZstdDecompress(), extract(folder));
}
