// Chromium's files, unpacked once for all captures of a function.
import { rm } from "node:fs/promises";
import { environment } from "../../platform/environment.ts";
import { logError } from "../../platform/log.ts";
import { type ChromiumFiles, unpackChromium } from "./chromium-files.ts";
import { abandonedFolders, createTemporaryFolder, removeAbandonedFolders } from "./temporary-folders.ts";

let unpacking: Promise<ChromiumFiles> | undefined;

/**
 * Begins to unpack them when it is called first, or again after a failure: a disk that was full may have room by then.
 * Throws when the environment is not usable.
 */
export function unpackedChromium(): Promise<ChromiumFiles> {
  if (!unpacking) {
    const { CHROMIUM_FILES, FONT_FILES } = environment("CHROMIUM_FILES", "FONT_FILES");
    unpacking = unpack(CHROMIUM_FILES, FONT_FILES);
    unpacking.catch((error) => {
      unpacking = undefined;
      logError("chromium was not unpacked", error);
    });
  }
  return unpacking;
}

async function unpack(packed: string, fonts: string): Promise<ChromiumFiles> {
  // What a killed process left takes the room that is needed. Where there is nothing of it, no time is lost.
  if (abandonedFolders().length > 0) await removeAbandonedFolders();
  const folder = createTemporaryFolder("chromium");
  try {
    return await unpackChromium(packed, fonts, folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
