// Chooses the paper of a PDF: the caller's, or that of the page's `@page` rules.
import * as v from "valibot";
import type { Margins, PaperSize } from "../../../contract/options/values/paper.ts";
import type * as pageRules from "../../injected/page-rules.ts";
import type { SheetRules } from "../../injected/page-rules.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import type { PdfSettings } from "./pdf-settings.ts";
import { CSS_PIXELS_PER_INCH } from "./single-page.ts";

/** Sides of sheets that are printed, in inches: 1 cm, and the most that PDF readers accept (ISO 32000-1, annex C). */
const MIN_SIDE_IN = 0.39;
const MAX_SIDE_IN = 200;

/** The sheet on which the document begins. */
export interface Sheet {
  /** In inches, oriented. */
  readonly paper: PaperSize;
  /** The margins at the sides that the page's rules set, in inches. */
  readonly ownMargin: Partial<Margins>;
  /** True when `@page` rules set the paper of each sheet. */
  readonly isSetByPage: boolean;
}

/**
 * The sheet by the caller's options, or else by the page's `@page` rules. Sizes that cannot be printed are ignored, with a
 * warning.
 */
export async function chooseSheet(capturing: CapturedPage, settings: PdfSettings): Promise<Sheet> {
  const rules = await evaluateInIsolatedWorld(capturing, readPageRules);
  const ownMargin = {
    ...(rules.marginLeft !== null && { left: rules.marginLeft / CSS_PIXELS_PER_INCH }),
    ...(rules.marginRight !== null && { right: rules.marginRight / CSS_PIXELS_PER_INCH }),
  };
  const requested = orientedPaper(settings);
  if (settings.isPaperExplicit && !settings.preferCssPageSize) {
    return { paper: requested, ownMargin, isSetByPage: false };
  }
  const paper = paperByRules(rules, requested);
  const isPrintable = [paper.width, paper.height].every((side) => side >= MIN_SIDE_IN && side <= MAX_SIDE_IN);
  if (isPrintable) return { paper, ownMargin, isSetByPage: true };
  capturing.warnings.push(
    `The page's '@page' rules ask for sheets of ${inches(paper.width)} × ${inches(paper.height)} in, which cannot be printed; its sides must have 1 cm to ${MAX_SIDE_IN} in.`,
  );
  return { paper: requested, ownMargin, isSetByPage: false };
}

function paperByRules({ width, height, orientation }: SheetRules, paper: PaperSize): PaperSize {
  if (width !== null && height !== null) {
    return { width: width / CSS_PIXELS_PER_INCH, height: height / CSS_PIXELS_PER_INCH };
  }
  if (orientation === null) return paper;
  const [short, long] = [Math.min(paper.width, paper.height), Math.max(paper.width, paper.height)];
  return orientation === "landscape" ? { width: long, height: short } : { width: short, height: long };
}

function orientedPaper({ paper: { width, height }, landscape }: PdfSettings): PaperSize {
  if (!landscape) return { width, height };
  return { width: Math.max(width, height), height: Math.min(width, height) };
}

function inches(side: number): string {
  return String(Number(side.toPrecision(3)));
}

const readPageRules: PageFunction<typeof pageRules.readPageRules> = pageFunction("printing", "readPageRules", {
  result: v.object({
    width: v.nullable(v.number()),
    height: v.nullable(v.number()),
    orientation: v.nullable(v.picklist(["portrait", "landscape"])),
    marginLeft: v.nullable(v.number()),
    marginRight: v.nullable(v.number()),
  }),
});
