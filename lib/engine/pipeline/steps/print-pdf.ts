// Prints the page as PDF.
import { type PdfSettings, printPdf } from "../../outputs/pdf/pdf.ts";
import type { CaptureStep } from "../step-definition.ts";

interface PrintPdf {
  readonly settings: PdfSettings;
}

export const printPdfStep: CaptureStep<"print-pdf", PrintPdf> = {
  name: "print-pdf",
  phase: "capture",
  needsSameDocument: true,
  run: async (page, { settings }) => ({ output: { body: await printPdf(page, settings), format: "pdf" } }),
};
