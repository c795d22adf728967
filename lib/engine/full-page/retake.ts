// Takes windows again that were taken before something in them was known to be pinned, such as a bar at the foot of the first one, or
// before the page had answered that they were scrolled to.
import { findStrays, listLateOffsets } from "./page-functions.ts";
import type { VisitTime } from "./visit-time.ts";
import type { VisitedWindow, VisitWindows } from "./visit-windows.ts";
import type { WindowComparison } from "./window-comparison.ts";

export async function retakeStrays(
  windows: VisitWindows,
  time: VisitTime,
  comparison: WindowComparison,
): Promise<void> {
  const strays = await windows.documents.call(findStrays);
  const late = time.isForWaitsUsedUp ? [] : (await windows.documents.call(listLateOffsets)).flat();
  const pinned = strays.flatMap((each) => each.offsets);
  const hasFoot = strays.some((each) => each.hasFoot);
  /** True for a window that agrees with its neighbours; a list may have estimated the heights of its rows again. */
  const fits = async (window: VisitedWindow, [above, below]: readonly (VisitedWindow | undefined)[]) =>
    (!above || (await comparison.agree(above, window))) && (!below || (await comparison.agree(window, below)));
  const sorted = windows.all.toSorted((one, other) => one.top - other.top);
  for (const [at, window] of sorted.entries()) {
    const isAt = (offset: number) => Math.abs(offset - window.offset) <= 1;
    const isFirst = window.offset <= windows.first + 1 && sorted.length > 1;
    const neighbours = [sorted[at - 1], sorted[at + 1]];
    if (pinned.some(isAt) || (isFirst && hasFoot)) await windows.retake(window);
    else if (late.some(isAt))
      await windows.retake(
        window,
        async (again) => (await fits(again, neighbours)) || !(await fits(window, neighbours)),
      );
  }
}
