// Steps that take the picture: at once where memory allows it, in strips where the page is tall, or window by window.

import { movePinned, nextFrame, rememberPlaces, scrollToOffset } from "../../injected/full-page.ts";
import { readiness } from "../../injected/loading.ts";
import { assertPixels } from "../../outputs/result-limits.ts";
import { type Area, AT_ONCE_PIXELS, pixelsOf, stripsOf } from "../../outputs/screenshot/area.ts";
import { isBlankTooSoon } from "../../outputs/screenshot/blank-image.ts";
import { canExpress } from "../../outputs/screenshot/encoding.ts";
import { resizedSize } from "../../outputs/screenshot/resizing.ts";
import {
  collectStrips,
  type PictureSettings,
  STRIP,
  shootArea,
  shootBeyondWindow,
  withPageAtRest,
} from "../../outputs/screenshot/screenshot.ts";
import { keepHover } from "../../page/hover.ts";
import { ask } from "../../page/isolated-world.ts";
import { warnOfMissingGlyphs } from "../../page/missing-glyphs.ts";
import { untilPaintable } from "../../rendering/paintable.ts";
import { softAllowance } from "../budget.ts";
import type { Capturing } from "../capture-context.ts";
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
    const size = pixelsOf(area, scale);
    const format = expressible(capturing, picture);
    const isChromiums = OWN_FORMATS.has(format) && !picture.resizing && !picture.study;
    if (isChromiums && size.width * size.height <= AT_ONCE_PIXELS) {
      const settings = { format: format as PictureSettings["format"], quality: picture.quality, fast: picture.fast };
      capturing.output = { body: await shootArea(capturing, area, settings), format };
      return;
    }
    capturing.strips = await shootStrips(capturing);
  },

  "shoot-sections": async (capturing, step) => {
    await prepare(capturing, step.picture);
    capturing.strips = await shootSections(capturing, step);
  },

  "check-blank": async (capturing, { picture: { quality, fast } }) => {
    const format = (capturing.output?.format ?? "png") as PictureSettings["format"];
    const look = {
      settings: { format, quality, fast },
      inView: () => windowArea(capturing),
      isLast: capturing.retake === "done",
    };
    if (await isBlankTooSoon(capturing, look)) capturing.retake = "due";
  },

  "check-glyphs": async (capturing, { isWhole }) => {
    await warnOfMissingGlyphs(capturing, isWhole);
  },
} satisfies Actions;

async function prepare(capturing: Capturing, picture: Picture): Promise<void> {
  assertAffordable(capturing, picture);
  await clearGround(capturing, picture);
  await untilPaintable(capturing);
}

/** Throws `RESULT_TOO_LARGE` when the picture, or what it is resized to, has more pixels than are allowed. */
function assertAffordable({ area, scale, session: { limits } }: Capturing, { resizing }: Picture): void {
  const size = pixelsOf(area, scale);
  assertPixels(size, limits);
  if (resizing) assertPixels(resizedSize(size, resizing), limits);
}

/** Takes away the white on which a page is painted that has no ground of its own. */
async function clearGround({ session }: Capturing, { transparent }: Picture): Promise<void> {
  if (transparent) await session.cdp.send("Emulation.setDefaultBackgroundColorOverride", { color: TRANSPARENT });
}

/** The format asked for, or PNG where that cannot express the size, which is told. */
export function expressible({ area, scale, warnings }: Capturing, { format, resizing }: Picture): Picture["format"] {
  const size = pixelsOf(area, scale);
  if (canExpress(format, resizing ? resizedSize(size, resizing) : size)) return format;
  const warning = `An image of this size cannot be expressed as ${format}; it is a png.`;
  if (!warnings.includes(warning)) warnings.push(warning);
  return "png";
}

async function shootStrips(capturing: Capturing): Promise<Buffer[]> {
  const { area, scale } = capturing;
  const strips = stripsOf(area, scale);
  if (strips.length === 1) return [await shootArea(capturing, area, STRIP)];
  const shoot = (strip: Area) => shootBeyondWindow(capturing, strip, STRIP);
  return withPageAtRest(capturing, () => collectStrips(strips, shoot));
}

function shootSections(capturing: Capturing, { freeze }: StepOf<"shoot-sections">): Promise<Buffer[]> {
  const { activity, area, scale, window, budget, now } = capturing;
  return collectStrips(stripsOf(area, scale, window.height), async (section) => {
    const { begun } = activity;
    if (freeze && section.y === area.y) await ask(capturing, rememberPlaces);
    await ask(capturing, scrollToOffset, section.y, nextFrame);
    if (freeze && (await ask(capturing, movePinned))) await ask(capturing, scrollToOffset, section.y, nextFrame);
    await keepHover(capturing, { mayScroll: false });
    await ask(capturing, readiness, softAllowance(budget, now(), SECTION_MS));
    await activity.untilAnswered(begun, SECTION_MS);
    return shootArea(capturing, section, STRIP);
  });
}
