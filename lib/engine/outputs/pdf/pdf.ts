// Prints the page as PDF: paper, margins, header and footer, all of it or some pages, cut into sheets or on one.
import { setTimeout as sleep } from "node:timers/promises";
import type { Protocol } from "puppeteer-core";
import { ApiError } from "../../../errors/api-error.ts";
import type { Margins, PaperSize } from "../../../options/values/paper.ts";
import { keepHover } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { softAllowance } from "../../pipeline/budget.ts";
import type { CaptureState } from "../../pipeline/capture-context.ts";
import { assertPages } from "../result-limits.ts";
import { marginBoxes } from "./pdf-margin-boxes.ts";
import { selectPages } from "./pdf-pages.ts";
import { pageCount, readStream } from "./pdf-stream.ts";
import { replaceBlankCanvases } from "./print-canvases.ts";
import { doesNotFit, FIXED_PAPER_STYLE, fitSinglePage, resize, type SinglePageSize } from "./single-page.ts";

export interface PdfSettings {
  /** In inches; `landscape` lays the longer side across. */
  readonly paper: PaperSize;
  /** In inches. A side that was not asked for follows the page's `@page` rules, or makes room for a header or footer. */
  readonly margin: Partial<Margins>;
  readonly landscape: boolean;
  /** True when the caller chose size or orientation: no `@page` rule turns the paper then, unless its size is preferred. */
  readonly isPaperExplicit: boolean;
  readonly printBackground: boolean;
  /** 0.1 to 2. */
  readonly scale: number;
  /** As `parsePageRanges` accepts it, which is what Chromium reads. */
  readonly pageRanges?: string;
  readonly headerTemplate?: string;
  readonly footerTemplate?: string;
  /** The paper's size by the page's `@page` rules, where it has any. */
  readonly preferCssPageSize: boolean;
  /** Chromium makes an outline out of the tags, so a PDF with one is tagged as well. */
  readonly outline: boolean;
  readonly tagged: boolean;
  /** All of the page on one sheet, as wide as the paper and as tall as the content. */
  readonly fitOnePage: boolean;
}

type PrintParameters = Protocol.Page.PrintToPDFRequest;

/**
 * Prints the page with the media type that is emulated, after waiting a little for what that still loads. Throws
 * `VALIDATION_ERROR` for templates, margins and page ranges that cannot be printed, `RESULT_TOO_LARGE`.
 */
export async function printPdf(capturing: CaptureState, settings: PdfSettings): Promise<Buffer> {
  const boxes = marginBoxes(settings);
  const margin = { ...boxes.margin, ...settings.margin };
  if (boxes.tight) capturing.warnings.push(boxes.tight);
  await assetsArrived(capturing);
  const print = (layout: PrintParameters) => {
    return printed(capturing, {
      ...layout,
      ...boxes.templates,
      printBackground: settings.printBackground,
      preferCSSPageSize: settings.preferCssPageSize && !settings.fitOnePage,
      generateTaggedPDF: settings.tagged || settings.outline,
      generateDocumentOutline: settings.outline,
    });
  };
  const sheet = { paper: laid(settings), margin: { ...NO_MARGIN, ...margin }, scale: settings.scale };
  assertRoom(sheet.paper, sheet.margin);
  if (!settings.fitOnePage) {
    const paperRules = settings.isPaperExplicit && !settings.preferCssPageSize ? FIXED_PAPER_STYLE : "";
    await evaluateInIsolatedWorld(capturing, "addStyle", paperRules + marginRules(margin));
    await replaceBlankCanvases(capturing);
    const { limits } = capturing.session;
    const pageRanges = selectPages(settings.pageRanges, limits.pdf_pages + 1); // one more says that there are too many
    const pdf = await print({ ...layoutOf(sheet), pageRanges });
    assertPages(pageCount(pdf), limits);
    return pdf;
  }

  const fitted = await fitSinglePage(capturing, sheet, () => assetsArrived(capturing));
  await evaluateInIsolatedWorld(capturing, "addStyle", marginRules(fitted.margin));
  await replaceBlankCanvases(capturing);
  await keepHover(capturing, { mayScroll: true });
  // What print lays out a little taller than the window did begins a second sheet.
  for (const growth of GROWTHS) {
    const paper = { ...fitted.paper, height: fitted.paper.height * growth };
    const pdf = await print({ ...layoutOf({ ...fitted, paper }), pageRanges: "1-2" });
    if (pageCount(pdf) > 1) continue;
    await resize(capturing, capturing.window);
    return pdf;
  }
  throw doesNotFit();
}

/**
 * Leaves of the page only the first visible element that matches, for `printPdf` to print. Resolves to false, with
 * nothing changed, when nothing visible matches. The selector must be valid.
 */
export async function isolateElement(capturing: CaptureState, selector: string): Promise<boolean> {
  const isIsolated = await evaluateInIsolatedWorld(capturing, "isolate", selector);
  await keepHover(capturing, { mayScroll: true });
  return isIsolated;
}

const NO_MARGIN: Margins = { top: 0, right: 0, bottom: 0, left: 0 };
const ROOM_INCHES = 0.4;
const GROWTHS = [1, 1.002, 1.02, 1.1, 1.5];
const ASSETS_MS = 1_000;
const ASSETS_QUIET_MS = 20;
const ASSETS_POLL_MS = 50;

/** Print styles bring pictures and fonts of their own, which nobody had asked for while the page was on the screen. */
async function assetsArrived(capturing: CaptureState): Promise<void> {
  const { activity, budget, now } = capturing;
  const expiry = now() + softAllowance(budget, now(), ASSETS_MS);
  await evaluateInIsolatedWorld(capturing, "countPendingAssets");
  await activity.untilQuiet({ open: 0, quiet: ASSETS_QUIET_MS }, expiry - now());
  while (now() < expiry && (await evaluateInIsolatedWorld(capturing, "countPendingAssets")) > 0)
    await sleep(ASSETS_POLL_MS);
}

/** The margins that were asked for win over the page's own `@page` rules, which win over Chromium's parameters. */
function marginRules(margin: Partial<Margins>): string {
  const sides = Object.entries(margin).map(([side, inches]) => `margin-${side}:${inches}in!important`);
  return `@page{${sides.join(";")}}`;
}

function laid({ paper: { width, height }, landscape }: PdfSettings): PaperSize {
  if (!landscape) return { width, height };
  return { width: Math.max(width, height), height: Math.min(width, height) };
}

function layoutOf({ paper, margin, scale }: SinglePageSize): PrintParameters {
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

/** On paper of which next to nothing is left, a page would become thousands. */
function assertRoom(paper: PaperSize, { top, right, bottom, left }: Margins): void {
  if (paper.width - left - right >= ROOM_INCHES && paper.height - top - bottom >= ROOM_INCHES) return;
  throw invalid("pdf_margin", `must leave at least 1 cm of the paper's width and height to the page`);
}

async function printed({ session: { cdp, limits } }: CaptureState, parameters: PrintParameters): Promise<Buffer> {
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
