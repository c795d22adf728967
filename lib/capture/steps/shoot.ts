// Steps that take the picture: at once where memory allows it, in strips where the page is tall, or window by window.
import { softAllowance } from "../budget.ts";
import type { Capturing } from "../capturing.ts";
import { canExpress } from "../encoding.ts";
import { type Area, assertCapturable, pixelsOf, stripsOf } from "../image.ts";
import { ask } from "../isolated-world.ts";
import type { Picture, StepOf } from "../plan.ts";
import { resizedSize } from "../resizing.ts";
import { scrollToOffset, showPinned } from "../scripts/full-page.ts";
import { readiness } from "../scripts/loading.ts";
import type { Actions } from "./actions.ts";

/** Formats that Chromium writes itself. */
const OWN_FORMATS = new Set(["png", "jpeg", "webp"]);

/** Above this many pixels a picture is taken in strips: memory grows with what Chromium paints at once. */
const AT_ONCE_PIXELS = 16_000_000;

/** Longest wait for what a section shows. */
const SECTION_MS = 500;

const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };

type OwnFormat = "png" | "jpeg" | "webp";

export const shootActions = {
  shoot: async (capturing, { picture }) => {
    const { area, scale } = capturing;
    assertCapturable(area, scale);
    await clearGround(capturing, picture);
    const size = pixelsOf(area, scale);
    const format = expressible(capturing, picture);
    const isChromiums = OWN_FORMATS.has(format) && !picture.resizing && !picture.study;
    if (isChromiums && size.width * size.height <= AT_ONCE_PIXELS) {
      const settings = { format: format as OwnFormat, quality: picture.quality, fast: picture.fast };
      capturing.output = { body: await screenshot(capturing, area, settings), format };
      return;
    }
    capturing.strips = await shootStrips(capturing);
  },

  "shoot-sections": async (capturing, step) => {
    assertCapturable(capturing.area, capturing.scale);
    await clearGround(capturing, step.picture);
    capturing.strips = await shootSections(capturing, step);
  },
} satisfies Actions;

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

/**
 * The page's scripts rest meanwhile: Chromium changes the window's size for each strip and back, which they would see
 * and could answer by changing the page between one strip and the next.
 */
async function shootStrips(capturing: Capturing): Promise<Buffer[]> {
  const { session, area, scale } = capturing;
  await session.cdp.send("Emulation.setScriptExecutionDisabled", { value: true });
  try {
    const strips: Buffer[] = [];
    for (const strip of stripsOf(area, scale)) {
      strips.push(await screenshot(capturing, strip, { format: "png", quality: 100, fast: true }));
    }
    return strips;
  } finally {
    await session.cdp.send("Emulation.setScriptExecutionDisabled", { value: false });
  }
}

async function shootSections(capturing: Capturing, { freeze }: StepOf<"shoot-sections">): Promise<Buffer[]> {
  const { activity, area, window, budget, now } = capturing;
  const sections: Buffer[] = [];
  const end = area.y + area.height;
  for (let top = area.y; top < end; top += window.height) {
    const { begun } = activity;
    const height = Math.min(window.height, end - top);
    if (freeze) await ask(capturing, showPinned, top === area.y, top + height >= end);
    await ask(capturing, scrollToOffset, top);
    await ask(capturing, readiness, softAllowance(budget, now(), SECTION_MS));
    await activity.untilAnswered(begun, SECTION_MS);
    const section = { x: area.x, y: top, width: area.width, height };
    sections.push(await screenshot(capturing, section, { format: "png", quality: 100, fast: true }));
  }
  return sections;
}

async function screenshot(
  { session, scale, window }: Capturing,
  area: Area,
  { format, quality, fast }: { format: OwnFormat; quality: number; fast: boolean },
): Promise<Buffer> {
  const { data } = await session.cdp.send("Page.captureScreenshot", {
    format,
    ...(format !== "png" && { quality }),
    clip: { ...area, scale: scale / window.scale },
    captureBeyondViewport: true,
    optimizeForSpeed: fast,
  });
  return Buffer.from(data, "base64");
}
