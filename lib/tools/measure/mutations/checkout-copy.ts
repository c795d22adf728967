// A copy of the checkout in a temporary folder, with changes that aren't committed, in which files can be changed without harm.
import { execFileSync } from "node:child_process";
import { constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface CheckoutCopy extends Disposable {
  readonly folder: string;
}

/** Folders of installed packages. */
const INSTALLED = ["node_modules", "test/node_modules"];

/** Folders of built layers, named by their sources: those of all changes can share them. */
const BUILT_LAYERS = ["blocking", "chromium", "fonts"].map((layer) => `layers/${layer}/dist`);

/**
 * Copies the files of a checkout that git tracks, and new ones that it doesn't ignore. Installed packages and built layers, which take
 * minutes to build, are links.
 */
export function copyCheckout(project: string): CheckoutCopy {
  const folder = mkdtempSync(join(tmpdir(), "capture-mutations-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: project,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = listed.split("\0").filter((file) => file !== "" && !INSTALLED.includes(file));
  for (const file of files) {
    const [from, to] = [join(project, file), join(folder, file)];
    if (!existsSync(from)) continue; // deleted, and not committed
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
  for (const shared of BUILT_LAYERS) mkdirSync(join(project, shared), { recursive: true });
  for (const shared of [...INSTALLED, ...BUILT_LAYERS]) symlinkSync(join(project, shared), join(folder, shared));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", remove); // also when the run is interrupted
  return { folder, [Symbol.dispose]: remove };
}
