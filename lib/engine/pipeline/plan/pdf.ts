// Plans the PDF of a page, or of one element.

import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { emulateMedia, type PageEnvironment } from "../../emulation/emulation.ts";
import { resolveEnvironment } from "../../emulation/environment.ts";
import { isolateElement, loadPrintAssets, printPdf } from "../../formats/pdf/pdf.ts";
import { createPdfSettings, type PdfSettings } from "../../formats/pdf/pdf-settings.ts";
import { setDates } from "../../formats/pdf/pdf-stream.ts";
import type * as clippedFixed from "../../injected/clipped-fixed.ts";
import type * as darkPrint from "../../injected/dark-print.ts";
import { type ElementTarget, waitForElement, warnOfTransparentElements } from "../../page/elements.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { type CaptureStep, captureStep } from "../step.ts";
import { expandScroller } from "../steps/expand-scroller.ts";
import { judgePageStep } from "../steps/judge-page.ts";
import { restoreInViewStep } from "../steps/restore-in-view.ts";
import { showDiscarded } from "../steps/show-discarded.ts";
import { planAnimations } from "./area.ts";

export function* planPdf(options: EngineOptions): Generator<CaptureStep> {
  const { format, selector } = options;
  if (format !== "pdf") return;
  yield emulatePrintMedia({
    environment: { ...resolveEnvironment(options), mediaType: options.media_type ?? "print" },
  });
  yield placeClippedFixedStep();
  if (options.dark_mode && options.pdf_print_background) yield printDarkStep();
  yield expandScroller();
  if (options.disable_animations) yield planAnimations(options);
  if (options.full_page_scroll !== false) {
    yield showDiscarded({ maxHeight: options.full_page_max_height });
    yield restoreInViewStep();
  }
  const optional = options.error_on_selector_not_found === false;
  if (selector !== undefined) yield isolateElementStep({ selector, optional });
  yield judgePageStep({ isWhole: true });
  yield printPdfStep({ settings: createPdfSettings(options) });
}

/** Changes the media type to that of the print, and waits for what the page loads because of it. */
const emulatePrintMedia = captureStep<{ readonly environment: PageEnvironment }>({
  name: "emulate-print-media",
  run: async (page, { environment }) => {
    await emulateMedia(page.session, environment);
    await loadPrintAssets(page);
  },
});

/** Places fixed boxes that clip paths show through openings of the page. */
const placeClippedFixedStep = captureStep({
  name: "place-clipped-fixed",
  run: async (page) => {
    await evaluateInIsolatedWorld(page, placeClippedFixed);
  },
});

const placeClippedFixed: PageFunction<typeof clippedFixed.placeClippedFixed> = pageFunction(
  "printing",
  "placeClippedFixed",
);

/** Prints the page in the dark scheme that it was requested in. */
const printDarkStep = captureStep({
  name: "print-dark",
  run: async (page) => {
    await evaluateInIsolatedWorld(page, printDark);
  },
});

const printDark: PageFunction<typeof darkPrint.printDark> = pageFunction("printing", "printDark");

/** Prints the page as PDF. */
const printPdfStep = captureStep<{ readonly settings: PdfSettings }>({
  name: "print-pdf",
  needsSameDocument: true,
  run: async (page, { settings }) => {
    const { createdAt } = settings;
    const body = await printPdf(page, settings);
    return { output: { body: createdAt === undefined ? body : setDates(body, createdAt), format: "pdf" } };
  },
});

/** Removes everything but one element from the page, for a PDF of that element. */
const isolateElementStep = captureStep<ElementTarget>({
  name: "isolate-element",
  run: async (page, element) => {
    if (!(await waitForElement(page, "selector", element))) return;
    await warnOfTransparentElements(page, element.selector, { every: false });
    await isolateElement(page, element.selector);
  },
});
