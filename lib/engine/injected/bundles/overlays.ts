/// <reference lib="dom" />
// Functions for captures that close overlays, called in the page's isolated world.
export * from "../dom/in-window.ts";
export * from "../overlays/close-overlays.ts";
export * from "../overlays/restore-scroll.ts";
