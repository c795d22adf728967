// Keeps out of a page what it is not to request, and hides what was left of it.
import type { Capturing } from "../capturing.ts";
import type { StepOf } from "../step.ts";

/** Comes before the page is asked for, and holds for all documents to come. */
export async function blockPage(_capturing: Capturing, _step: StepOf<"block">): Promise<void> {
  throw new Error("to be written");
}
