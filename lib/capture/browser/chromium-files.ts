// Chromium as the layer carries it, packed, made ready to run in the function's own temporary folder.
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackFiles } from "../../platform/packed-files.ts";
import { configureFonts } from "./font-configuration.ts";
import { type MissingGlyphs, readMissingGlyphs } from "./missing-glyphs.ts";

export interface ChromiumFiles {
  readonly executable: string;
  /** Shared libraries a bare Amazon Linux or Debian lacks: NSS, NSPR, expat. */
  readonly libraries: string;
  /** fontconfig's configuration: the fonts of the layer and no others, so that a page looks the same everywhere. */
  readonly fontConfiguration: string;
  /** The characters that none of these fonts has. */
  readonly missingGlyphs: MissingGlyphs;
}

/**
 * Unpacks the files of the layer at `packed` below the temporary folder, and makes the fonts at `fonts` known. Called
 * once when a function starts, while its CPU is not yet the caller's: it is most of a cold start, and the binary is nearly
 * all of it. Other threads do the work, so that this one may go on, and not come back for a while.
 */
export async function unpackChromium(packed: string, fonts: string): Promise<ChromiumFiles> {
  const target = join(tmpdir(), "chromium");
  // Of a sandbox that began before. A browser that is still running has its binary for itself then.
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const unpacking = unpackFiles(join(packed, "chromium"), target);
  unpacking.catch(() => undefined); // it is awaited in a moment
  const fontConfiguration = configureFonts(fonts, target);
  await unpacking;
  return {
    executable: join(target, "chromium"),
    libraries: join(target, "al2023", "lib"),
    fontConfiguration,
    missingGlyphs: readMissingGlyphs(fonts),
  };
}
