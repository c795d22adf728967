// Shows an area of any size of the document in the browser's window. The page does not notice: its viewport, media queries,
// scroll offset and observers stay as they are.
import { deviceMetrics } from "../emulation/emulation.ts";
import type { Area } from "../geometry/area.ts";
import type { CapturedPage } from "./captured-page.ts";

/** Which part of the document the window shows, and at which scale. */
interface View {
  /** In CSS pixels of the page. */
  readonly area: Area;
  /** Pixels of the window per CSS pixel. */
  readonly scale: number;
}

type ShownPage = Pick<CapturedPage, "session" | "window" | "frameScheduler">;

/**
 * Runs `work` while the browser's window is as large as `view` and shows it, so that each frame is a picture of it; then
 * restores the window. `Emulation.setDeviceMetricsOverride` moves the picture, not the page, and with the setting
 * `mainFrameClipsContent=false` Chromium paints beyond the viewport. (`captureBeyondViewport` of `Page.captureScreenshot`
 * resizes the viewport to 1 × 1 pixel for a moment, which restarts each transition and animation of a media query.)
 */
export async function withAreaShown<T>(page: ShownPage, view: View, work: () => Promise<T>): Promise<T> {
  const { session, window, frameScheduler } = page;
  const { cdp } = session;
  const { windowId, bounds } = await cdp.send("Browser.getWindowForTarget");
  const resize = (size: { readonly width?: number; readonly height?: number }, shown: object) => async () => {
    await cdp.send("Browser.setWindowBounds", { windowId, bounds: size });
    await cdp.send("Emulation.setDeviceMetricsOverride", { ...deviceMetrics(window), ...shown });
  };
  const { area, scale } = view;
  const size = { width: Math.round(area.width * scale), height: Math.round(area.height * scale) };
  // The scale of a viewport comes on top of the device scale factor.
  const shown = { dontSetVisibleSize: true, viewport: { ...area, scale: scale / window.scale } };
  // Between two frames: Chromium never finishes one that is in progress while the window is resized.
  const between = (change: () => Promise<void>) => (frameScheduler ? frameScheduler.pauseWhile(change) : change());
  await between(resize(size, shown));
  try {
    // The first frame after a resize can lack content that it did not show before, such as text below the viewport.
    await frameScheduler?.frame();
    return await work();
  } finally {
    const { width, height } = bounds;
    await between(resize({ ...(width && { width }), ...(height && { height }) }, {}));
  }
}
