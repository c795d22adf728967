// Keeps the pointer over the element that the caller hovers over when the page is scrolled or laid out again.

import type { CaptureState } from "../pipeline/capture-context.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import { moveMouse } from "./mouse.ts";

/** A point that is outside of every window. */
const OUTSIDE = { x: -1, y: -1 };

/**
 * Moves the pointer to where the hovered element is now, and finishes what that begins where animations are finished. An
 * element out of view is scrolled into view where `mayScroll`; else the pointer leaves the window, so that it rests on
 * nothing else.
 */
export async function keepHover(
  capturing: CaptureState,
  { mayScroll }: { readonly mayScroll: boolean },
): Promise<void> {
  const { hovered, areAnimationsFinished, session } = capturing;
  if (hovered === undefined) return;
  const inView = await evaluateInIsolatedWorld(capturing, "pointOver", hovered);
  const point =
    inView ?? (mayScroll ? (await evaluateInIsolatedWorld(capturing, "scrollToPoint", hovered)).point : null);
  await moveMouse(session.cdp, point ?? OUTSIDE);
  await evaluateInIsolatedWorld(capturing, "nextFrame");
  if (areAnimationsFinished) await evaluateInIsolatedWorld(capturing, "finishAnimations", false);
}
