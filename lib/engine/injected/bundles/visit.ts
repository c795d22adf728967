/// <reference lib="dom" />
// Functions for the visit of a page, called in the page's isolated world.
export * from "../../full-page/backdrops.page.ts";
export * from "../../full-page/items.page.ts";
export * from "../../full-page/late-changes.page.ts";
export * from "../../full-page/observe.page.ts";
export * from "../../full-page/panes.page.ts";
export * from "../../full-page/pinned.page.ts";
export * from "../../full-page/revert.page.ts";
export * from "../../full-page/scroll-dependence.page.ts";
export { endMotions } from "../dom/moving-elements.ts";
export { openClosedRoot } from "../dom/shadow-roots.ts";
export { readContents } from "../observation/contents.ts";
