/// <reference lib="dom" />
// Commits every frame of the page to the compositor. Runs in the isolated world of each document.

/**
 * Events whose listeners the compositor knows of: rare ones first. Passive listeners change nothing about
 * how a page scrolls.
 */
const KINDS = ["pointerrawupdate", "touchend", "wheel"] as const;

/** Of the window, as the scripts that are bundled apart share it. */
interface Commits {
  /** How many kinds of events are spent: `document.open` removes a listener, but the compositor goes on counting it. */
  spent?: number;
  /** Ends the requests; undefined while there are none. */
  end?: (() => void) | undefined;
}

/** A symbol, because an element can have any name, by which the window then has it. */
const KEY = Symbol.for("commits");
const scope = globalThis as { [KEY]?: Commits };
scope[KEY] ??= {};
const commits = scope[KEY];

/**
 * Requests animation frames without end, in which the page begins or ends to listen to a kind of event: Chromium commits that to
 * the compositor, but neither styles nor paints anything for it. All frames of a page share one compositor, so that only the
 * top one does it. Does nothing where they are requested already.
 */
export function commitEveryFrame(): void {
  if (window !== window.top || commits.end) return;
  const kind = KINDS[(commits.spent ?? 0) % KINDS.length] ?? KINDS[0];
  const ignore = () => undefined;
  let isListening = false;
  let request = 0;
  const next = () => {
    isListening = !isListening;
    if (isListening) window.addEventListener(kind, ignore, { passive: true });
    else window.removeEventListener(kind, ignore);
    request = requestAnimationFrame(next);
  };
  commits.end = () => {
    cancelAnimationFrame(request);
    window.removeEventListener(kind, ignore);
    commits.end = undefined;
  };
  window.addEventListener("visibilitychange", stopEvent, { capture: true });
  next();
}

/** Call it after `document.open`. */
export function restartCommits(): void {
  if (commits.end) commits.spent = (commits.spent ?? 0) + 1;
  endCommits();
  commitEveryFrame();
}

/** Call it before `document.open`, which then spends no kind of event. */
export function endCommits(): void {
  commits.end?.();
}

/** The window is hidden only for a moment, to end a frame that hangs: see `endStalledFrame`. */
function stopEvent(event: Event): void {
  event.stopImmediatePropagation();
}
