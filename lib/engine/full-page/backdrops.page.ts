/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// What is behind all of the page, or moves forever, is the same in all windows: backdrops span the page, endless animations stand still.
import { animationsIn } from "../injected/dom/animations.ts";
import { scrollingElement } from "../injected/dom/document.ts";
import { findPseudoElements, stylePseudoElements } from "../injected/dom/pseudo-elements.ts";
import { openRoots, queryAllRoots } from "../injected/dom/shadow-roots.ts";
import { holdEndless } from "../injected/endless-animations.ts";
import { releaseFixedBackgrounds } from "../injected/fixed-backgrounds.ts";
import { changes } from "./changes.page.ts";
import { record } from "./record.page.ts";

/**
 * Stretches fixed backgrounds, and empty layers that are fixed behind the page, along all of it. In windows, they would start again at
 * each seam. Waits for the sizes of images, at most `capMs`.
 */
export async function stretchBackdrops(capMs: number): Promise<void> {
  await releaseFixedBackgrounds(capMs);
  const height = `${scrollingElement().scrollHeight}px`;
  const declarations = { position: "absolute", top: "0", bottom: "auto", height, "max-height": "none" };
  for (const element of queryAllRoots<HTMLElement>("*")) {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const isPlain = element.childElementCount === 0 && !element.textContent?.trim() && !element.matches(REPLACED);
    if (isPlain && isBackdrop(style, box)) changes.setStyle(element, declarations);
  }
  const layers = findPseudoElements((style) =>
    isBackdrop(style, { width: Number.parseFloat(style.width), height: Number.parseFloat(style.height) }),
  );
  stylePseudoElements(changes, new Map(layers.map((layer) => [layer, declarations])));
}

const REPLACED = "img, svg, canvas, video, iframe, object, embed, input, textarea, select, button";

/** True for what is fixed, fills the window, and is behind the content. */
function isBackdrop(style: CSSStyleDeclaration, { width, height }: Pick<DOMRect, "width" | "height">): boolean {
  if (style.position !== "fixed" || width < 0.9 * innerWidth || height < 0.9 * innerHeight) return false;
  const isBehind = Number(style.zIndex) <= 0 || style.zIndex === "auto";
  return isBehind && /^(?:none|normal|"")$/.test(style.content || "none");
}

/** Holds endless animations that have not been held yet. */
export function holdEndlessAnimations(): void {
  const animations = openRoots().flatMap(animationsIn);
  const running = animations.filter((animation) => isEndless(animation) && animation.playState === "running");
  for (const animation of running) record.heldEndless.add(animation);
  holdEndless(running);
}

/** Lets the endless animations that were held go on. */
export function resumeEndlessAnimations(): void {
  for (const animation of record.heldEndless) if (animation.playState === "paused") animation.play();
  record.heldEndless.clear();
}

function isEndless({ effect, timeline }: Animation): boolean {
  const isTimed = !timeline || String(timeline) === "[object DocumentTimeline]";
  return isTimed && !Number.isFinite(Number(effect?.getComputedTiming().endTime ?? 0));
}
