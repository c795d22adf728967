/// <reference lib="dom" />
// Functions that tell what moves in a page, called in its isolated world.
export * from "../movement.ts";
export * from "../time-driven.ts";
