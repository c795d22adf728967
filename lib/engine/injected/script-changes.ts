/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Detects whether scripts change the page: by mutations, and by the frames that they request.
import { ownFrameRequests } from "./dom/own-frame-requests.ts";
import { rootsWithFrames } from "./dom/shadow-roots.ts";

export interface ScriptChanges {
  /** True when an element, an attribute or a text has changed. */
  readonly hasMutated: boolean;
  /** True when scripts have requested frames. */
  readonly requestsFrames: boolean;
}

/** Requests beyond our own that are no animation: the counts of two documents are a frame apart. */
const MAX_STRAY_REQUESTS = 1;

let hasMutated = false;
let observer: MutationObserver | undefined;

/** The number of the newest frame request, by document: Chromium counts those of all worlds together. */
let newest = new Map<Window, number>();
let ownBefore = 0;

/**
 * What scripts have done since the last call, in the document, its open shadow roots, and frames of the same origin.
 * `areFramesKept` says that each document requests every frame by `keepFrames`, as in a deterministic capture.
 */
export function readScriptChanges(areFramesKept: boolean): ScriptChanges {
  const changes = { hasMutated, requestsFrames: false };
  const own = ownFrameRequests() - ownBefore;
  ownBefore += own;
  const roots = rootsWithFrames();
  const next = new Map<Window, number>();
  for (const root of roots) {
    const view = root.nodeType === Node.DOCUMENT_NODE ? (root as Document).defaultView : null;
    if (!view) continue;
    const request = view.requestAnimationFrame(() => undefined);
    view.cancelAnimationFrame(request);
    next.set(view, request);
    const known = newest.get(view);
    if (known === undefined) continue;
    const ours = 1 + (view === window ? own : 0) + (areFramesKept ? own : 0);
    if (request - known - ours > MAX_STRAY_REQUESTS) changes.requestsFrames = true;
  }
  newest = next;
  observe(roots);
  return changes;
}

function observe(roots: readonly Node[]): void {
  observer?.disconnect();
  hasMutated = false;
  observer = new MutationObserver(() => {
    hasMutated = true;
    observer?.disconnect(); // one mutation says enough
  });
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  for (const root of roots) observer.observe(root, all);
}
