// Steps that take the picture: at once where memory allows it, in strips where the page is tall, or window by window.

import { assertPixels } from "../../outputs/result-limits.ts";
import { type Area, MAX_TILE_PIXELS, splitIntoTiles, toDevicePixels } from "../../outputs/screenshot/area.ts";
import { isBlankTooEarly } from "../../outputs/screenshot/blank-image.ts";
import { canExpress } from "../../outputs/screenshot/encoding.ts";
import { resizedSize } from "../../outputs/screenshot/resizing.ts";
import {
  captureArea,
  captureBeyondViewport,
  collectTiles,
  type ScreenshotSettings,
  TILE,
  withScriptsPaused,
} from "../../outputs/screenshot/screenshot.ts";
import { keepHover } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { warnOfMissingGlyphs } from "../../page/missing-glyphs.ts";
import { waitForFirstPaint } from "../../rendering/paintable.ts";
import { softAllowance } from "../budget.ts";
import type { CaptureState } from "../capture-context.ts";
import type { Picture, StepOf } from "../step.ts";
import type { Actions } from "./actions.ts";
import { windowArea } from "./frame.ts";

/** Formats that Chromium writes itself. */
const OWN_FORMATS = new Set(["png", "jpeg", "webp"]);

/** Longest wait for what a section shows. */
const SECTION_MS = 500;

const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };

export const shootActions = {
  shoot: async (capturing, { picture }) => {
    const { area, scale } = capturing;
    await prepare(capturing, picture);
    const size = toDevicePixels(area, scale);
    const format = expressible(capturing, picture);
    const isChromiums = OWN_FORMATS.has(format) && !picture.resizing && !picture.study;
    if (isChromiums && size.width * size.height <= MAX_TILE_PIXELS) {
      const settings = { format: format as ScreenshotSettings["format"], quality: picture.quality, fast: picture.fast };
      capturing.output = { body: await captureArea(capturing, area, settings), format };
      return;
    }
    capturing.strips = await shootStrips(capturing);
  },

  "shoot-sections": async (capturing, step) => {
    await prepare(capturing, step.picture);
    capturing.strips = await shootSections(capturing, step);
  },

  "check-blank": async (capturing, { picture: { quality, fast } }) => {
    const format = (capturing.output?.format ?? "png") as ScreenshotSettings["format"];
    const look = {
      settings: { format, quality, fast },
      inView: () => windowArea(capturing),
      isLast: capturing.retake === "done",
    };
    if (await isBlankTooEarly(capturing, look)) capturing.retake = "due";
  },

  "check-glyphs": async (capturing, { isWhole }) => {
    await warnOfMissingGlyphs(capturing, isWhole);
  },
} satisfies Actions;

async function prepare(capturing: CaptureState, picture: Picture): Promise<void> {
  assertAffordable(capturing, picture);
  await clearGround(capturing, picture);
  await waitForFirstPaint(capturing);
}

/** Throws `RESULT_TOO_LARGE` when the picture, or what it is resized to, has more pixels than are allowed. */
function assertAffordable({ area, scale, session: { limits } }: CaptureState, { resizing }: Picture): void {
  const size = toDevicePixels(area, scale);
  assertPixels(size, limits);
  if (resizing) assertPixels(resizedSize(size, resizing), limits);
}

/** Takes away the white on which a page is painted that has no ground of its own. */
async function clearGround({ session }: CaptureState, { transparent }: Picture): Promise<void> {
  if (transparent) await session.cdp.send("Emulation.setDefaultBackgroundColorOverride", { color: TRANSPARENT });
}

/** The format asked for, or PNG where that cannot express the size, which is told. */
export function expressible({ area, scale, warnings }: CaptureState, { format, resizing }: Picture): Picture["format"] {
  const size = toDevicePixels(area, scale);
  if (canExpress(format, resizing ? resizedSize(size, resizing) : size)) return format;
  const warning = `An image of this size cannot be expressed as ${format}; it is a png.`;
  if (!warnings.includes(warning)) warnings.push(warning);
  return "png";
}

async function shootStrips(capturing: CaptureState): Promise<Buffer[]> {
  const { area, scale } = capturing;
  const strips = splitIntoTiles(area, scale);
  if (strips.length === 1) return [await captureArea(capturing, area, TILE)];
  const shoot = (strip: Area) => captureBeyondViewport(capturing, strip, TILE);
  return withScriptsPaused(capturing, () => collectTiles(strips, shoot));
}

function shootSections(capturing: CaptureState, { freeze }: StepOf<"shoot-sections">): Promise<Buffer[]> {
  const { activity, area, scale, window, budget, now } = capturing;
  return collectTiles(splitIntoTiles(area, scale, window.height), async (section) => {
    const { begun } = activity;
    if (freeze && section.y === area.y) await evaluateInIsolatedWorld(capturing, "rememberFixedPositions");
    await evaluateInIsolatedWorld(capturing, "scrollToOffset", section.y);
    if (freeze && (await evaluateInIsolatedWorld(capturing, "offsetFixed")))
      await evaluateInIsolatedWorld(capturing, "scrollToOffset", section.y);
    await keepHover(capturing, { mayScroll: false });
    await evaluateInIsolatedWorld(capturing, "readiness", softAllowance(budget, now(), SECTION_MS));
    await activity.untilAnswered(begun, SECTION_MS);
    return captureArea(capturing, section, TILE);
  });
}
