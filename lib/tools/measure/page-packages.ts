// Files of npm packages that pages load. The packages of `test` are those that the ordinary tests load, and those of `test/pages` belong
// to slow scripts alone, such as the corpus of problems and the bench. They are installed when they are needed first.
import { existsSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { installPackages, TESTS } from "../test-packages.ts";

const PAGES = join(TESTS, "pages");

/**
 * The path of a file of a package, such as `three/build/three.module.js`. Undefined when no package has it, also for a path that leaves
 * them.
 */
export function packagePath(file: string): string | undefined {
  for (const folder of [TESTS, PAGES]) {
    installPackages(folder);
    const path = pathBelow(join(folder, "node_modules"), file);
    if (path && existsSync(path)) return path;
  }
  return undefined;
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
