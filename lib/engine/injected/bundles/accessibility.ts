/// <reference lib="dom" />
// Functions for captures that list the elements of the page, called in its isolated world.
export * from "../accessibility/read-elements.ts";
