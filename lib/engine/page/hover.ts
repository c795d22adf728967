// Keeps the mouse pointer over the hovered element after the page scrolls or changes its layout.

import * as v from "valibot";
import type * as elements from "../injected/elements.ts";
import { finishAnimationsInPage } from "./animations.ts";
import type { CapturedPage } from "./captured-page.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import { moveMouse } from "./mouse.ts";
import { nextFrameInPage } from "./next-frame.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";
import { pointSchema } from "./result-schemas.ts";

/** Where the caller's mouse pointer rests. */
export interface MousePointer {
  /** Selector of the element under it; undefined until one is hovered over. */
  hovered?: string;
}

export interface HoveredPage extends CapturedPage {
  readonly pointer: MousePointer;
  /** True when animations are finished, so that those that start later have to be finished as well. */
  readonly areAnimationsFinished?: boolean;
}

/** A point outside every window. */
const OUTSIDE = { x: -1, y: -1 };

/**
 * Moves the pointer to the hovered element's current position, and finishes animations that this starts if animations
 * are finished. Scrolls an element into view if `mayScroll`; otherwise the pointer leaves the window, so that it hovers
 * over nothing else.
 */
export async function keepHover(capturing: HoveredPage, { mayScroll }: { readonly mayScroll: boolean }): Promise<void> {
  const { pointer, areAnimationsFinished } = capturing;
  const { hovered } = pointer;
  if (hovered === undefined) return;
  const inView = await evaluateInIsolatedWorld(capturing, pointOver, hovered);
  const point =
    inView ?? (mayScroll ? (await evaluateInIsolatedWorld(capturing, scrollToPointInPage, hovered)).point : null);
  await moveMouse(capturing, point ?? OUTSIDE);
  await evaluateInIsolatedWorld(capturing, nextFrameInPage);
  if (areAnimationsFinished) await evaluateInIsolatedWorld(capturing, finishAnimationsInPage, false);
}

const pointOver: PageFunction<typeof elements.pointOver> = pageFunction("layout", "pointOver", {
  result: v.nullable(pointSchema),
});

export const scrollToPointInPage: PageFunction<typeof elements.scrollToPoint> = pageFunction(
  "layout",
  "scrollToPoint",
  {
    waitsFor: "time",
    result: v.object({ point: v.nullable(pointSchema) }),
  },
);
