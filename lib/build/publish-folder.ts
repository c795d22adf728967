// Atomic publication of a folder: it is built under a temporary name and renamed, so that other processes never see an incomplete
// one. Folders of earlier states of the sources are evicted.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** In the names of folders that are not complete, or that a process left when it was killed. */
const INCOMPLETE_MARK = ".incomplete-";

/** Two, for switching between two branches. */
const MAX_FOLDERS = 2;

const ABANDONED_MS = 60 * 60 * 1000;

/**
 * Has `build` fill a new folder, which becomes `target`. Does nothing when `target` exists. When two processes build the same target,
 * the first one's is kept; so what they build must be equal.
 */
export async function publishFolder(target: string, build: (folder: string) => Promise<void>): Promise<void> {
  if (existsSync(target)) return;
  await mkdir(dirname(target), { recursive: true });
  const incomplete = await mkdtemp(`${target}${INCOMPLETE_MARK}`);
  try {
    await build(incomplete);
    await chmod(incomplete, 0o755); // mkdtemp makes it private, and another user may start the service from the same checkout
    await rename(incomplete, target);
  } catch (error) {
    await rm(incomplete, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

/** Removes all other folders next to `newest` but the newest ones, and the incomplete ones of processes that were killed. */
export function evictOlderThan(newest: string): void {
  const parent = dirname(newest);
  const others = readdirSync(parent)
    .map((name) => join(parent, name))
    .filter((path) => path !== newest);
  const modifiedMs = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isIncomplete = (path: string) => path.includes(INCOMPLETE_MARK);
  const abandoned = others.filter((path) => isIncomplete(path) && Date.now() - modifiedMs(path) > ABANDONED_MS);
  const finished = others.filter((path) => !isIncomplete(path));
  const oldest = finished.toSorted((one, other) => modifiedMs(other) - modifiedMs(one)).slice(MAX_FOLDERS - 1);
  for (const path of [...abandoned, ...oldest]) rmSync(path, { recursive: true, force: true });
}
