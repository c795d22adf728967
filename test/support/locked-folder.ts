// A folder that cannot be removed, not even by root, while it is locked.
import { execSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Creates a folder with another one in it that cannot be removed until this is disposed of. */
export function createLockedFolder(path: string): Disposable {
  mkdirSync(join(path, "below"), { recursive: true });
  // Root may change files without permissions, but no immutable ones: see chattr(1).
  const [lock, unlock] = process.getuid?.() === 0 ? ["chattr +i", "chattr -i"] : ["chmod 0", "chmod 700"];
  execSync(`${lock} ${path}`);
  return { [Symbol.dispose]: () => void execSync(`${unlock} ${path}`) };
}
