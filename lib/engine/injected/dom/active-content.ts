/// <reference lib="dom" />
// Elements that can change a page by themselves after it has loaded: scripts, embedded documents, and redirects.
import { queryAll, type Root } from "./shadow-roots.ts";

const ACTIVE = "script, iframe, frame, object, embed, meta[http-equiv=refresh i], [onload], [onerror]";

/** Whether one of the roots has such an element. */
export function hasActiveContent(roots: readonly Root[]): boolean {
  return roots.some((root) => queryAll(root, ACTIVE).length > 0);
}
