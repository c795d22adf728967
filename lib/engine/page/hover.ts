// Keeps the pointer over the element that the caller hovers over when the page is scrolled or laid out again.

import { pointOver, target, visibleBox } from "../injected/elements.ts";
import { nextFrame } from "../injected/full-page.ts";
import { finishAnimations, holdScrollDriven } from "../injected/still.ts";
import type { Capturing } from "../pipeline/capture-context.ts";
import { ask } from "./isolated-world.ts";
import { moveMouse } from "./mouse.ts";

/** A point that is outside of every window. */
const OUTSIDE = { x: -1, y: -1 };

/**
 * Moves the pointer to where the hovered element is now, and finishes what that begins where animations are finished. An
 * element out of view is scrolled into view where `mayScroll`; else the pointer leaves the window, so that it rests on
 * nothing else.
 */
export async function keepHover(capturing: Capturing, { mayScroll }: { readonly mayScroll: boolean }): Promise<void> {
  const { hovered, areAnimationsFinished, session } = capturing;
  if (hovered === undefined) return;
  const inView = await ask(capturing, pointOver, hovered, visibleBox);
  const point = inView ?? (mayScroll ? (await ask(capturing, target, hovered, visibleBox)).point : null);
  await moveMouse(session.cdp, point ?? OUTSIDE);
  await ask(capturing, nextFrame);
  if (areAnimationsFinished) await ask(capturing, finishAnimations, false, holdScrollDriven);
}
