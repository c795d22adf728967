/// <reference lib="dom" />
// Functions for captures that read the document, called in the page's isolated world.
export * from "../documents.ts";
export * from "../metadata.ts";
