// Makes the browser look like one that a person uses.
import type { Capturing } from "../capturing.ts";

/** Comes before the page is asked for, and holds for all its frames and workers. */
export async function disguise(_capturing: Capturing): Promise<void> {
  throw new Error("to be written");
}
