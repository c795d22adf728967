// Prints the page as PDF: paper, margins, header and footer, page ranges, on several pages or on one.

import type { Protocol } from "puppeteer-core";
import * as v from "valibot";
import { ApiError } from "../../../contract/errors/api-error.ts";
import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import type { Margins, PaperSize } from "../../../contract/options/values/paper.ts";
import type * as drawings from "../../injected/drawings.ts";
import type * as pdf from "../../injected/pdf.ts";
import { type AnimatedPage, finishAnimations } from "../../page/animations.ts";
import { type HoveredPage, keepHover } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { nextFrameInPage } from "../../page/next-frame.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { passTime, startTimeout } from "../../rendering/page-time.ts";
import { softAllowance } from "../../timing/budget.ts";
import { expandFrames } from "../expand-frames.ts";
import { assertPages } from "../result-limits.ts";
import { divideLargeTables, releaseLayouts } from "./large-tables.ts";
import { findPaperCut, reportPaperCut } from "./paper-cuts.ts";
import { hideOwnBoxes, marginBoxes } from "./pdf-margin-boxes.ts";
import { selectPages } from "./pdf-pages.ts";
import type { PdfSettings } from "./pdf-settings.ts";
import { firstPageSize, pageCount, readStream } from "./pdf-stream.ts";
import { replaceBlankCanvases } from "./print-canvases.ts";
import { chooseSheet } from "./sheet.ts";
import {
  addStyleInPage,
  CSS_PIXELS_PER_INCH,
  fitSinglePage,
  resizePage,
  type SinglePageSize,
  singlePageTooLarge,
} from "./single-page.ts";

type PrintParameters = Protocol.Page.PrintToPDFRequest;

type PrintedPage = HoveredPage & AnimatedPage & { readonly options?: EngineOptions };

/**
 * Prints the page in the emulated media type. Throws `VALIDATION_ERROR` for templates, margins and page ranges that cannot be
 * printed, and `RESULT_TOO_LARGE`.
 */
export async function printPdf(capturing: PrintedPage, settings: PdfSettings): Promise<Buffer> {
  const sheet = await chooseSheet(capturing, settings);
  const fitOnePage = settings.fitOnePage || capturing.framing === "frameset";
  const ownMargin = fitOnePage ? {} : sheet.ownMargin; // a single page has the caller's margins only
  const { templates, margin, warning } = marginBoxes({ ...settings, ownMargin });
  if (warning) capturing.warnings.push(warning);
  if (fitOnePage && !settings.fitOnePage)
    capturing.warnings.push("The page is a frameset, which can't be divided: all of it is on one PDF page.");
  const print = (layout: PrintParameters) => {
    return printToBuffer(capturing, {
      ...layout,
      ...templates,
      printBackground: settings.printBackground,
      preferCSSPageSize: sheet.isSetByPage && !fitOnePage,
      generateTaggedPDF: settings.tagged || settings.outline,
      generateDocumentOutline: settings.outline,
    });
  };
  const layoutSize = { paper: sheet.paper, margin: { ...NO_MARGIN, ...margin }, scale: settings.scale };
  assertContentArea(layoutSize.paper, layoutSize.margin);
  if (!fitOnePage) {
    const style = sheet.paperStyle + marginRules(margin) + hideOwnBoxes(margin, settings);
    await evaluateInIsolatedWorld(capturing, addStyleInPage, style);
    return printSheets(
      capturing,
      { ...layoutSize, margin: { ...layoutSize.margin, ...sheet.ownMargin, ...margin } },
      {
        keepsTables: settings.tagged,
        pageRanges: settings.pageRanges,
        print: (pageRanges) => print({ ...layoutParameters(layoutSize), pageRanges }),
      },
    );
  }

  const { resized, size: fitted } = await fitSinglePage(capturing, layoutSize, settleAtPaperWidth);
  const style = marginRules(fitted.margin) + hideOwnBoxes(fitted.margin, settings);
  await evaluateInIsolatedWorld(capturing, addStyleInPage, style);
  reportPaperCut(capturing, await findPaperCut(resized));
  await replaceBlankCanvases(resized);
  await keepHover(capturing, { mayScroll: true });
  // Print layout can be slightly taller than the window's and would start a second page.
  for (const factor of HEIGHT_FACTORS) {
    const paper = { ...fitted.paper, height: fitted.paper.height * factor };
    const pdf = await print({ ...layoutParameters({ ...fitted, paper }), pageRanges: "1-2" });
    if (pageCount(pdf) > 1) continue;
    await resizePage(capturing, capturing.window);
    return pdf;
  }
  throw singlePageTooLarge();
}

/**
 * Reduces the page to the first visible element that matches, for `printPdf`. Resolves to false, without a change, when
 * no visible element matches. The selector must be valid.
 */
export async function isolateElement(capturing: HoveredPage, selector: string): Promise<boolean> {
  const isIsolated = await evaluateInIsolatedWorld(capturing, isolate, selector);
  await keepHover(capturing, { mayScroll: true });
  return isIsolated;
}

const NO_MARGIN: Margins = { top: 0, right: 0, bottom: 0, left: 0 };
const MIN_CONTENT_INCHES = 0.4;
const HEIGHT_FACTORS = [1, 1.002, 1.02, 1.1, 1.5];
/** By `@page` rules that cannot be read, and then at the width that they turn out to set. */
const MAX_PRINTS = 2;
const SHEET_TOLERANCE_IN = 0.05;
const ASSETS_MS = 1_000;
const ASSETS_QUIET_MS = 20;
const ASSETS_POLL_MS = 50;

/** Loads what only the print styles show, for a page whose media type has just changed: lazy images, too, which have not been in view. */
export async function loadPrintAssets(capturing: HoveredPage): Promise<void> {
  await evaluateInIsolatedWorld(capturing, nextFrameInPage);
  await evaluateInIsolatedWorld(capturing, loadShownImages);
  await waitForPrintAssets(capturing);
}

/** Waits for images and fonts that only the print styles use. */
async function waitForPrintAssets(capturing: HoveredPage): Promise<void> {
  const { activity, budget, now } = capturing;
  const leftMs = startTimeout(capturing, softAllowance(budget, now(), ASSETS_MS));
  await evaluateInIsolatedWorld(capturing, countPendingAssets);
  await activity.untilQuiet({ open: 0, quiet: ASSETS_QUIET_MS }, leftMs());
  while (leftMs() > 0 && (await evaluateInIsolatedWorld(capturing, countPendingAssets)) > 0)
    await passTime(capturing, ASSETS_POLL_MS);
}

interface SheetPrint {
  /** True for tagged PDFs, whose tags name the boxes of tables. */
  readonly keepsTables: boolean;
  readonly pageRanges: string | undefined;
  readonly print: (pageRanges: string) => Promise<Buffer>;
}

/**
 * Prints the page sheet by sheet. Gives the window the width of a sheet's content before, so that what the page does at that
 * width is over: the entrance animations of media queries, and scripts that draw charts and maps as wide as their containers.
 * When the first sheet turns out to have another width, by `@page` rules that cannot be read, it prints once more.
 */
async function printSheets(
  capturing: PrintedPage,
  layoutSize: SinglePageSize,
  { keepsTables, pageRanges, print }: SheetPrint,
): Promise<Buffer> {
  const { limits } = capturing.session;
  const ranges = selectPages(pageRanges, limits.pdf_pages + 1); // one more, to detect that there are too many
  let { paper } = layoutSize;
  for (let attempt = 1; ; attempt++) {
    if (attempt > 1) await releaseLayouts(capturing); // those of the print
    await replaceBlankCanvases(await layOutAtSheetWidth(capturing, { ...layoutSize, paper }));
    const cut = await findPaperCut(capturing); // while the layout is that of the sheet
    await releaseLayouts(capturing);
    if (!keepsTables) await divideLargeTables(capturing);
    const pdf = await print(ranges);
    const printed = firstPageSize(pdf) ?? paper;
    if (attempt < MAX_PRINTS && Math.abs(printed.width - paper.width) > SHEET_TOLERANCE_IN) {
      paper = printed;
      continue;
    }
    assertPages(pageCount(pdf), limits);
    reportPaperCut(capturing, cut);
    await resizePage(capturing, capturing.window);
    return pdf;
  }
}

async function layOutAtSheetWidth(
  capturing: PrintedPage,
  { paper, margin, scale }: SinglePageSize,
): Promise<PrintedPage> {
  const { height } = capturing.window;
  const inches = paper.width - margin.left - margin.right;
  // Chromium ignores margins of `@page` rules that leave nothing of the sheet.
  const contentInches = inches >= MIN_CONTENT_INCHES ? inches : paper.width;
  const width = Math.round((contentInches * CSS_PIXELS_PER_INCH) / scale);
  const fit = () => capturing.isJavaScriptDisabled || evaluateInIsolatedWorld(capturing, fitDrawings, width);
  await fit();
  const resized = await resizePage(capturing, { width, height });
  await fit();
  return settleAtPaperWidth(resized);
}

/**
 * Waits for what the page loads and animates because its width has changed, such as the tiles of a map. Returns the page: the
 * window of a frameset grows with the content of its frames.
 */
async function settleAtPaperWidth(capturing: PrintedPage): Promise<PrintedPage> {
  await waitForPrintAssets(capturing);
  if (capturing.areAnimationsFinished) await finishAnimations(capturing, true);
  if (!capturing.framing) return capturing;
  const { window } = await expandFrames(capturing); // what is in them has become taller
  return window ? { ...capturing, window } : capturing;
}

/** The caller's margins override the page's `@page` rules, which override Chromium's parameters. */
function marginRules(margin: Partial<Margins>): string {
  const sides = Object.entries(margin).map(([side, inches]) => `margin-${side}:${inches}in!important`);
  return `@page{${sides.join(";")}}`;
}

function layoutParameters({ paper, margin, scale }: SinglePageSize): PrintParameters {
  return {
    paperWidth: paper.width,
    paperHeight: paper.height,
    marginTop: margin.top,
    marginRight: margin.right,
    marginBottom: margin.bottom,
    marginLeft: margin.left,
    scale,
  };
}

/** With hardly any content area, a document would become thousands of pages. */
function assertContentArea(paper: PaperSize, { top, right, bottom, left }: Margins): void {
  if (paper.width - left - right >= MIN_CONTENT_INCHES && paper.height - top - bottom >= MIN_CONTENT_INCHES) return;
  throw invalid("pdf_margin", `must leave at least 1 cm of the paper's width and height to the page`);
}

async function printToBuffer({ session: { cdp, limits } }: HoveredPage, parameters: PrintParameters): Promise<Buffer> {
  try {
    const { stream } = await cdp.send("Page.printToPDF", { ...parameters, transferMode: "ReturnAsStream" });
    return await readStream(cdp, stream ?? "", limits);
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (/Page range exceeds page count/.test(message)) {
      throw invalid("pdf_page_ranges", "begins after the last page of the document");
    }
    if (/content area is empty/.test(message)) throw invalid("pdf_margin", "leaves nothing of the paper to the page");
    throw error;
  }
}

function invalid(option: string, problem: string): ApiError {
  return new ApiError("VALIDATION_ERROR", `Option '${option}' ${problem}.`, { details: { [option]: [problem] } });
}

const countPendingAssets: PageFunction<typeof pdf.countPendingAssets> = pageFunction("printing", "countPendingAssets", {
  result: v.number(),
});

const loadShownImages: PageFunction<typeof pdf.loadShownImages> = pageFunction("printing", "loadShownImages");

const fitDrawings: PageFunction<typeof drawings.fitDrawings> = pageFunction("printing", "fitDrawings");

const isolate: PageFunction<typeof pdf.isolate> = pageFunction("printing", "isolate", { result: v.boolean() });
