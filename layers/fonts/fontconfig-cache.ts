// fontconfig's cache of the fonts, made by the Chromium that will read it: each version has a format of its own.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser } from "../../lib/capture/browser.ts";
import { unpackChromium } from "../../lib/capture/chromium-files.ts";
import { buildChromiumLayer } from "../chromium/build.ts";

/** Whether the Chromium of the layer runs on this machine. */
export const canMakeCache = process.platform === "linux" && process.arch === "x64";

/** Has Chromium scan the fonts of the layer folder `fonts`, and puts the cache it makes at `cache` in there. */
export async function makeFontconfigCache(fonts: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fontconfig-cache-"));
  process.env.TMPDIR = folder;
  try {
    const files = await unpackChromium(join(buildChromiumLayer(), "chromium"), fonts);
    const session = await launchBrowser({ files, allowed: new Set(), memoryLimit: Number.POSITIVE_INFINITY });
    await session.close();
    await cp(join(folder, "chromium", "fonts-cache"), join(fonts, "cache"), { recursive: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
