// Chromium's files, unpacked once per process and shared by its captures.
import { rm } from "node:fs/promises";
import { logError } from "../../service/platform/log.ts";
import { type ChromiumFiles, unpackChromium } from "./chromium-files.ts";
import { abandonedFolders, createTemporaryFolder, removeAbandonedFolders } from "./temporary-folders.ts";

/** The folders of the layers. */
export interface PackedFiles {
  readonly chromium: string;
  readonly fonts: string;
}

let unpacking: Promise<ChromiumFiles> | undefined;

/**
 * Starts unpacking on the first call, and again after a failure, because a full disk may have room by then.
 */
export function unpackedChromium({ chromium, fonts }: PackedFiles): Promise<ChromiumFiles> {
  if (!unpacking) {
    unpacking = unpack(chromium, fonts);
    unpacking.catch((error) => {
      unpacking = undefined;
      logError("chromium was not unpacked", error);
    });
  }
  return unpacking;
}

async function unpack(packed: string, fonts: string): Promise<ChromiumFiles> {
  // Files of killed processes take up disk space. This costs nothing when there are none.
  if (abandonedFolders().length > 0) await removeAbandonedFolders();
  const folder = createTemporaryFolder("chromium");
  try {
    return await unpackChromium(packed, fonts, folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
