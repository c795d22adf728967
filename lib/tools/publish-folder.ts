// Atomic publication of a folder: it is built under a temporary name and renamed, so that other processes never see an incomplete one.
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** In the names of folders that are not complete, or that a process left when it was killed. */
export const INCOMPLETE_MARK = ".incomplete-";

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
