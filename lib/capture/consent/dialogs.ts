// Boxes that lie over a page and that no list knows: told by their looks and their words, closed or taken away.
import type { Capturing } from "../capturing.ts";

/** Closes what lies over the page: cookie walls only, or any dialog. */
export async function closeDialogs(_capturing: Capturing, _what: "consent" | "any"): Promise<void> {
  throw new Error("to be written");
}

/** Lets a page scroll again that could not because of what lay over it, and takes away its blur. */
export async function unlockPage(_capturing: Capturing): Promise<void> {
  throw new Error("to be written");
}
