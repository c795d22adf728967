// Keeps the mouse pointer over the hovered element after the page scrolls or changes its layout.

import { pointOver, target, visibleBox } from "../injected/elements.ts";
import { nextFrame } from "../injected/full-page.ts";
import { finishAnimations, holdScrollDriven } from "../injected/still.ts";
import type { CaptureState } from "../pipeline/capture-context.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import { moveMouse } from "./mouse.ts";

/** A point outside every window. */
const OUTSIDE = { x: -1, y: -1 };

/**
 * Moves the pointer to the hovered element's current position, and finishes animations that this starts if animations
 * are finished. Scrolls an element into view if `mayScroll`; otherwise the pointer leaves the window, so that it hovers
 * over nothing else.
 */
export async function keepHover(
  capturing: CaptureState,
  { mayScroll }: { readonly mayScroll: boolean },
): Promise<void> {
  const { hovered, areAnimationsFinished, session } = capturing;
  if (hovered === undefined) return;
  const inView = await evaluateInIsolatedWorld(capturing, pointOver, hovered, visibleBox);
  const point =
    inView ?? (mayScroll ? (await evaluateInIsolatedWorld(capturing, target, hovered, visibleBox)).point : null);
  await moveMouse(session.cdp, point ?? OUTSIDE);
  await evaluateInIsolatedWorld(capturing, nextFrame);
  if (areAnimationsFinished) await evaluateInIsolatedWorld(capturing, finishAnimations, false, holdScrollDriven);
}
