// The settings of a PDF, derived from the options.
import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { DEFAULT_PAPER, type Margins, type PaperSize, paperFormats } from "../../../contract/options/values/paper.ts";

export interface PdfSettings {
  /** In inches; `landscape` makes the longer side the width. */
  readonly paper: PaperSize;
  /** In inches. An undefined side follows the page's `@page` rules, or has room for a header or footer. */
  readonly margin: Partial<Margins>;
  /** True for the mark of captures with an API key for tests. @default false */
  readonly isMarked?: boolean;
  readonly landscape: boolean;
  /** True when the caller chose size or orientation: `@page` rules set neither then, unless `preferCssPageSize`. */
  readonly isPaperExplicit: boolean;
  /** True when the caller chose the orientation. Else named pages that `@page` rules turn stay turned. @default false */
  readonly isOrientationExplicit?: boolean;
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

export function createPdfSettings(options: EngineOptions): PdfSettings {
  const { pdf_margin: margin, pdf_paper_width: width, pdf_paper_height: height, pdf_page_ranges: pageRanges } = options;
  const { pdf_header_template: headerTemplate, pdf_footer_template: footerTemplate } = options;
  const paper = width !== undefined && height !== undefined ? { width, height } : undefined;
  const margins = {
    top: options.pdf_margin_top ?? margin?.top,
    right: options.pdf_margin_right ?? margin?.right,
    bottom: options.pdf_margin_bottom ?? margin?.bottom,
    left: options.pdf_margin_left ?? margin?.left,
  };
  return {
    paper: paper ?? (options.pdf_paper_format === undefined ? DEFAULT_PAPER : paperFormats[options.pdf_paper_format]),
    // Omits undefined sides, which would override the defaults.
    margin: Object.fromEntries(Object.entries(margins).filter(([, inches]) => inches !== undefined)),
    isPaperExplicit: [width, options.pdf_paper_format, options.pdf_landscape].some((value) => value !== undefined),
    ...(options.pdf_landscape !== undefined && { isOrientationExplicit: true }),
    landscape: options.pdf_landscape === true,
    printBackground: options.pdf_print_background,
    scale: options.pdf_scale,
    preferCssPageSize: options.pdf_prefer_css_page_size,
    outline: options.pdf_outline,
    tagged: options.pdf_tagged,
    fitOnePage: options.pdf_fit_one_page,
    ...(options.test_mark && { isMarked: true }),
    ...(options.deterministic && { createdAt: options.page_clock }),
    ...(pageRanges !== undefined && { pageRanges }),
    ...(headerTemplate !== undefined && { headerTemplate }),
    ...(footerTemplate !== undefined && { footerTemplate }),
  };
}
