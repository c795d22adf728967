// Measures the visual viewport: the part of the page in view, and the scale at which it is shown.
import type { Protocol } from "puppeteer-core";
import type { Area } from "../geometry/area.ts";
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

/**
 * Page scale factor, at most 1: image pixels per CSS pixel before the device scale factor. It is below 1 where a phone
 * shows a page wider than itself zoomed out; the viewport then holds more CSS pixels, and an image of them is still as
 * wide as the phone.
 */
export function pageZoom({
  cssVisualViewport,
}: Pick<Protocol.Page.GetLayoutMetricsResponse, "cssVisualViewport">): number {
  return Math.min(1, cssVisualViewport.scale);
}

/** X coordinate of the page's left edge relative to its origin, in CSS pixels: negative for right-to-left pages. */
export function pageOrigin({
  cssLayoutViewport,
  cssVisualViewport,
}: Pick<Protocol.Page.GetLayoutMetricsResponse, "cssLayoutViewport" | "cssVisualViewport">): number {
  return cssLayoutViewport.pageX - (cssVisualViewport.pageX - cssVisualViewport.offsetX);
}
