/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Follows the elements that change while the page is scrolled: by their attributes, transitions or animations, in open shadow
// roots and frames of the same origin as well.
import { animationsIn } from "./animations.ts";
import { openRoots, type Root, rootsWithFrames } from "./shadow-roots.ts";

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
const followed = new WeakSet<Root>();

/** The elements of the page that have changed since the first call. */
export function changedElements(): StyledElement[] {
  for (const root of rootsWithFrames()) {
    if (!followed.has(root)) followChanges(root);
    for (const animation of animationsIn(root)) follow(animatedElement(animation));
  }
  return [...changed].filter((element) => element.isConnected);
}

/** The values of `REVEALING_PROPERTIES`. */
export function revealingValues(element: Element): string[] {
  const style = getComputedStyle(element);
  return REVEALING_PROPERTIES.map((name) => style.getPropertyValue(name));
}

/** True for the values of an element that is wholly shown, at its position in the layout. */
export function isSettled(values: readonly string[]): boolean {
  const untransformed = /^(none|0px|1|0deg|matrix\(1, 0, 0, 1, 0, 0\)|visible)$/;
  return values.every((value) => untransformed.test(value));
}

export function isEndless({ effect }: Animation): boolean {
  return !Number.isFinite(Number(effect?.getComputedTiming().endTime ?? 0));
}

/** The transitions and animations that run and have an end, which one with a playback rate of 0 never reaches. */
export function runningAnimations(): Animation[] {
  return rootsWithFrames()
    .flatMap(animationsIn)
    .filter((animation) => animation.playState === "running" && animation.playbackRate !== 0 && !isEndless(animation));
}

/** The elements that transitions and animations change now, endless ones included. */
export function animatedElements(): Set<Element> {
  const targets = openRoots()
    .flatMap(animationsIn)
    .flatMap(({ effect }) => (effect as KeyframeEffect | null)?.target ?? []);
  return new Set(targets);
}

const observer = new MutationObserver((records) => {
  for (const { target } of records) follow(target);
});

function followChanges(root: Root): void {
  followed.add(root);
  observer.observe(root, { attributes: true, subtree: true });
  const onStart = ({ target }: Event) => follow(target);
  for (const type of ["transitionrun", "animationstart"]) root.addEventListener(type, onStart, { capture: true });
}

function follow(target: unknown): void {
  if (isStyled(target) && !/^(html|body)$/.test(target.localName) && changed.size < MAX_ELEMENTS) changed.add(target);
}

/** The classes of elements in frames are others than those of the page. */
function isStyled(target: unknown): target is StyledElement {
  const { namespaceURI } = (target ?? {}) as Partial<Element>;
  return namespaceURI === "http://www.w3.org/1999/xhtml" || namespaceURI === "http://www.w3.org/2000/svg";
}

function animatedElement(animation: Animation): Element | null {
  const effect = animation.effect as KeyframeEffect | null;
  return isEndless(animation) ? null : (effect?.target ?? null);
}
