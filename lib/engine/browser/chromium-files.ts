// Unpacks Chromium from its Lambda layer, ready to run.
import { join } from "node:path";
import { configureFonts } from "./font-configuration.ts";
import { type MissingGlyphs, readMissingGlyphs } from "./missing-glyphs.ts";
import { unpackFiles } from "./packed-files.ts";
import { BROWSER_FILTER_FILE } from "./protection.ts";

export interface ChromiumFiles {
  readonly executable: string;
  /** Folder of the shared libraries that a bare Amazon Linux or Debian lacks: NSS, NSPR, expat. */
  readonly libraries: string;
  /** Name of the library among them that Chromium is started with. */
  readonly preload?: string;
  /** fontconfig's configuration: only the fonts of the layer, so that a page looks the same everywhere. */
  readonly fontConfiguration: string;
  /** Characters that none of these fonts has. */
  readonly missingGlyphs: MissingGlyphs;
}

/**
 * Unpacks the layer at `packed` into `folder`, an empty folder, and configures the fonts at `fonts`. Called once per
 * cold start, and is the largest part of it; the binary takes most of the time. Worker threads do the work. Rejects
 * when the files are damaged or the disk is full.
 */
export async function unpackChromium(packed: string, fonts: string, folder: string): Promise<ChromiumFiles> {
  const target = join(folder, "chromium");
  const unpacking = unpackFiles(join(packed, "chromium"), target);
  const configuring = Promise.try(() => configureFonts(fonts, folder));
  await Promise.allSettled([unpacking, configuring]); // so that the caller may remove the folder after a failure
  await unpacking;
  return {
    executable: join(target, "chromium"),
    libraries: join(target, "al2023", "lib"),
    preload: BROWSER_FILTER_FILE,
    fontConfiguration: await configuring,
    missingGlyphs: readMissingGlyphs(fonts),
  };
}
