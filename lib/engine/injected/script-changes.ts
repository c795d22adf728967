/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Detects whether scripts change the page: by mutations, and by the frames that they request.
import { hasActiveContent } from "./dom/active-content.ts";
import { type Root, rootsWithFrames } from "./dom/shadow-roots.ts";

export interface ScriptChanges {
  /** True when an element, an attribute or a text has changed. */
  readonly hasMutated: boolean;
  /** True when something in the page can change it later, such as a script by a timer. */
  readonly canChange: boolean;
  /** True when frames were requested. Where `commitEveryFrame` requests some in the top document, that is always so. */
  readonly requestsFrames: boolean;
}

/** Requests beyond that of `requestFrames` that are no animation. */
const MAX_STRAY_REQUESTS = 1;

let hasMutated = false;
let observer: MutationObserver | undefined;

/** The number of the newest frame request, by document: Chromium counts those of all worlds together. */
let newest = new Map<Window, number>();

/** What scripts have done since the last call, in the document, its open shadow roots, and frames of the same origin. */
export function readScriptChanges(): ScriptChanges {
  const roots = rootsWithFrames();
  const changes = { hasMutated, canChange: hasActiveContent(roots), requestsFrames: requestFrames(roots) };
  observe(roots);
  return changes;
}

/** Requests a frame of each document. Returns whether others have been requested since the last call. */
function requestFrames(roots: readonly Root[]): boolean {
  let requestsFrames = false;
  const next = new Map<Window, number>();
  for (const root of roots) {
    const view = root.nodeType === Node.DOCUMENT_NODE ? (root as Document).defaultView : null;
    if (!view) continue;
    const request = view.requestAnimationFrame(() => undefined);
    view.cancelAnimationFrame(request);
    next.set(view, request);
    const known = newest.get(view);
    if (known !== undefined && request - known - 1 > MAX_STRAY_REQUESTS) requestsFrames = true;
  }
  newest = next;
  return requestsFrames;
}

function observe(roots: readonly Root[]): void {
  observer?.disconnect();
  hasMutated = false;
  observer = new MutationObserver(() => {
    hasMutated = true;
    observer?.disconnect(); // one mutation says enough
  });
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  for (const root of roots) observer.observe(root, all);
}
