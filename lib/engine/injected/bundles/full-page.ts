/// <reference lib="dom" />
// Functions for captures of more than the window, called in the page's isolated world.
export { sidesOfWindow } from "../dom/window-sides.ts";
export * from "../fixed-backgrounds.ts";
export * from "../fixed-elements.ts";
export * from "../in-view-styles.ts";
export * from "../page-frames.ts";
export * from "../page-state.ts";
export * from "../scroll-page.ts";
export * from "../virtualized.ts";
export * from "../whole-page.ts";
