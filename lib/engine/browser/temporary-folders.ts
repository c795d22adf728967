// Temporary folders named after their process, so that those of killed processes can be found and removed.
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killProcessesIn, ownStartTime, processStartTime } from "./processes.ts";

const kinds = ["chromium", "profile", "frames"] as const;

/**
 * Creates an empty folder whose name holds the process id and start time. The id alone is not enough: the next process
 * in a sandbox can have the id of the killed one.
 */
export function createTemporaryFolder(kind: (typeof kinds)[number]): string {
  return mkdtempSync(join(tmpdir(), `${kind}-${process.pid}-${ownStartTime}-`));
}

/** Returns the folders of processes that no longer run. */
export function abandonedFolders(): string[] {
  const names = readdirSync(tmpdir()).filter((name) => OWN_FOLDER.test(name) && !isOwned(name));
  return names.map((name) => join(tmpdir(), name));
}

/**
 * Removes the folders of processes that no longer run, and kills processes that still use them. A function killed by
 * its timeout or for lack of memory leaves them to the next one in its sandbox. Folders of running processes stay.
 */
export async function removeAbandonedFolders(): Promise<void> {
  for (const folder of abandonedFolders()) {
    await killProcessesIn(folder);
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

const OWN_FOLDER = new RegExp(`^(?:${kinds.join("|")})-(\\d+)-(\\d+)-\\w{6}$`);

function isOwned(name: string): boolean {
  const [, pid, started] = OWN_FOLDER.exec(name) ?? [];
  try {
    return processStartTime(readFileSync(`/proc/${pid}/stat`, "utf8")) === Number(started);
  } catch {
    return false; // gone
  }
}
