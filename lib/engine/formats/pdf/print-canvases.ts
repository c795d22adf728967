// Replaces canvases that Chromium prints blank, such as those of WebGL, with images of their content for the print.

import * as v from "valibot";
import { MAX_TILE_PIXELS } from "../../geometry/area.ts";
import type * as printCanvases from "../../injected/print-canvases.ts";
import type { ShownCanvas } from "../../injected/print-canvases.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { areaSchema } from "../../page/result-schemas.ts";
import { pageOrigin } from "../../page/viewport.ts";
import { captureBeyondViewport, TILE_SETTINGS, withScriptsDisabled } from "../screenshot/screenshot.ts";

/** Chromium keeps at most this many WebGL contexts. */
const MAX_CANVASES = 16;

const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };

/**
 * Replaces canvases that would print blank with copies of their current content at full resolution. The layout stays,
 * and scripts keep drawing on the original canvases. Canvases in cross-origin frames are not replaced.
 */
export async function replaceBlankCanvases(capturing: CapturedPage): Promise<void> {
  if (capturing.isJavaScriptDisabled) return;
  const { cdp } = capturing.session;
  const count = Math.min(MAX_CANVASES, await evaluateInIsolatedWorld(capturing, findBlankCanvases));
  if (count === 0) return;
  await cdp.send("Emulation.setDefaultBackgroundColorOverride", { color: TRANSPARENT });
  const images: (Buffer | undefined)[] = [];
  for (let index = 0; index < count; index++) images.push(await captureCanvas(capturing, index));
  await cdp.send("Emulation.setDefaultBackgroundColorOverride", {});
  for (const [index, image] of images.entries()) {
    if (image) await evaluateInIsolatedWorld(capturing, replaceCanvas, index, image.toString("base64"));
  }
}

/** Captures a canvas by its index; undefined for one that cannot be shown alone. */
async function captureCanvas(capturing: CapturedPage, index: number): Promise<Buffer | undefined> {
  let shown: ShownCanvas | null = null;
  const capture = async () => {
    const image = shown && (await captureAlone(capturing, shown));
    await evaluateInIsolatedWorld(capturing, showPage);
    // Chromium compares sizes once a frame; this frame keeps the change from the page's observers when scripts run
    // again.
    await capturing.frameScheduler?.frame();
    return image ?? undefined;
  };
  return withScriptsDisabled(capturing, capture, async () => {
    shown = await evaluateInIsolatedWorld(capturing, showCanvasAlone, index, MAX_TILE_PIXELS);
  });
}

async function captureAlone(capturing: CapturedPage, { x, y, width, height }: ShownCanvas): Promise<Buffer> {
  const origin = pageOrigin(await capturing.session.cdp.send("Page.getLayoutMetrics"));
  return captureBeyondViewport({ ...capturing, scale: 1 }, { x: x + origin, y, width, height }, TILE_SETTINGS);
}

const findBlankCanvases: PageFunction<typeof printCanvases.findBlankCanvases> = pageFunction(
  "printing",
  "findBlankCanvases",
  { result: v.number() },
);

const replaceCanvas: PageFunction<typeof printCanvases.replaceCanvas> = pageFunction("printing", "replaceCanvas");

const showCanvasAlone: PageFunction<typeof printCanvases.showCanvasAlone> = pageFunction(
  "printing",
  "showCanvasAlone",
  { result: v.nullable(areaSchema) },
);

const showPage: PageFunction<typeof printCanvases.showPage> = pageFunction("printing", "showPage");
