/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Waits for frames of the page.

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
