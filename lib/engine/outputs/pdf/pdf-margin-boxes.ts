// PDF header and footer templates: Chromium prints them into the page margins, nearly invisible without a style.
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
  /** Default margins in inches that have room for them. */
  readonly margin: Partial<Margins>;
  /** Names the margins that are too small. */
  readonly warning: string | undefined;
}

/** Styles header and footer. Throws `VALIDATION_ERROR` for a template that would load resources. */
export function marginBoxes(settings: {
  readonly headerTemplate?: string;
  readonly footerTemplate?: string;
  readonly margin: Partial<Margins>;
  /** True for the mark of captures with an API key for tests, on each page. */
  readonly isMarked?: boolean;
}): MarginBoxes {
  const { headerTemplate: header, footerTemplate: footer, margin, isMarked = false } = settings;
  if (!header && !footer && !isMarked) return { templates: {}, margin: {}, warning: undefined };
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
    margin: { ...(header && { top: DEFAULT_MARGIN_IN }), ...(footer && { bottom: DEFAULT_MARGIN_IN }) },
    warning:
      sides.length > 0
        ? `A header or footer is printed into the margin and needs about 1 cm of it; raise ${sides.join(" and ")}.`
        : undefined,
  };
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
