// Folders in the temporary folder that belong to one process, so that what a killed one left can be told and removed.
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killProcessesIn, ownStartTime, processStartTime } from "./processes.ts";

const kinds = ["chromium", "profile", "frames"] as const;

/**
 * Makes an empty folder that nobody else has, whose name says whose it is. A pid alone would not do: the next function of
 * a sandbox can have the one of the killed function before it.
 */
export function createTemporaryFolder(kind: (typeof kinds)[number]): string {
  return mkdtempSync(join(tmpdir(), `${kind}-${process.pid}-${ownStartTime}-`));
}

/** Paths of the folders of processes that are gone. */
export function abandonedFolders(): string[] {
  const names = readdirSync(tmpdir()).filter((name) => OWN_FOLDER.test(name) && !isOwned(name));
  return names.map((name) => join(tmpdir(), name));
}

/**
 * Removes the folders of processes that are gone, and ends what still uses them: a function that is killed, by its
 * timeout or for want of memory, leaves them to the next one in its sandbox. What belongs to a living process stays.
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
