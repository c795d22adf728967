// Prepares the page for a screenshot: checks the size, clears the default background and waits for the first paint.
import type { CapturedPage } from "../../page/captured-page.ts";
import { hardAllowance } from "../../timing/budget.ts";
import { TimeoutError } from "../../timing/timeout-error.ts";
import { assertImageSize, type ImageArea, type ImageSettings, wholeImageFormat } from "./image-settings.ts";

const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };

/** Throws `RESULT_TOO_LARGE` when the image has more pixels than the limits allow, or than its format can hold. */
export async function prepareScreenshot(page: CapturedPage & ImageArea, image: ImageSettings): Promise<void> {
  const { cdp, limits } = page.session;
  assertImageSize(page, image, limits);
  wholeImageFormat(page, image);
  // Without this, Chromium paints white behind a page that has no background.
  if (image.transparent) await cdp.send("Emulation.setDefaultBackgroundColorOverride", { color: TRANSPARENT });
  await waitForFirstPaint(page);
}

/**
 * First paint: waits until a page that is still being parsed has painted content, because earlier frames show only the
 * default background; open requests can block its rendering. In continuous mode Chromium waits by itself. Throws `TimeoutError`.
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
