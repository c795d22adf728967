// Packages whose files only pages of slow scripts load, such as the corpus of problems and the bench: these scripts install them, so
// that `npm ci` need not. Packages that the ordinary tests load as well are among those of the project.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, normalize } from "node:path";

const project = join(import.meta.dirname, "../../..");
const PAGES = join(project, "test/pages");

/** Installs the packages of `test/pages`, unless those of its lockfile are there. */
function installPackages(): void {
  const modified = (file: string) => statSync(join(PAGES, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (modified("node_modules/.package-lock.json") >= modified("package-lock.json")) return; // npm writes the former
  execFileSync("npm", ["ci", "--ignore-scripts", "--prefix", PAGES], { stdio: "ignore" });
}

/**
 * The path of a file of a package, such as `three/build/three.module.js`: of the project's packages, or of those of `test/pages`, which
 * are installed when they are needed first. Undefined when neither has it, also for a path that leaves them.
 */
export function packagePath(file: string): string | undefined {
  const inProject = pathBelow(join(project, "node_modules"), file);
  if (inProject && existsSync(inProject)) return inProject;
  installPackages();
  const inPages = pathBelow(join(PAGES, "node_modules"), file);
  return inPages && existsSync(inPages) ? inPages : undefined;
}

/** The content of such a file. Throws when no package has it. */
export function packageFile(file: string): Buffer {
  const path = packagePath(file);
  if (!path) throw new Error(`No package has the file ${file}. Add its package to test/pages/package.json.`);
  return readFileSync(path);
}

function pathBelow(folder: string, file: string): string | undefined {
  const path = normalize(join(folder, file));
  return path.startsWith(`${folder}/`) ? path : undefined;
}
