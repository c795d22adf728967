// Derives the PDF settings from the options.
import type { CaptureOptions } from "../../../options/capture-options.ts";
import { DEFAULT_PAPER, paperFormats } from "../../../options/values/paper.ts";
import type { PdfSettings } from "./pdf.ts";

export function createPdfSettings(options: CaptureOptions): PdfSettings {
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
