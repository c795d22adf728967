/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Waits for frames of the page, and requests them.
import { countOwnFrameRequest } from "./dom/own-frame-requests.ts";

/**
 * Waits until a frame has been painted. Never resolves where scripts are disabled, because no frame callback runs there,
 * nor before the style sheets that block the first paint have loaded.
 */
export function framePainted(): Promise<void> {
  // The second callback is requested when the first frame has been produced.
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

/**
 * Waits until intersection observers have been notified in the next frame; at most 250 ms, for a page that is too busy to
 * produce frames.
 */
export async function nextFrame(): Promise<void> {
  const notified = new Promise<void>((resolve) => {
    // All observers of a page are notified in one task.
    const observer = new IntersectionObserver(() => {
      observer.disconnect();
      setTimeout(resolve);
    });
    observer.observe(document.documentElement);
  });
  await Promise.race([notified, new Promise((resolve) => setTimeout(resolve, 250))]);
}

let isMoving = false;

/**
 * Requests animation frames from now on. Under BeginFrameControl a page that stands still has no idle periods
 * after the first ones, so that its idle callbacks would never run.
 */
export function keepMoving(): void {
  if (isMoving) return;
  isMoving = true;
  const next = () => {
    countOwnFrameRequest();
    requestAnimationFrame(next);
  };
  next();
}
