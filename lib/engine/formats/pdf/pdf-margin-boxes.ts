// What is printed into the margins of a PDF: header and footer templates, which Chromium makes nearly invisible without a style,
// and the margin boxes of the page's own `@page` rules.
import { ApiError } from "../../../contract/errors/api-error.ts";
import type { Margins } from "../../../contract/options/values/paper.ts";
import { templateProblem } from "../../../contract/options/values/pdf-template.ts";
import { markHeader, withoutStyles } from "../test-mark.ts";

/** Default height of a margin with a header or footer: 2 cm. */
const DEFAULT_MARGIN_IN = 2 / 2.54;
/** Below this a header overlaps the page: Chromium keeps 15 pt from the edge. */
const MIN_MARGIN_IN = 1 / 2.54;
/** Default padding of a header or footer at the sides: 1 cm. */
const DEFAULT_SIDE_PADDING_IN = 1 / 2.54;

export interface MarginBoxes {
  /** Parameters of `Page.printToPDF`: both templates, or none. */
  readonly templates: {
    readonly displayHeaderFooter?: true;
    readonly headerTemplate?: string;
    readonly footerTemplate?: string;
  };
  /** The caller's margins in inches, and default ones that have room for the templates. */
  readonly margin: Partial<Margins>;
  /** Names the margins that are too small. */
  readonly warning: string | undefined;
}

interface MarginTemplates {
  readonly headerTemplate?: string;
  readonly footerTemplate?: string;
}

interface MarginSettings extends MarginTemplates {
  /** The caller's, in inches. */
  readonly margin: Partial<Margins>;
  /** The margins that the page's `@page` rules set. */
  readonly ownMargin: Partial<Margins>;
  /** True for the mark of captures with an API key for tests, on each page. */
  readonly isMarked?: boolean;
}

/** Styles header and footer. Throws `VALIDATION_ERROR` for a template that would load resources. */
export function marginBoxes(settings: MarginSettings): MarginBoxes {
  const { headerTemplate: header, footerTemplate: footer, margin, ownMargin, isMarked = false } = settings;
  if (!header && !footer && !isMarked) return { templates: {}, margin, warning: undefined };
  assertPrintable("pdf_header_template", header);
  assertPrintable("pdf_footer_template", footer);
  const tight = [
    header && (margin.top ?? DEFAULT_MARGIN_IN) < MIN_MARGIN_IN && "top",
    footer && (margin.bottom ?? DEFAULT_MARGIN_IN) < MIN_MARGIN_IN && "bottom",
  ];
  const sides = tight.filter(Boolean).map((side) => `pdf_margin_${side}`);
  return {
    templates: {
      displayHeaderFooter: true,
      headerTemplate: isMarked
        ? `${styledTemplate(header && withoutStyles(header), margin)}${markHeader()}`
        : styledTemplate(header, margin),
      footerTemplate: styledTemplate(isMarked && footer ? withoutStyles(footer) : footer, margin),
    },
    margin: {
      ...(header && !hasRoom(ownMargin.top) && { top: DEFAULT_MARGIN_IN }),
      ...(footer && !hasRoom(ownMargin.bottom) && { bottom: DEFAULT_MARGIN_IN }),
      ...margin,
    },
    warning:
      sides.length > 0
        ? `A header or footer is printed into the margin and needs about 1 cm of it; raise ${sides.join(" and ")}.`
        : undefined,
  };
}

function hasRoom(inches = 0): boolean {
  return inches >= MIN_MARGIN_IN;
}

/** The margin boxes of CSS at each edge of a page. https://www.w3.org/TR/css-page-3/#margin-boxes */
const ownBoxes: Readonly<Record<keyof Margins, readonly string[]>> = {
  top: ["top-left-corner", "top-left", "top-center", "top-right", "top-right-corner"],
  right: ["top-right-corner", "right-top", "right-middle", "right-bottom", "bottom-right-corner"],
  bottom: ["bottom-left-corner", "bottom-left", "bottom-center", "bottom-right", "bottom-right-corner"],
  left: ["top-left-corner", "left-top", "left-middle", "left-bottom", "bottom-left-corner"],
};

/**
 * Hides the margin boxes of the page's `@page` rules where the caller's template is printed, and where the caller's margin is 0:
 * Chromium would print them over the page.
 */
export function hideOwnBoxes(margin: Partial<Margins>, templates: MarginTemplates): string {
  const edges = (Object.keys(ownBoxes) as (keyof Margins)[]).filter(
    (edge) =>
      margin[edge] === 0 ||
      (edge === "top" && templates.headerTemplate) ||
      (edge === "bottom" && templates.footerTemplate),
  );
  const boxes = new Set(edges.flatMap((edge) => ownBoxes[edge]));
  return `@page{${[...boxes].map((box) => `@${box}{content:none!important}`).join("")}}`;
}

/**
 * Chromium's default style has a tiny font size, no padding and no backgrounds. An omitted template would be Chromium's
 * default, with date and URL, so it becomes an empty one.
 */
function styledTemplate(template: string | undefined, margin: Partial<Margins>): string {
  if (!template) return "<span></span>";
  const { right = DEFAULT_SIDE_PADDING_IN, left = DEFAULT_SIDE_PADDING_IN } = margin;
  const style = `box-sizing:border-box;width:100%;padding:0 ${right}in 0 ${left}in;font:9pt sans-serif`;
  return `<div style="${style};-webkit-print-color-adjust:exact">${template}</div>`;
}

function assertPrintable(option: string, template: string | undefined): void {
  const problem = template && templateProblem(template);
  if (!problem) return;
  throw new ApiError("VALIDATION_ERROR", `Option '${option}' ${problem}.`, { details: { [option]: [problem] } });
}
