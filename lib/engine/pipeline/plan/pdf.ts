// Plans the PDF of a page, or of one element.

import type { CaptureOptions } from "../../../options/capture-options.ts";
import { createPdfSettings } from "../../outputs/pdf/pdf-settings.ts";
import type { CaptureStep } from "../step.ts";
import { checkGlyphs } from "../steps/check-glyphs.ts";
import { expandScroller } from "../steps/expand-scroller.ts";
import { isolateElementStep } from "../steps/isolate-element.ts";
import { printPdfStep } from "../steps/print-pdf.ts";
import { restoreInView } from "../steps/restore-in-view.ts";
import { planAnimations } from "./area.ts";

export function* planPdf(options: CaptureOptions): Generator<CaptureStep> {
  const { format, selector } = options;
  if (format !== "pdf") return;
  yield expandScroller();
  if (options.disable_animations) yield planAnimations(options);
  if (options.full_page_scroll !== false) yield restoreInView();
  const optional = options.error_on_selector_not_found === false;
  if (selector !== undefined) yield isolateElementStep({ selector, optional });
  yield checkGlyphs({ isWhole: true });
  yield printPdfStep({ settings: createPdfSettings(options) });
}
