/// <reference lib="dom" />
// Functions for captures that read the document or print it, called in the page's isolated world.
export * from "../divide-tables.ts";
export * from "../documents.ts";
export * from "../drawings.ts";
export * from "../metadata.ts";
export * from "../page-rules.ts";
export * from "../pdf.ts";
export * from "../print-canvases.ts";
