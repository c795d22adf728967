// Prints the page as PDF: paper, margins, header and footer, page ranges, on several pages or on one.
import type { Protocol } from "puppeteer-core";
import { ApiError } from "../../../errors/api-error.ts";
import type { Margins, PaperSize } from "../../../options/values/paper.ts";
import { finishAnimations } from "../../page/animations.ts";
import { type HoveredPage, keepHover } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { passTime, startTimeout } from "../../rendering/page-time.ts";
import { softAllowance } from "../../timing/budget.ts";
import { assertPages } from "../result-limits.ts";
import { marginBoxes } from "./pdf-margin-boxes.ts";
import { selectPages } from "./pdf-pages.ts";
import { pageCount, readStream } from "./pdf-stream.ts";
import { replaceBlankCanvases } from "./print-canvases.ts";
import {
  CSS_PIXELS_PER_INCH,
  FIXED_PAPER_STYLE,
  fitSinglePage,
  resize,
  type SinglePageSize,
  singlePageTooLarge,
} from "./single-page.ts";

export interface PdfSettings {
  /** In inches; `landscape` makes the longer side the width. */
  readonly paper: PaperSize;
  /** In inches. An undefined side follows the page's `@page` rules, or has room for a header or footer. */
  readonly margin: Partial<Margins>;
  /** True for the mark of captures with an API key for tests. @default false */
  readonly isMarked?: boolean;
  readonly landscape: boolean;
  /**
   * True when the caller chose size or orientation: `@page` rules then do not change them, unless `preferCssPageSize`.
   */
  readonly isPaperExplicit: boolean;
  readonly printBackground: boolean;
  /** 0.1 to 2. */
  readonly scale: number;
  /** Validated by `parsePageRanges`, in Chromium's syntax. */
  readonly pageRanges?: string;
  readonly headerTemplate?: string;
  readonly footerTemplate?: string;
  /** Takes the paper size from the page's `@page` rules, if any. */
  readonly preferCssPageSize: boolean;
  /** Chromium derives the outline from the tags, so a PDF with an outline is also tagged. */
  readonly outline: boolean;
  readonly tagged: boolean;
  /** Puts everything on one page, as wide as the paper and as tall as the content. */
  readonly fitOnePage: boolean;
  /** When it was created, as an ISO time in UTC. @default - now */
  readonly createdAt?: string;
}

type PrintParameters = Protocol.Page.PrintToPDFRequest;

/**
 * Prints the page in the emulated media type, after a short wait for resources that it still loads. Throws
 * `VALIDATION_ERROR` for templates, margins and page ranges that cannot be printed, and `RESULT_TOO_LARGE`.
 */
export async function printPdf(capturing: HoveredPage, settings: PdfSettings): Promise<Buffer> {
  const marginParameters = marginBoxes(settings);
  const margin = { ...marginParameters.margin, ...settings.margin };
  if (marginParameters.warning) capturing.warnings.push(marginParameters.warning);
  await waitForPrintAssets(capturing);
  const print = (layout: PrintParameters) => {
    return printToBuffer(capturing, {
      ...layout,
      ...marginParameters.templates,
      printBackground: settings.printBackground,
      preferCSSPageSize: settings.preferCssPageSize && !settings.fitOnePage,
      generateTaggedPDF: settings.tagged || settings.outline,
      generateDocumentOutline: settings.outline,
    });
  };
  const layoutSize = { paper: orientedPaper(settings), margin: { ...NO_MARGIN, ...margin }, scale: settings.scale };
  assertContentArea(layoutSize.paper, layoutSize.margin);
  if (!settings.fitOnePage) {
    const resized = await layOutAtSheetWidth(capturing, layoutSize);
    const paperRules = settings.isPaperExplicit && !settings.preferCssPageSize ? FIXED_PAPER_STYLE : "";
    await evaluateInIsolatedWorld(capturing, "addStyle", paperRules + marginRules(margin));
    await replaceBlankCanvases(resized);
    const { limits } = capturing.session;
    const pageRanges = selectPages(settings.pageRanges, limits.pdf_pages + 1); // one more, to detect that there are too many
    const pdf = await print({ ...layoutParameters(layoutSize), pageRanges });
    assertPages(pageCount(pdf), limits);
    await resize(capturing, capturing.window);
    return pdf;
  }

  const { resized, size: fitted } = await fitSinglePage(capturing, layoutSize, () => settleAtPaperWidth(capturing));
  await evaluateInIsolatedWorld(capturing, "addStyle", marginRules(fitted.margin));
  await replaceBlankCanvases(resized);
  await keepHover(capturing, { mayScroll: true });
  // Print layout can be slightly taller than the window's and would start a second page.
  for (const factor of HEIGHT_FACTORS) {
    const paper = { ...fitted.paper, height: fitted.paper.height * factor };
    const pdf = await print({ ...layoutParameters({ ...fitted, paper }), pageRanges: "1-2" });
    if (pageCount(pdf) > 1) continue;
    await resize(capturing, capturing.window);
    return pdf;
  }
  throw singlePageTooLarge();
}

/**
 * Reduces the page to the first visible element that matches, for `printPdf`. Resolves to false, without a change, when
 * no visible element matches. The selector must be valid.
 */
export async function isolateElement(capturing: HoveredPage, selector: string): Promise<boolean> {
  const isIsolated = await evaluateInIsolatedWorld(capturing, "isolate", selector);
  await keepHover(capturing, { mayScroll: true });
  return isIsolated;
}

const NO_MARGIN: Margins = { top: 0, right: 0, bottom: 0, left: 0 };
const MIN_CONTENT_INCHES = 0.4;
const HEIGHT_FACTORS = [1, 1.002, 1.02, 1.1, 1.5];
const ASSETS_MS = 1_000;
const ASSETS_QUIET_MS = 20;
const ASSETS_POLL_MS = 50;

/** Waits for images and fonts that only the print styles use. */
async function waitForPrintAssets(capturing: HoveredPage): Promise<void> {
  const { activity, budget, now } = capturing;
  const leftMs = startTimeout(capturing, softAllowance(budget, now(), ASSETS_MS));
  await evaluateInIsolatedWorld(capturing, "countPendingAssets");
  await activity.untilQuiet({ open: 0, quiet: ASSETS_QUIET_MS }, leftMs());
  while (leftMs() > 0 && (await evaluateInIsolatedWorld(capturing, "countPendingAssets")) > 0)
    await passTime(capturing, ASSETS_POLL_MS);
}

/**
 * Gives the window the width of the sheet's content before the print, so that what the page does at that width is over:
 * the entrance animations of media queries, and scripts that draw charts and maps as wide as their containers.
 */
async function layOutAtSheetWidth(
  capturing: HoveredPage,
  { paper, margin, scale }: SinglePageSize,
): Promise<HoveredPage> {
  const { height } = capturing.window;
  const width = Math.round(((paper.width - margin.left - margin.right) * CSS_PIXELS_PER_INCH) / scale);
  const resized = await resize(capturing, { width, height });
  await settleAtPaperWidth(resized);
  return resized;
}

/** Waits for what the page loads and animates because its width has changed, such as the tiles of a map. */
async function settleAtPaperWidth(capturing: HoveredPage): Promise<void> {
  await waitForPrintAssets(capturing);
  if (capturing.areAnimationsFinished) await finishAnimations(capturing, true);
}

/** The caller's margins override the page's `@page` rules, which override Chromium's parameters. */
function marginRules(margin: Partial<Margins>): string {
  const sides = Object.entries(margin).map(([side, inches]) => `margin-${side}:${inches}in!important`);
  return `@page{${sides.join(";")}}`;
}

function orientedPaper({ paper: { width, height }, landscape }: PdfSettings): PaperSize {
  if (!landscape) return { width, height };
  return { width: Math.max(width, height), height: Math.min(width, height) };
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
