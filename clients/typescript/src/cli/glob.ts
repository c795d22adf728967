// Glob patterns for local files, such as `pages/**/*.html`, for shells that don't expand them.
import { readdirSync } from "node:fs";
import { join, matchesGlob, relative } from "node:path";

export function isGlob(text: string): boolean {
  return /[*?{[]/.test(text);
}

/** The files that match, sorted. Node.js 20 has `matchesGlob`, but no `globSync`. */
export function expandGlob(pattern: string): string[] {
  const segments = pattern.split("/");
  const first = segments.findIndex(isGlob);
  const folder = segments.slice(0, first).join("/") || (pattern.startsWith("/") ? "/" : ".");
  const rest = segments.slice(first).join("/");
  return filesIn(folder, first < segments.length - 1)
    .filter((path) => matchesGlob(path, rest))
    .map((path) => join(folder, path))
    .sort();
}

/** Paths of files, relative to the folder. A folder that can't be read has none. */
function filesIn(folder: string, recursive: boolean): string[] {
  try {
    const entries = readdirSync(folder, { recursive, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  } catch {
    return [];
  }
}
