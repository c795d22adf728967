// Measures the visual viewport: the part of the page in view, and the scale at which it is shown.
import type { Protocol } from "puppeteer-core";
import { pageOrigin, pageZoom } from "../emulation/emulation.ts";
import type { Area } from "../outputs/screenshot/area.ts";
import type { CapturedPage } from "./captured-page.ts";

type MeasuredPage = Pick<CapturedPage, "session" | "window">;

export interface PageLayout {
  readonly metrics: Protocol.Page.GetLayoutMetricsResponse;
  /** Image pixels per CSS pixel: the device scale factor, less where a phone shows a wide page zoomed out. */
  readonly scale: number;
}

export async function measureLayout({ session, window }: MeasuredPage): Promise<PageLayout> {
  const metrics = await session.cdp.send("Page.getLayoutMetrics");
  return { metrics, scale: window.scale * pageZoom(metrics) };
}

/** The area in view in whole CSS pixels (Chromium drops fractions of a clip), and the image pixels per CSS pixel. */
export async function measureViewport(page: MeasuredPage): Promise<{ readonly area: Area; readonly scale: number }> {
  const { metrics, scale } = await measureLayout(page);
  const { pageX, pageY } = metrics.cssVisualViewport;
  const { width, height } = page.window;
  const zoom = pageZoom(metrics);
  return {
    area: {
      x: pageX + pageOrigin(metrics),
      y: pageY,
      width: Math.round(width / zoom),
      height: Math.round(height / zoom),
    },
    scale,
  };
}
