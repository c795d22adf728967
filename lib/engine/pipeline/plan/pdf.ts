// Plans the PDF of a page, or of one element.

import type { CaptureOptions } from "../../../options/capture-options.ts";
import { createPdfSettings } from "../../outputs/pdf/pdf-settings.ts";
import type { PhaseStep } from "../step-registry.ts";
import { finishAnimations } from "./area.ts";

export function* capturePdf(options: CaptureOptions): Generator<PhaseStep<"capture">> {
  const { format, selector } = options;
  if (format !== "pdf") return;
  yield { name: "expand-scroller" };
  if (options.disable_animations) yield finishAnimations(options);
  if (options.full_page_scroll !== false) yield { name: "restore-in-view" };
  const optional = options.error_on_selector_not_found === false;
  if (selector !== undefined) yield { name: "isolate-element", selector, optional };
  yield { name: "check-glyphs", isWhole: true };
  yield { name: "print-pdf", settings: createPdfSettings(options) };
}
