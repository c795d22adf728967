// fontconfig's cache of the fonts, made by the Chromium that will read it: each version has a format of its own.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { defaultLimits } from "../../lib/contract/options/capture-limits.ts";
import { launchBrowser } from "../../lib/engine/browser/browser.ts";
import { unpackChromium } from "../../lib/engine/browser/chromium-files.ts";
import { buildChromiumLayer } from "../chromium/build.ts";

/** Whether the Chromium of the layer runs on this machine. */
export const canMakeCache = process.platform === "linux" && process.arch === "x64";

/** Has Chromium scan the fonts of the layer folder `fonts`, and puts the cache it makes at `cache` in there. */
export async function makeFontconfigCache(fonts: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fontconfig-cache-"));
  process.env["TMPDIR"] = folder;
  try {
    const files = await unpackChromium(join(buildChromiumLayer(), "chromium"), fonts, folder);
    const session = await launchBrowser({ files, allowed: new Set(), limits: defaultLimits });
    await session.close();
    await keep(join(folder, "fonts-cache"), join(fonts, "cache"), basename(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The cache states where the fonts were when it was made, which is not read again. The random part of
 * that name is overwritten, so that a layer made twice is the same.
 */
async function keep(made: string, kept: string, randomName: string): Promise<void> {
  await mkdir(kept);
  for (const file of await readdir(made)) {
    const content = await readFile(join(made, file), "latin1");
    await writeFile(join(kept, file), content.replaceAll(randomName, "x".repeat(randomName.length)), "latin1");
  }
}
