// Prints the page as PDF.
import { printPdf } from "../../outputs/pdf/pdf.ts";
import type { PdfSettings } from "../../outputs/pdf/pdf-settings.ts";
import { setDates } from "../../outputs/pdf/pdf-stream.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface PrintPdf {
  readonly settings: PdfSettings;
}

export const printPdfStep: StepFactory<CaptureStep, PrintPdf> = captureStep({
  name: "print-pdf",
  phase: "capture",
  needsSameDocument: true,
  run: async (page, { settings }) => {
    const { createdAt } = settings;
    const body = await printPdf(page, settings);
    return { output: { body: createdAt === undefined ? body : setDates(body, createdAt), format: "pdf" } };
  },
});
