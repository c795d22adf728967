// Whether there is a page to be painted yet: until then a frame shows the ground that lies under all pages.

import type { CapturedPage } from "../page/captured-page.ts";
import { hardAllowance } from "../timing/budget.ts";
import { TimeoutError } from "../timing/timeout-error.ts";

/**
 * Waits for a page that is still being read and has shown nothing: what it has asked for can keep all of it from coming.
 * A browser that paints by itself has its own way of waiting.
 */
export async function waitForFirstPaint({ activity, budget, now, frameScheduler }: CapturedPage): Promise<void> {
  if (!frameScheduler) return;
  const isPaintable = () => {
    const { contentPainted, parsed } = activity.document;
    return contentPainted || parsed || activity.pending().length === 0;
  };
  if (!(await activity.until(isPaintable, hardAllowance(budget, now()))))
    throw new TimeoutError("the page to be painted");
}
