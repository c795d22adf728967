// Canvases that Chromium prints blank, such as those of WebGL: pictures of what they show take their place for the print.

import { pageOrigin } from "../../emulation/emulation.ts";
import type { ShownCanvas } from "../../injected/print-canvases.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import type { CaptureState } from "../../pipeline/capture-context.ts";
import { MAX_TILE_PIXELS } from "../screenshot/area.ts";
import { atRest, captureBeyondViewport, TILE } from "../screenshot/screenshot.ts";

/** Chromium keeps no more WebGL contexts at once. */
const MAX_CANVASES = 16;

const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };

/**
 * Replaces canvases that would be printed blank by copies that hold what they show now, as sharp as they are. The page
 * keeps its layout; its scripts draw on the canvases they had. Canvases in frames of other origins stay as they are.
 */
export async function replaceBlankCanvases(capturing: CaptureState): Promise<void> {
  if (capturing.withoutScripts) return;
  const { cdp } = capturing.session;
  const count = Math.min(MAX_CANVASES, await evaluateInIsolatedWorld(capturing, "findBlankCanvases"));
  if (count === 0) return;
  await cdp.send("Emulation.setDefaultBackgroundColorOverride", { color: TRANSPARENT });
  const pictures: (Buffer | undefined)[] = [];
  for (let index = 0; index < count; index++) pictures.push(await pictureOf(capturing, index));
  await cdp.send("Emulation.setDefaultBackgroundColorOverride", {});
  for (const [index, picture] of pictures.entries()) {
    if (picture) await evaluateInIsolatedWorld(capturing, "replaceCanvas", index, picture.toString("base64"));
  }
}

/** What a canvas shows, by its number; undefined for one that cannot be shown alone. */
async function pictureOf(capturing: CaptureState, index: number): Promise<Buffer | undefined> {
  let shown: ShownCanvas | null = null;
  const shoot = async () => {
    const picture = shown && (await shootAlone(capturing, shown));
    await evaluateInIsolatedWorld(capturing, "showPage");
    // Chromium compares sizes once a frame: the page's observers must not see the change when scripts run again.
    await capturing.pump?.frame();
    return picture ?? undefined;
  };
  return atRest(capturing, shoot, async () => {
    shown = await evaluateInIsolatedWorld(capturing, "showCanvasAlone", index, MAX_TILE_PIXELS);
  });
}

async function shootAlone(capturing: CaptureState, { x, y, width, height }: ShownCanvas): Promise<Buffer> {
  const origin = pageOrigin(await capturing.session.cdp.send("Page.getLayoutMetrics"));
  return captureBeyondViewport({ ...capturing, scale: 1 }, { x: x + origin, y, width, height }, TILE);
}
