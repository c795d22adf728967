/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Detects what moves in the page: what comes to rest, and what moves forever, such as particles, tickers and videos.

import { findCanvases, fingerprintCanvas } from "./canvases.ts";
import { hasActiveContent } from "./dom/active-content.ts";
import { animationsIn } from "./dom/animations.ts";
import { delay } from "./dom/document.ts";
import { isInWindow } from "./dom/in-window.ts";
import { movingElements } from "./dom/moving-elements.ts";
import { queryAll, type Root, rootsWithFrames } from "./dom/shadow-roots.ts";
import { parentElement } from "./dom/tree.ts";
import { followsTime } from "./time-driven.ts";

export interface Movement {
  /** Milliseconds since something last moved that may come to rest, or since the first call. */
  readonly stillMs: number;
  /** True when something that moves forever is in the window: frames differ then although the page stands still. */
  readonly isEndless: boolean;
  /**
   * True when all that moves moves forever, follows the time, or is a scene: a drawing of WebGL, or a canvas that takes most of
   * the window. It then needs no more frames than it takes to see whether it still moves.
   */
  readonly needsNoFrames: boolean;
  /** True when it is not known of something that moves whether it follows the time, see `compareStates`. */
  readonly isUnknown: boolean;
  /** The share of the window that the largest canvas takes. */
  readonly canvasShare: number;
  /** True when something in the page can change it later, such as a script by a timer. */
  readonly canChange: boolean;
  /** True when frames were requested. Where `commitEveryFrame` requests some in the top document, that is always so. */
  readonly requestsFrames: boolean;
}

/**
 * How long something has to move without a pause until it counts as moving forever, in milliseconds: an element that a script
 * moves, a canvas, and one that shows a scene. Charts and entrances are over by then.
 */
const ENDLESS_MS = { element: 2_000, canvas: 2_000, scene: 1_000 };

/** The share of the window that a scene takes, as charts do not. */
const SCENE_SHARE = 0.6;

/** A look that is later than that after the one before does not say whether something has moved without a pause. */
const MAX_GAP_MS = 1_200;

/** The longest wait for a frame, in milliseconds: more than the longest step between two, see `FramePace` and `exactStepMs`. */
const NO_FRAMES_MS = 500;

/** Elements that are followed, of those that have changed since the last look. */
const MAX_MUTATED = 300;

/** Requests beyond that of `requestFrames` that are no animation. */
const MAX_STRAY_REQUESTS = 1;

/** At how many looks something has to move until it counts as moving forever, however far apart they are. */
const MIN_LOOKS = 2;

const found = movingElements();
const { moving, endless } = found;
const pictures = new WeakMap<Element, number | "">();

/** Elements whose attributes have changed since the last look. */
let mutated = new Set<Element>();
let hasNewContent = false;
let observer: MutationObserver | undefined;

let lastLookAt: number | undefined;

/** When something last moved that has come to rest since. */
let movedAt = 0;

/** The number of the newest frame request, by document: Chromium counts those of all worlds together. */
let newest = new Map<Window, number>();

/**
 * What has moved since the last call, in the document, its open shadow roots, and frames of the same origin. Resolves in the
 * next frame where canvases are in the window: the contents of a WebGL canvas can be read only in a frame that draws it.
 */
export async function readMovement(): Promise<Movement> {
  const roots = rootsWithFrames();
  const canvases = roots.flatMap(findCanvases).filter(isInWindow);
  if (canvases.length > 0) await nextAnimationFrame();
  const now = Math.round(performance.now()); // microseconds differ between two deterministic captures
  const animations = roots.flatMap(animationsIn).filter(isDrivenByTime);
  const masks = endlessTargets(animations);
  found.animated = masks;
  const changed = [...canvases.filter(hasBeenDrawn), ...[...mutated].filter((element) => !isMasked(element, masks))];
  for (const element of changed) follow(element, now);
  for (const [element, { until }] of moving) {
    if (until < now) rest(element, until);
  }
  const isChanging = hasNewContent || animations.some(isFiniteInWindow);
  if (lastLookAt === undefined || isChanging) movedAt = now;
  lastLookAt = now;
  mutated = new Set();
  hasNewContent = false;
  observe(roots);
  const others = [...moving.keys()].filter((element) => !isScene(element));
  const isEndless = [...endless].some(isInWindow) || [...masks].some(isInWindow) || roots.some(hasEndlessMedia);
  return {
    stillMs: moving.size > 0 ? 0 : now - movedAt,
    needsNoFrames: !isChanging && (isEndless || moving.size > 0) && others.every(followsTime),
    isUnknown: others.some((element) => followsTime(element) === undefined),
    isEndless,
    canvasShare: Math.max(0, ...canvases.map(shareOfWindow)),
    canChange: hasActiveContent(roots),
    requestsFrames: requestFrames(roots),
  };
}

/** Notes that an element or a canvas has changed since the last look. */
function follow(element: Element, now: number): void {
  if (endless.has(element)) return;
  const before = moving.get(element);
  const isUnbroken = before && now - before.until <= MAX_GAP_MS;
  const { since, looks } = isUnbroken ? before : { since: Math.max(lastLookAt ?? now, found.restedAt), looks: 0 };
  if (before && !isUnbroken) rest(element, before.until);
  const isEndless = looks + 1 >= MIN_LOOKS && now - since >= endlessAfterMs(element);
  if (!isEndless) moving.set(element, { since, until: now, looks: looks + 1 });
  else {
    moving.delete(element);
    endless.add(element);
  }
}

/** Notes that an element came to rest at `until`. */
function rest(element: Element, until: number): void {
  moving.delete(element);
  movedAt = Math.max(movedAt, until);
}

function endlessAfterMs(element: Element): number {
  if (isScene(element)) return ENDLESS_MS.scene;
  return element.localName === "canvas" ? ENDLESS_MS.canvas : ENDLESS_MS.element;
}

/** True for a canvas that is drawn by WebGL or by a worker, or takes most of the window. It has been drawn: asking creates no context. */
function isScene(element: Element): boolean {
  if (!(element instanceof HTMLCanvasElement)) return false;
  if (shareOfWindow(element) >= SCENE_SHARE) return true;
  try {
    return (element.getContext("webgl2") ?? element.getContext("webgl")) !== null;
  } catch {
    return true; // a worker draws it
  }
}

function shareOfWindow(element: Element): number {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [width, height] = [
    Math.min(right, innerWidth) - Math.max(left, 0),
    Math.min(bottom, innerHeight) - Math.max(top, 0),
  ];
  return (Math.max(0, width) * Math.max(0, height)) / (innerWidth * innerHeight);
}

/** True for an element that moves forever, or is in one; but not for all that is in the body when the body does. */
function isMasked(element: Element, masks: Pick<ReadonlySet<Element>, "has">): boolean {
  for (let each: Element | null = element; each; each = parentElement(each)) {
    const isWhole = each.localName === "body" || each.localName === "html";
    if (isWhole && each !== element) return false;
    if (masks.has(each) || endless.has(each) || each.localName === "marquee") return true;
  }
  return false;
}

/** True for a canvas whose contents have changed since the last look. Those that cannot be read count as drawn without end. */
function hasBeenDrawn(canvas: HTMLCanvasElement): boolean {
  const before = pictures.get(canvas);
  const picture = fingerprintCanvas(canvas);
  pictures.set(canvas, picture);
  if (picture === "") endless.add(canvas);
  return before !== undefined && before !== picture;
}

function isDrivenByTime({ timeline }: Animation): boolean {
  return String(timeline) === "[object DocumentTimeline]";
}

function hasEnd({ effect }: Animation): boolean {
  return Number.isFinite(Number(effect?.getComputedTiming().endTime ?? 0));
}

function targetOf({ effect }: Animation): Element | null {
  return effect && "target" in effect ? (effect as KeyframeEffect).target : null;
}

/** The elements with an animation that has no end, even one that is held. */
function endlessTargets(animations: readonly Animation[]): Set<Element> {
  const targets = animations.filter((animation) => !hasEnd(animation)).map(targetOf);
  return new Set(targets.filter((target) => target !== null));
}

/** True for an animation with an end that runs, or waits for its delay to end. */
function isFiniteInWindow(animation: Animation): boolean {
  const isRunning = animation.playState === "running" && animation.playbackRate !== 0;
  const target = isRunning && hasEnd(animation) ? targetOf(animation) : null;
  if (!target) return false;
  const { top, bottom, left, right } = target.getBoundingClientRect();
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
}

const MOVED_BY_BROWSER = "marquee, video, animate[repeatCount=indefinite], animateTransform[repeatCount=indefinite]";

/** True for a root with a video that plays, or with what the browser moves without end, in the window. */
function hasEndlessMedia(root: Root): boolean {
  return [...queryAll(root, MOVED_BY_BROWSER)].some((element) => {
    if (element instanceof HTMLVideoElement) return !element.paused && !element.ended && isInWindow(element);
    return isInWindow((element as SVGElement).ownerSVGElement ?? element);
  });
}

/** Resolves in the next frame, after the scripts of the page; after half a second at the latest, for a page without frames. */
async function nextAnimationFrame(): Promise<void> {
  const frame = new Promise((resolve) => requestAnimationFrame(resolve));
  await Promise.race([frame, delay(NO_FRAMES_MS)]);
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
  observer = new MutationObserver((records) => {
    for (const { type, target } of records) {
      if (type !== "attributes" || mutated.size >= MAX_MUTATED) noteContent(target);
      else mutated.add(target as Element);
    }
  });
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  for (const root of roots) observer.observe(root, all);
}

/** New content may come to rest at any time, unless it is in what moves. */
function noteContent(target: Node): void {
  if (hasNewContent) return;
  const element = target.nodeType === Node.ELEMENT_NODE ? (target as Element) : parentElement(target);
  hasNewContent = element === null || !(isMasked(element, found.animated) || isMasked(element, moving));
}
