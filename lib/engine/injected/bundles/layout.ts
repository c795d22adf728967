/// <reference lib="dom" />
// Functions for captures that select elements, scroll to them or change the page, called in the page's isolated world.
export * from "../click-effect.ts";
export * from "../elements.ts";
export * from "../recording.ts";
export * from "../scroll-position.ts";
export * from "../still.ts";
export * from "../styles.ts";
