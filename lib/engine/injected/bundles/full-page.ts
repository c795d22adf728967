/// <reference lib="dom" />
// Functions for captures of more than the window, called in the page's isolated world.

export * from "../content-visibility.ts";
export { countDiscardedPictures, countDiscardedViews } from "../discarded-content.ts";
export { sidesOfWindow } from "../dom/window-sides.ts";
export { expandScrollers } from "../expand-scrollers.ts";
export * from "../fixed-backgrounds.ts";
export * from "../fixed-elements.ts";
export * from "../in-view-styles.ts";
export * from "../live-window.ts";
export * from "../noscript.ts";
export * from "../page-frames.ts";
export * from "../page-state.ts";
export * from "../repaint.ts";
export * from "../scroll-page.ts";
