// Chromium's files, unpacked once for all captures of a function.
import { type ChromiumFiles, unpackChromium } from "../capture/browser/chromium-files.ts";
import { sweepOwnFolders } from "../capture/browser/own-folders.ts";
import { environment } from "../platform/environment.ts";

let unpacking: Promise<ChromiumFiles> | undefined;

/** Begins to unpack them when it is called first. Throws when the environment is not usable. */
export function unpackedChromium(): Promise<ChromiumFiles> {
  if (!unpacking) {
    const { CHROMIUM_FILES, FONT_FILES } = environment("CHROMIUM_FILES", "FONT_FILES");
    const prepared = Promise.all([unpackChromium(CHROMIUM_FILES, FONT_FILES), sweepOwnFolders()]);
    unpacking = prepared.then(([files]) => files);
    unpacking.catch(() => undefined); // whoever launches is told
  }
  return unpacking;
}
