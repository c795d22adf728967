// All of a page on one sheet: as wide as the paper, as tall as the content is when it is laid out that wide.
import { ApiError } from "../../../errors/api-error.ts";
import type { Margins, PaperSize } from "../../../options/values/paper.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import type { CaptureState } from "../../pipeline/capture-context.ts";

/** A sheet of paper, in inches, and the scale of what is on it. */
export interface SinglePageSize {
  readonly paper: PaperSize;
  readonly margin: Margins;
  readonly scale: number;
}

const CSS_PIXELS_PER_INCH = 96;
/** PDF readers accept pages up to 14,400 points (ISO 32000-1, annex C). */
const MAX_SIDE = 200;
/** A sheet that is scaled down to that may turn out half a per cent taller. */
const SCALED_SIDE = 199;
/** Chromium prints no smaller. */
const MIN_SCALE = 0.1;
const MAX_ELEMENTS = 20_000;

/** Keeps `@page` rules from turning sheets: Chromium takes the orientation of a page's `size` even where it ignores that size. */
export const FIXED_PAPER_STYLE = "@page { size: auto !important; page-orientation: upright !important; }";

/** Nothing may begin another sheet, turn this one or set it apart. */
const ONE_SHEET_STYLE = `
${FIXED_PAPER_STYLE}
*, *::before, *::after {
  break-before: auto !important; break-after: auto !important; break-inside: auto !important; page: auto !important;
}`;

/**
 * The sheet that holds all of the page, in place of one that holds a part. Lays the page out as wide as the paper and
 * measures it; what is sized by the window's height stays as it is in the caller's window. Content wider than the paper
 * is scaled down to it, and a sheet taller than PDF readers accept is scaled down as a whole, with a warning.
 * `settle` waits for what a new width makes the page load; the window stays as wide as the paper. Throws
 * `RESULT_TOO_LARGE` when no scale is small enough.
 */
export async function fitSinglePage(
  capturing: CaptureState,
  sheet: SinglePageSize,
  settle: () => Promise<void>,
): Promise<SinglePageSize> {
  const { paper, margin } = sheet;
  const { height } = capturing.window;
  await evaluateInIsolatedWorld(capturing, "addStyle", ONE_SHEET_STYLE);
  await evaluateInIsolatedWorld(capturing, "announcePrint");
  await evaluateInIsolatedWorld(capturing, "clipHiddenOverflow");
  const paperWidth = (paper.width - margin.left - margin.right) * CSS_PIXELS_PER_INCH;

  let width = Math.floor(paperWidth / sheet.scale);
  await resize(capturing, { width, height });
  await settle();
  const wide = await contentWidth(capturing);
  if (wide > width) {
    width = Math.min(wide, Math.floor(paperWidth / MIN_SCALE));
    await resize(capturing, { width, height });
    await settle();
  }
  await evaluateInIsolatedWorld(capturing, "fixWindowHeights", MAX_ELEMENTS);
  await resize(capturing, { width, height: height * 2 });
  await evaluateInIsolatedWorld(capturing, "fixWindowHeights", MAX_ELEMENTS);
  await resize(capturing, { width, height });
  const content = Math.max(1, await evaluateInIsolatedWorld(capturing, "contentHeight"));

  const scale = Math.max(MIN_SCALE, Math.min(sheet.scale, paperWidth / width));
  const tall = (content * scale) / CSS_PIXELS_PER_INCH + margin.top + margin.bottom;
  return withinReach(capturing, { paper: { width: paper.width, height: tall }, margin, scale });
}

/** Gives the window another size, in CSS pixels. Its page sees that as a visitor's page does. */
export async function resize(
  { session, window }: CaptureState,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<void> {
  const metrics = { width, height, deviceScaleFactor: window.scale, mobile: false };
  await session.cdp.send("Emulation.setDeviceMetricsOverride", metrics);
}

/** The error of a page that one sheet cannot hold. */
export function doesNotFit(): ApiError {
  return new ApiError(
    "RESULT_TOO_LARGE",
    "The page does not fit on one sheet of at most 200 inches, the tallest a PDF can have. Leave pdf_fit_one_page out.",
    { details: { pdf_fit_one_page: ["cannot hold this page"] } },
  );
}

function withinReach(capturing: CaptureState, { paper, margin, scale }: SinglePageSize): SinglePageSize {
  if (paper.height <= MAX_SIDE) return { paper, margin, scale };
  const shrink = SCALED_SIDE / paper.height;
  if (scale * shrink < MIN_SCALE) throw doesNotFit();
  const { top, right, bottom, left } = margin;
  capturing.warnings.push(
    `One sheet of this page would be ${Math.ceil(paper.height)} inches tall, more than the ${MAX_SIDE} a PDF can have; it is scaled to ${Math.floor(shrink * 100)} %.`,
  );
  return {
    paper: { width: paper.width * shrink, height: SCALED_SIDE },
    margin: { top: top * shrink, right: right * shrink, bottom: bottom * shrink, left: left * shrink },
    scale: scale * shrink,
  };
}

async function contentWidth({ session }: CaptureState): Promise<number> {
  return (await session.cdp.send("Page.getLayoutMetrics")).cssContentSize.width;
}
