/// <reference lib="dom" />
// Functions for captures that print the document, called in the page's isolated world.
export * from "../clipped-fixed.ts";
export * from "../dark-print.ts";
export * from "../divide-tables.ts";
export * from "../drawings.ts";
export * from "../page-rules.ts";
export * from "../paper-cuts.ts";
export * from "../pdf.ts";
export * from "../print-canvases.ts";
