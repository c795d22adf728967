// Steps that make a video: the window fitted to what is filmed, then frame after frame into the encoder.
import { ApiError } from "../../../errors/api-error.ts";
import { deviceMetrics } from "../../emulation/emulation.ts";
import { type Area, intersect } from "../../outputs/screenshot/area.ts";
import { createAnimatedWebpEncoder } from "../../outputs/video/animated-webp-encoder.ts";
import type { EncodedPicture, FrameEncoder } from "../../outputs/video/frame-encoder.ts";
import { type RecordingSettings, recordFrames } from "../../outputs/video/frames.ts";
import { createGifEncoder } from "../../outputs/video/gif/gif-encoder.ts";
import { recordScreen } from "../../outputs/video/screencast.ts";
import { createScrollScenario } from "../../outputs/video/scrolling.ts";
import { type VideoSize, videoSize } from "../../outputs/video/video-size.ts";
import { createWebCodecsEncoder } from "../../outputs/video/web-codecs-encoder.ts";
import { keepHover } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { stopIdleCallbacks } from "../../rendering/idle-callbacks.ts";
import { softAllowance } from "../budget.ts";
import type { CaptureState } from "../capture-context.ts";
import type { Recording } from "../step.ts";
import { withTimeout } from "../with-timeout.ts";
import type { Actions } from "./actions.ts";
import { windowArea } from "./frame.ts";

/** Longest wait for the images of a page that is scrolled through. */
const IMAGES_MS = 5_000;

/** A page that does not finish a frame for so long would not do so in its film either. */
const LAST_FRAME_MS = 5_000;

export const filmActions = {
  "load-eagerly": async (capturing) => {
    await evaluateInIsolatedWorld(capturing, "loadEagerly");
    await evaluateInIsolatedWorld(
      capturing,
      "readiness",
      softAllowance(capturing.budget, capturing.now(), IMAGES_MS),
      Number.MAX_SAFE_INTEGER,
    );
  },

  "grow-window": async (capturing) => {
    const { area, window } = capturing;
    const inView = await windowArea(capturing);
    // A telephone shows a wide page zoomed out: its window holds more of the page than it is large.
    const width = Math.round(window.width * Math.max(1, area.width / inView.width));
    const height = Math.round(window.height * Math.max(1, area.height / inView.height));
    if (width === window.width && height === window.height) return;
    capturing.window = { ...window, width, height };
    await paused(capturing, () => reshape(capturing, { width, height }, {}));
  },

  "fit-window": async (capturing, { size }) => {
    const { window } = capturing;
    await fit(capturing, videoSize(size, window, window.scale), undefined);
  },

  "fit-area": async (capturing, { size }) => {
    const area = await bringIntoView(capturing);
    await fit(capturing, videoSize(size, area, capturing.scale), area);
  },

  film: async (capturing, { film }) => {
    const { session, pump } = capturing;
    const prepare = film.scroll && (await createScrollScenario(capturing, film.scroll, film));
    stopIdleCallbacks(capturing);
    await pump?.stop(LAST_FRAME_MS);
    await shoot(capturing, film, (filming) => recordFrames(session.cdp, { ...filming, ...(prepare && { prepare }) }));
  },

  "film-in-real-time": async (capturing, { film }) => {
    const { session } = capturing;
    const { width, height } = fitted(capturing);
    const prepare = film.scroll && (await createScrollScenario(capturing, film.scroll, film));
    await shoot(capturing, film, (filming) =>
      recordScreen(session.cdp, { ...filming, width, height, ...(prepare && { prepare }) }),
    );
  },

  "study-video": async (capturing) => {
    const { width, height } = fitted(capturing);
    capturing.metadata.image_size = { width, height };
  },
} satisfies Actions;

/** The part of the area that is to be filmed which the window can show: a page is painted no further. */
async function bringIntoView(capturing: CaptureState): Promise<Area> {
  const { area } = capturing;
  const isWhole = (shown: Area | undefined) => shown?.width === area.width && shown.height === area.height;
  const shown = intersect(area, await windowArea(capturing));
  if (shown && isWhole(shown)) return shown;
  await evaluateInIsolatedWorld(capturing, "scrollToOffset", area.y);
  await keepHover(capturing, { mayScroll: false });
  const scrolled = intersect(area, await windowArea(capturing));
  if (!scrolled) {
    const message = "What is to be filmed lies beyond the end of the page. Lower clip_x and clip_y.";
    throw new ApiError("SELECTOR_NOT_FOUND", message, { details: { clip_y: ["lies beyond the end of the page"] } });
  }
  if (!isWhole(scrolled))
    capturing.warnings.push("The video shows only the part of what was asked for that the window can.");
  return scrolled;
}

/** Makes the pictures of the page as large as the video is to be: painted so, not enlarged or reduced afterwards. */
async function fit(capturing: CaptureState, video: VideoSize, area: Area | undefined): Promise<void> {
  const { width, height, zoom } = video;
  capturing.video = video;
  // Of a part, Chromium is told where it lies in the document.
  const shown = area ? { viewport: { ...area, scale: zoom } } : { scale: zoom };
  await paused(capturing, () => reshape(capturing, { width, height }, shown));
}

/** Gives the window another outer size, in pixels of the video, while the page believes in that of `capturing.window`. */
async function reshape(
  { session: { cdp }, window }: CaptureState,
  size: { readonly width: number; readonly height: number },
  shown: object,
): Promise<void> {
  const { windowId } = await cdp.send("Browser.getWindowForTarget");
  await cdp.send("Browser.setWindowBounds", { windowId, bounds: { width: size.width, height: size.height } });
  await cdp.send("Emulation.setDeviceMetricsOverride", {
    ...deviceMetrics(window),
    dontSetVisibleSize: true,
    ...shown,
  });
}

/**
 * Resizes the window while nothing is painted, once the page has been: until it is ready for its first frame, Chromium
 * holds it back, and what is held back as the window changes never ends.
 */
async function paused(capturing: CaptureState, work: () => Promise<void>): Promise<void> {
  const { pump, activity, withoutScripts, budget, now } = capturing;
  if (!pump) return work();
  if (activity.document.loaded && !withoutScripts) {
    await withTimeout(evaluateInIsolatedWorld(capturing, "framePainted"), softAllowance(budget, now(), LAST_FRAME_MS));
  }
  await pump.pauseWhile(work, LAST_FRAME_MS);
}

/** Films into the encoder of the format, which becomes the capture's output. */
async function shoot(
  capturing: CaptureState,
  film: Recording,
  frames: (filming: RecordingSettings) => AsyncIterable<EncodedPicture>,
): Promise<void> {
  await using encoder = await encoderOf(capturing, film);
  const { seconds, fps, format } = film;
  let adding = Promise.resolve();
  for await (const picture of frames({ seconds, fps, takes: encoder.takes })) {
    await adding;
    adding = encoder.add(picture); // on its way while the next frame is painted
    adding.catch(() => undefined);
  }
  await adding;
  capturing.output = { body: await encoder.finish(), format };
}

async function encoderOf(capturing: CaptureState, { format, fps, quality }: Recording): Promise<FrameEncoder> {
  const { width, height } = fitted(capturing);
  const settings = { width, height, fps, quality, limits: capturing.session.limits };
  if (format === "gif") return createGifEncoder(settings);
  if (format === "animated_webp") return createAnimatedWebpEncoder(settings);
  if (!capturing.encoder) throw new Error("No browser was started to encode the video.");
  return createWebCodecsEncoder(await capturing.encoder, format, settings);
}

function fitted({ video }: CaptureState): VideoSize {
  if (!video) throw new Error("The window was not fitted to the video yet.");
  return video;
}
