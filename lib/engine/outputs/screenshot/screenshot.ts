// Pictures of parts of a page as Chromium takes them: of what is in its window, and of what lies beyond.
import type { Protocol } from "puppeteer-core";
import { ApiError } from "../../../errors/api-error.ts";
import { pageOrigin, pageZoom } from "../../emulation/emulation.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { softAllowance } from "../../pipeline/budget.ts";
import type { CaptureState } from "../../pipeline/capture-context.ts";
import type { Area } from "./area.ts";

export interface ScreenshotSettings {
  readonly format: "png" | "jpeg" | "webp";
  readonly quality: number;
  /** Larger and sooner. */
  readonly fast: boolean;
}

/** For what is decoded again at once. */
export const TILE: ScreenshotSettings = { format: "png", quality: 100, fast: true };

/** Takes a picture of an area: as the window shows it, where it lies in there, which is quicker and changes nothing. */
export async function captureArea(capturing: CaptureState, area: Area, settings: ScreenshotSettings): Promise<Buffer> {
  const { pump, window } = capturing;
  if (!(await isInWindow(capturing, area))) {
    return withScriptsPaused(capturing, () => captureBeyondViewport(capturing, area, settings));
  }
  const isWindow = area.width === window.width && area.height === window.height;
  // A frame is as large as the browser's own window: not larger, as to sharp eyes, and nothing around the page is left out.
  const isFrame = isWindow && window.scale === 1 && window.desk === undefined;
  if (pump && isFrame) return pump.shoot(encodingOf(settings));
  return screenshot(capturing, isWindow ? {} : { clip: { ...area, scale: 1 } }, settings);
}

/** Takes a picture of an area that can lie anywhere on the page. Chromium gives the window another size meanwhile. */
export function captureBeyondViewport(
  capturing: CaptureState,
  area: Area,
  settings: ScreenshotSettings,
): Promise<Buffer> {
  const { scale, window } = capturing;
  const clip = { ...area, scale: scale / window.scale };
  return screenshot(capturing, { clip, captureBeyondViewport: true }, settings);
}

/** Longest wait for the sizes of background images, which the page has loaded before. */
const BACKGROUNDS_MS = 500;

/** Lays out fixed backgrounds for a picture of more of the page than the window, and runs `work` as `atRest` does. */
export async function withScriptsPaused<T>(capturing: CaptureState, work: () => Promise<T>): Promise<T> {
  const { budget, now } = capturing;
  await evaluateInIsolatedWorld(capturing, "releaseFixedBackgrounds", softAllowance(budget, now(), BACKGROUNDS_MS));
  return atRest(capturing, work);
}

/**
 * Runs `work` while the scripts of the page rest. They would see each change of the window's size, and could answer it by
 * changing the page before it is painted, or between one strip of it and the next. `prepare` runs right before the scripts
 * rest, with no frame in between where the page is painted on demand.
 */
export async function atRest<T>(
  capturing: CaptureState,
  work: () => Promise<T>,
  prepare: () => Promise<void> = async () => undefined,
): Promise<T> {
  if (capturing.withoutScripts) {
    await prepare();
    return work();
  }
  const { session, pump } = capturing;
  const { cdp } = session;
  await evaluateInIsolatedWorld(capturing, "hideNoScript");
  const rest = async () => {
    await prepare();
    await cdp.send("Emulation.setScriptExecutionDisabled", { value: true });
  };
  await (pump ? pump.pauseWhile(rest) : rest());
  try {
    return await work();
  } finally {
    // Whatever is asked of the page next comes after this; a page that has gone needs it no more.
    cdp.send("Emulation.setScriptExecutionDisabled", { value: false }).catch(() => undefined);
  }
}

/** What strips of an image may weigh together: those of photographs and of noise are as large as their pixels. */
const MAX_STRIP_BYTES = 200_000_000;

/** Takes a strip of each area, from top to bottom. Throws `RESULT_TOO_LARGE` when they become more than memory can hold. */
export async function collectTiles(areas: readonly Area[], shoot: (area: Area) => Promise<Buffer>): Promise<Buffer[]> {
  const strips: Buffer[] = [];
  let bytes = 0;
  for (const area of areas) {
    const strip = await shoot(area);
    bytes += strip.length;
    if (bytes > MAX_STRIP_BYTES) throw tooDetailed();
    strips.push(strip);
  }
  return strips;
}

function tooDetailed(): ApiError {
  const message =
    "The page shows more detail than an image of its size can hold here. " +
    "Lower device_scale_factor or full_page_max_height, or capture a smaller part.";
  return new ApiError("RESULT_TOO_LARGE", message, { details: { image: ["has too much detail"] } });
}

/** Never of a page that is shown zoomed out, as phones show some. */
async function isInWindow({ session, window }: CaptureState, { x, y, width, height }: Area): Promise<boolean> {
  if (width > window.width || height > window.height) return false;
  const metrics = await session.cdp.send("Page.getLayoutMetrics");
  const { cssVisualViewport } = metrics;
  if (cssVisualViewport.scale !== 1 || pageZoom(metrics) !== 1) return false;
  const [left, top] = [cssVisualViewport.pageX + pageOrigin(metrics), cssVisualViewport.pageY];
  return x >= left && y >= top && x + width <= left + window.width && y + height <= top + window.height;
}

async function screenshot(
  { session, pump }: CaptureState,
  part: Pick<Protocol.Page.CaptureScreenshotRequest, "clip" | "captureBeyondViewport">,
  settings: ScreenshotSettings,
): Promise<Buffer> {
  const take = () => session.cdp.send("Page.captureScreenshot", { ...encodingOf(settings), ...part });
  const { data } = await (pump ? pump.withFrames(take) : take());
  return Buffer.from(data, "base64");
}

function encodingOf({ format, quality, fast }: ScreenshotSettings) {
  return { format, ...(format !== "png" && { quality }), optimizeForSpeed: fast };
}
