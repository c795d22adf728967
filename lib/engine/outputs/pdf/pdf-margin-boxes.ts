// Header and footer of a PDF: Chromium prints them into the margins, nearly invisible unless they are dressed.
import { ApiError } from "../../../errors/api-error.ts";
import type { Margins } from "../../../options/values/paper.ts";
import { templateProblem } from "../../../options/values/pdf-template.ts";

/** Height of a margin that holds a header or footer, where none was asked for: 2 cm. */
const ROOMY = 2 / 2.54;
/** Less than this and the line of a header runs into the page: Chromium keeps 15 pt from the edge. */
const TIGHT = 1 / 2.54;
/** Indent of a header or footer at the sides, where no margin was asked for: 1 cm. */
const INDENT = 1 / 2.54;

export interface MarginBoxes {
  /** What Chromium is told: both templates, or none. */
  readonly templates: {
    readonly displayHeaderFooter?: true;
    readonly headerTemplate?: string;
    readonly footerTemplate?: string;
  };
  /** Margins in inches that make room for them. */
  readonly margin: Partial<Margins>;
  /** Says which margin has no room for its box. */
  readonly tight: string | undefined;
}

/** Dresses header and footer. Throws `VALIDATION_ERROR` for a template that would load something. */
export function marginBoxes(settings: {
  readonly headerTemplate?: string;
  readonly footerTemplate?: string;
  readonly margin: Partial<Margins>;
}): MarginBoxes {
  const { headerTemplate: header, footerTemplate: footer, margin } = settings;
  if (!header && !footer) return { templates: {}, margin: {}, tight: undefined };
  assertPrintable("pdf_header_template", header);
  assertPrintable("pdf_footer_template", footer);
  const tight = [
    header && (margin.top ?? ROOMY) < TIGHT && "top",
    footer && (margin.bottom ?? ROOMY) < TIGHT && "bottom",
  ];
  const sides = tight.filter(Boolean).map((side) => `pdf_margin_${side}`);
  return {
    templates: {
      displayHeaderFooter: true,
      headerTemplate: dressed(header, margin),
      footerTemplate: dressed(footer, margin),
    },
    margin: { ...(header && { top: ROOMY }), ...(footer && { bottom: ROOMY }) },
    tight:
      sides.length > 0
        ? `A header or footer is printed into the margin and needs about 1 cm of it; raise ${sides.join(" and ")}.`
        : undefined,
  };
}

/**
 * Chromium's own style of these boxes has a type size of nearly nothing, no indent and no backgrounds. A template left
 * out would be Chromium's own, with date and address, so it becomes an empty one.
 */
function dressed(template: string | undefined, margin: Partial<Margins>): string {
  if (!template) return "<span></span>";
  const { right = INDENT, left = INDENT } = margin;
  const style = `box-sizing:border-box;width:100%;padding:0 ${right}in 0 ${left}in;font:9pt sans-serif`;
  return `<div style="${style};-webkit-print-color-adjust:exact">${template}</div>`;
}

function assertPrintable(option: string, template: string | undefined): void {
  const problem = template && templateProblem(template);
  if (!problem) return;
  throw new ApiError("VALIDATION_ERROR", `Option '${option}' ${problem}.`, { details: { [option]: [problem] } });
}
