/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// What a live visit observes in each window of a page: the content, which the page may remove later, and the fixed elements.
import { recordPictures, recordView } from "./discarded-content.ts";
import { observeFixed } from "./dom/fixed-position.ts";
import { pageScroll } from "./dom/scrollers.ts";

/**
 * Records the content of the window, and which fixed elements move with the page. Of a page that does not scroll itself, it records the
 * pictures alone: `expandToContent` measures the element that scrolls in its place.
 */
export function observeLiveWindow(): void {
  recordPictures();
  if (pageScroll() === 0) return;
  observeFixed();
  recordView();
}
