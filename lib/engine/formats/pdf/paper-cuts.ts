// HORIZONTAL_OVERFLOW of a print: code and tables that scroll in the page and are cut off on paper.
import * as v from "valibot";
import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import type * as paperCuts from "../../injected/paper-cuts.ts";
import type { PaperCut } from "../../injected/paper-cuts.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { addProblem } from "../../problems/problem-record.ts";

/** Landscape paper is wider by this factor: that of the sizes of ISO 216, from which others differ little. */
const LANDSCAPE = Math.SQRT2;

/** Smaller text can hardly be read. */
const MIN_SCALE = 0.5;

const WRAPPED_CODE = "pre, pre * { white-space: pre-wrap !important; overflow-wrap: anywhere !important }";

/** Finds what the paper will cut off. The window of the page must be as wide as the sheet. */
export function findPaperCut(page: CapturedPage): Promise<PaperCut | null> {
  return evaluateInIsolatedWorld(page, findPaperCutInPage);
}

/** Adds the problem of what was found. */
export function reportPaperCut(page: CapturedPage & { readonly options?: EngineOptions }, cut: PaperCut | null): void {
  if (!cut) return;
  const { element, isCode, shownWidth, width } = cut;
  const finding = {
    message: `The paper cuts off ${width - shownWidth} pixels of '${element}', which scrolls sideways in the page. ${adviceFor(cut)}`,
    evidence: { selector: element },
    fixes: isCode ? [{ styles: [WRAPPED_CODE] }] : fixesOfTable(cut),
  };
  addProblem(page, "HORIZONTAL_OVERFLOW", finding, page.options);
}

function adviceFor({ isCode }: PaperCut): string {
  if (isCode) return "Wrap its lines with 'styles', or use 'pdf_landscape' or a smaller 'pdf_scale'.";
  return "Use 'pdf_landscape', a larger paper, or a smaller 'pdf_scale'.";
}

function fixesOfTable({ shownWidth, width }: PaperCut): Readonly<Record<string, unknown>>[] {
  const share = shownWidth / width;
  const scale = Math.floor(share * 20) / 20;
  if (share * LANDSCAPE >= 1 || scale < MIN_SCALE) return [{ pdf_landscape: true }];
  return [{ pdf_scale: scale }, { pdf_landscape: true }];
}

const findPaperCutInPage: PageFunction<typeof paperCuts.findPaperCut> = pageFunction("printing", "findPaperCut", {
  result: v.nullable(v.object({ element: v.string(), isCode: v.boolean(), shownWidth: v.number(), width: v.number() })),
});
