// Waits for the first paint of a page; earlier frames show only the default background.

import type { CapturedPage } from "../page/captured-page.ts";
import { hardAllowance } from "../timing/budget.ts";
import { TimeoutError } from "../timing/timeout-error.ts";

/**
 * Waits until a page that is still being parsed has painted content; open requests can block its rendering. In
 * continuous mode Chromium waits by itself. Throws `TimeoutError`.
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
