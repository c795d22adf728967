// The warning for pages with more elements than are measured around a change of their layout.
import type { CapturedPage } from "./captured-page.ts";

const WARNING =
  "The page has more than 20,000 elements. Only a sample of them was checked for side effects of laying the page out as a whole.";

/** Warns once, whichever change it was. */
export function warnOfSampling({ warnings }: Pick<CapturedPage, "warnings">): void {
  if (!warnings.includes(WARNING)) warnings.push(WARNING);
}
