// Whether there is a page to be painted yet: until then a frame shows the ground that lies under all pages.
import { hardAllowance } from "../pipeline/budget.ts";
import { type CaptureState, StepTimeout } from "../pipeline/capture-context.ts";

/**
 * Waits for a page that is still being read and has shown nothing: what it has asked for can keep all of it from coming.
 * A browser that paints by itself has its own way of waiting.
 */
export async function waitForFirstPaint({ activity, budget, now, pump }: CaptureState): Promise<void> {
  if (!pump) return;
  const isPaintable = () => {
    const { contentPainted, parsed } = activity.document;
    return contentPainted || parsed || activity.pending().length === 0;
  };
  if (!(await activity.until(isPaintable, hardAllowance(budget, now()))))
    throw new StepTimeout("the page to be painted");
}
