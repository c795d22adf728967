// The handler of an invoice as a PDF, with the renderer of its function.
import type { ApiResponse } from "../http/response.ts";
import { functionRenderer } from "../rendering/function-renderer.ts";
import { type InvoicePdfCall, serveInvoicePdf } from "./invoice-pdf.ts";

const createRenderer = await functionRenderer();

export const getInvoicePdf = (call: InvoicePdfCall): Promise<ApiResponse<never>> =>
  serveInvoicePdf(call, createRenderer);
