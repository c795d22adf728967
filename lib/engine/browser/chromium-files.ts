// Chromium as the layer carries it, packed, made ready to run.
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
 * Unpacks the files of the layer at `packed` below `folder`, an empty folder of the caller's own, and makes the fonts at
 * `fonts` known. Called once when a function starts, while its CPU is not yet the caller's: it is most of a cold start, and
 * the binary is nearly all of it. Other threads do the work, so that this one may go on, and not come back for a while.
 * Rejects when the files are damaged or there is no room for them.
 */
export async function unpackChromium(packed: string, fonts: string, folder: string): Promise<ChromiumFiles> {
  const target = join(folder, "chromium");
  const unpacking = unpackFiles(join(packed, "chromium"), target);
  const configuring = Promise.try(() => configureFonts(fonts, folder));
  await Promise.allSettled([unpacking, configuring]); // after a failure the caller may remove the folder
  await unpacking;
  return {
    executable: join(target, "chromium"),
    libraries: join(target, "al2023", "lib"),
    fontConfiguration: await configuring,
    missingGlyphs: readMissingGlyphs(fonts),
  };
}
