/// <reference lib="dom" />
// Functions that observe the page for its problems, called in its isolated world.
export * from "../observation/observe-page.ts";
