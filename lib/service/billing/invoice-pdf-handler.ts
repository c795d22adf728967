// The handler of an invoice as a PDF, with the browser of its function.
import { createBrowserLauncher } from "../../engine/browser-launcher.ts";
import type { ApiResponse } from "../http/response.ts";
import { engineSettings } from "../platform/engine-settings.ts";
import { type InvoicePdfCall, serveInvoicePdf } from "./invoice-pdf.ts";

const startBrowser = createBrowserLauncher(engineSettings());

export const getInvoicePdf = (call: InvoicePdfCall): Promise<ApiResponse<never>> => serveInvoicePdf(call, startBrowser);
