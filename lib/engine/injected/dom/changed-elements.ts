/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Follows the elements that change while the page is scrolled: by their attributes, transitions or animations.
import { openRoots } from "./shadow-roots.ts";

export type StyledElement = HTMLElement | SVGElement;

/** What scripts and transitions change to reveal or move an element, without a change of the layout. */
export const REVEALING_PROPERTIES = [
  "opacity",
  "visibility",
  "transform",
  "translate",
  "rotate",
  "scale",
  "filter",
  "clip-path",
] as const;

/** Elements that are followed. */
const MAX_ELEMENTS = 3_000;

const changed = new Set<StyledElement>();
let isFollowing = false;

/** The elements of the page that have changed since the first call. */
export function changedElements(): StyledElement[] {
  if (!isFollowing) followChanges();
  isFollowing = true;
  for (const root of openRoots()) for (const animation of animationsIn(root)) follow(animatedElement(animation));
  return [...changed].filter((element) => element.isConnected);
}

/** The values of `REVEALING_PROPERTIES`. */
export function revealingValues(element: Element): string[] {
  const style = getComputedStyle(element);
  return REVEALING_PROPERTIES.map((name) => style.getPropertyValue(name));
}

/** True for the values of an element that is wholly shown, where the layout places it. */
export function isSettled(values: readonly string[]): boolean {
  const untransformed = /^(none|0px|1|0deg|matrix\(1, 0, 0, 1, 0, 0\)|visible)$/;
  return values.every((value) => untransformed.test(value));
}

export function isEndless({ effect }: Animation): boolean {
  return !Number.isFinite(Number(effect?.getComputedTiming().endTime ?? 0));
}

/** The transitions and animations that run and have an end. */
export function runningAnimations(): Animation[] {
  return openRoots()
    .flatMap(animationsIn)
    .filter((animation) => animation.playState === "running" && !isEndless(animation));
}

/** The elements that transitions and animations change now, endless ones included. */
export function animatedElements(): Set<Element> {
  const targets = openRoots()
    .flatMap(animationsIn)
    .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target : null));
  return new Set(targets.filter((target) => target !== null));
}

function followChanges(): void {
  const observer = new MutationObserver((records) => {
    for (const { target } of records) follow(target);
  });
  const onStart = ({ target }: Event) => follow(target);
  for (const root of openRoots()) {
    observer.observe(root, { attributes: true, subtree: true });
    for (const type of ["transitionrun", "animationstart"]) root.addEventListener(type, onStart, { capture: true });
  }
}

function follow(target: unknown): void {
  const isStyled = target instanceof HTMLElement || target instanceof SVGElement;
  if (isStyled && target !== document.documentElement && target !== document.body && changed.size < MAX_ELEMENTS)
    changed.add(target);
}

function animationsIn(root: Document | ShadowRoot): Animation[] {
  const isDocument = root.nodeType === Node.DOCUMENT_NODE;
  return (isDocument ? Document : ShadowRoot).prototype.getAnimations.call(root);
}

function animatedElement(animation: Animation): Element | null {
  return !isEndless(animation) && animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
}
