// Chooses the paper of a PDF: the caller's, or that of the page's `@page` rules.
import * as v from "valibot";
import type { Margins, PaperSize } from "../../../contract/options/values/paper.ts";
import type * as pageRules from "../../injected/page-rules.ts";
import type { Orientation, PageRules, SheetRules } from "../../injected/page-rules.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import type { PdfSettings } from "./pdf-settings.ts";
import { CSS_PIXELS_PER_INCH, FIXED_PAPER_STYLE } from "./single-page.ts";

/** Sides of sheets that are printed, in inches: 1 cm, and the most that PDF readers accept (ISO 32000-1, annex C). */
const MIN_SIDE_IN = 0.39;
const MAX_SIDE_IN = 200;

/** The sheet on which the document begins. */
export interface Sheet {
  /** In inches, oriented. */
  readonly paper: PaperSize;
  /** The margins that the page's rules set, in inches. */
  readonly ownMargin: Partial<Margins>;
  /** `@page` rules for the paper that the caller chose; empty where the page's rules set it. */
  readonly paperStyle: string;
  /** True when `@page` rules set the paper of each sheet. */
  readonly isSetByPage: boolean;
}

/**
 * The sheet by the caller's options, or else by the page's `@page` rules. Sizes that cannot be printed are ignored, with a
 * warning.
 */
export async function chooseSheet(capturing: CapturedPage, settings: PdfSettings): Promise<Sheet> {
  const rules = await evaluateInIsolatedWorld(capturing, readPageRules);
  const ownMargin = marginByRules(rules);
  const requested = orientedPaper(settings);
  if (settings.isPaperExplicit && !settings.preferCssPageSize) {
    const turned = settings.isOrientationExplicit ? "" : turnedPagesStyle(rules, requested);
    return { paper: requested, ownMargin, isSetByPage: false, paperStyle: FIXED_PAPER_STYLE + turned };
  }
  const paper = paperByRules(rules, requested);
  const isPrintable = [paper.width, paper.height].every((side) => side >= MIN_SIDE_IN && side <= MAX_SIDE_IN);
  if (isPrintable) return { paper, ownMargin, isSetByPage: true, paperStyle: "" };
  capturing.warnings.push(
    `The page's '@page' rules ask for sheets of ${inches(paper.width)} × ${inches(paper.height)} in, which cannot be printed; its sides must have 1 cm to ${MAX_SIDE_IN} in.`,
  );
  return { paper: requested, ownMargin, isSetByPage: false, paperStyle: FIXED_PAPER_STYLE };
}

function marginByRules({ marginTop, marginRight, marginBottom, marginLeft }: SheetRules): Partial<Margins> {
  const margins = { top: marginTop, right: marginRight, bottom: marginBottom, left: marginLeft };
  const set = Object.entries(margins).filter((each): each is [keyof Margins, number] => each[1] !== null);
  return Object.fromEntries(set.map(([side, px]) => [side, px / CSS_PIXELS_PER_INCH]));
}

/**
 * Turns the paper for named pages that lie among upright ones, or stand among those that lie: a wide table in a report. Chromium
 * takes the orientation from `size` even where it ignores the size; of several `@page` rules the last one counts.
 */
function turnedPagesStyle({ namedPages, ...first }: PageRules, paper: PaperSize): string {
  const [ownOrientation, paperOrientation] = [orientationOf(paperByRules(first, paper)), orientationOf(paper)];
  return namedPages
    .filter(({ orientation }) => orientation !== ownOrientation && orientation !== paperOrientation)
    .map(({ name, orientation }) => `@page ${name}{size:${orientation}!important}`)
    .join("");
}

function orientationOf({ width, height }: PaperSize): Orientation {
  return width > height ? "landscape" : "portrait";
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

const orientations = ["portrait", "landscape"] as const;

const readPageRules: PageFunction<typeof pageRules.readPageRules> = pageFunction("printing", "readPageRules", {
  result: v.object({
    width: v.nullable(v.number()),
    height: v.nullable(v.number()),
    orientation: v.nullable(v.picklist(orientations)),
    marginTop: v.nullable(v.number()),
    marginRight: v.nullable(v.number()),
    marginBottom: v.nullable(v.number()),
    marginLeft: v.nullable(v.number()),
    namedPages: v.array(v.object({ name: v.string(), orientation: v.picklist(orientations) })),
  }),
});
