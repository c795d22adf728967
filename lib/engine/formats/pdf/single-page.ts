// Single-page PDF: a page as wide as the paper and as tall as the content at that width.
import * as v from "valibot";
import { ApiError } from "../../../contract/errors/api-error.ts";
import type { Margins, PaperSize } from "../../../contract/options/values/paper.ts";
import type * as pdf from "../../injected/pdf.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";

/** Paper and margins in inches, and the scale of the content. */
export interface SinglePageSize {
  readonly paper: PaperSize;
  readonly margin: Margins;
  readonly scale: number;
}

export const CSS_PIXELS_PER_INCH = 96;
/** Inches: PDF readers accept pages up to 14,400 points (ISO 32000-1, annex C). */
const MAX_SIDE_IN = 200;
/** Target for a page that is scaled down: it may turn out 0.5 % taller. */
const SCALED_SIDE_IN = 199;
/** Chromium's smallest scale. */
const MIN_SCALE = 0.1;
export const MAX_ELEMENTS = 20_000;

/**
 * Keeps `@page` rules from rotating the paper: Chromium applies the orientation of `size` even where it ignores the
 * size.
 */
export const FIXED_PAPER_STYLE = "@page { size: auto !important; page-orientation: upright !important; }";

/** Prevents page breaks, rotation and named pages. */
const SINGLE_PAGE_STYLE = `
${FIXED_PAPER_STYLE}
*, *::before, *::after {
  break-before: auto !important; break-after: auto !important; break-inside: auto !important; page: auto !important;
}`;

/**
 * Computes the single page that holds all of the content. Lays the page out at the paper's width and measures it; sizes
 * relative to the viewport height stay as in the caller's viewport. Content wider than the paper is scaled down, and so
 * is a page taller than PDF readers accept, with a warning. `settle` waits for what the page does when its width
 * changes, and returns the page, whose window may have become taller. The returned page's viewport has the paper's width. Throws `RESULT_TOO_LARGE` when no scale is small enough.
 */
export async function fitSinglePage<Page extends CapturedPage>(
  capturing: Page,
  layoutSize: SinglePageSize,
  settle: (resized: Page) => Promise<Page>,
): Promise<{ readonly resized: Page; readonly size: SinglePageSize }> {
  const { paper, margin } = layoutSize;
  let { height } = capturing.window;
  await evaluateInIsolatedWorld(capturing, addStyleInPage, SINGLE_PAGE_STYLE);
  await evaluateInIsolatedWorld(capturing, announcePrint);
  await evaluateInIsolatedWorld(capturing, clipHiddenOverflow);
  const paperWidth = (paper.width - margin.left - margin.right) * CSS_PIXELS_PER_INCH;

  let width = Math.floor(paperWidth / layoutSize.scale);
  ({ height } = (await settle(await resizePage(capturing, { width, height }))).window);
  const contentWidthPx = await contentWidth(capturing);
  if (contentWidthPx > width) {
    width = Math.min(contentWidthPx, Math.floor(paperWidth / MIN_SCALE));
    ({ height } = (await settle(await resizePage(capturing, { width, height }))).window);
  }
  await evaluateInIsolatedWorld(capturing, fixWindowHeights, MAX_ELEMENTS);
  await resizePage(capturing, { width, height: height * 2 });
  await evaluateInIsolatedWorld(capturing, fixWindowHeights, MAX_ELEMENTS);
  const resized = await resizePage(capturing, { width, height });
  const contentHeightPx = Math.max(1, await evaluateInIsolatedWorld(capturing, contentHeight));

  const scale = Math.max(MIN_SCALE, Math.min(layoutSize.scale, paperWidth / width));
  const heightIn = (contentHeightPx * scale) / CSS_PIXELS_PER_INCH + margin.top + margin.bottom;
  const size = scaleToPdfLimit(capturing, { paper: { width: paper.width, height: heightIn }, margin, scale });
  return { resized, size };
}

/** Resizes the viewport, in CSS pixels; the page sees it as an ordinary resize. Returns the page with its new window. */
export async function resizePage<Page extends CapturedPage>(
  page: Page,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Page> {
  const { scale } = page.window;
  const metrics = { width, height, deviceScaleFactor: scale, mobile: false };
  await page.session.cdp.send("Emulation.setDeviceMetricsOverride", metrics);
  return { ...page, window: { width, height, scale, mobile: false } };
}

/** The error for content that does not fit on one page. */
export function singlePageTooLarge(): ApiError {
  return new ApiError(
    "RESULT_TOO_LARGE",
    "The page does not fit on one PDF page of at most 200 inches, the most that PDF readers accept. Leave out pdf_fit_one_page.",
    { details: { pdf_fit_one_page: ["cannot hold this page"] } },
  );
}

function scaleToPdfLimit(capturing: CapturedPage, { paper, margin, scale }: SinglePageSize): SinglePageSize {
  if (paper.height <= MAX_SIDE_IN) return { paper, margin, scale };
  const shrink = SCALED_SIDE_IN / paper.height;
  if (scale * shrink < MIN_SCALE) throw singlePageTooLarge();
  const { top, right, bottom, left } = margin;
  capturing.warnings.push(
    `On one PDF page, this page would be ${Math.ceil(paper.height)} inches tall, more than the ${MAX_SIDE_IN} that PDF readers accept; it is scaled to ${Math.floor(shrink * 100)} %.`,
  );
  return {
    paper: { width: paper.width * shrink, height: SCALED_SIDE_IN },
    margin: { top: top * shrink, right: right * shrink, bottom: bottom * shrink, left: left * shrink },
    scale: scale * shrink,
  };
}

async function contentWidth({ session }: CapturedPage): Promise<number> {
  return (await session.cdp.send("Page.getLayoutMetrics")).cssContentSize.width;
}

export const addStyleInPage: PageFunction<typeof pdf.addStyle> = pageFunction("printing", "addStyle", {
  waitsFor: "resources",
});

const announcePrint: PageFunction<typeof pdf.announcePrint> = pageFunction("printing", "announcePrint");

const clipHiddenOverflow: PageFunction<typeof pdf.clipHiddenOverflow> = pageFunction("printing", "clipHiddenOverflow");

const contentHeight: PageFunction<typeof pdf.contentHeight> = pageFunction("printing", "contentHeight", {
  result: v.number(),
});

export const fixWindowHeights: PageFunction<typeof pdf.fixWindowHeights> = pageFunction("printing", "fixWindowHeights");
