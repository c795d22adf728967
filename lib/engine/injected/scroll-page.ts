/// <reference lib="dom" />
// Scrolls the page.
import { nextFrame } from "./frames.ts";

/** Scrolls the page to `top`, in CSS pixels, and waits for the frame in which observers notice. */
export async function scrollToOffset(top: number): Promise<void> {
  window.scrollTo({ top, behavior: "instant" });
  await nextFrame();
}
