/// <reference lib="dom" />
// Scrolls the page.
import { nextFrame } from "./frames.ts";

/** Scrolls the page to `top`, in CSS pixels, and waits for the frame in which observers notice. */
export async function scrollToOffset(top: number): Promise<void> {
  window.scrollTo({ top, behavior: "instant" });
  await nextFrame();
}

/** Fires the event of a scroll, for scripts that look at the window by it alone. */
export function announceScroll(): void {
  document.dispatchEvent(new Event("scroll", { bubbles: true }));
}
