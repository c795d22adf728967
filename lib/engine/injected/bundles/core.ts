/// <reference lib="dom" />
// The functions that every capture calls in the page's isolated world: small, since each document parses them.
export * from "../animations.ts";
export * from "../blank-image.ts";
export * from "../bot-challenge.ts";
export * from "../canvases.ts";
export * from "../embedded-pdfs.ts";
export * from "../frame-commits.ts";
export * from "../frames.ts";
export * from "../loading.ts";
export * from "../missing-glyphs.ts";
export * from "../timers.ts";
