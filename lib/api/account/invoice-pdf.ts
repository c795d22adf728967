// GET /api/v1/account/invoices/{start}/pdf: an invoice as a PDF, which the service's own browser makes.
import { readKeyRing } from "../../accounts/account-store.ts";
import { invoiceNumber, invoicePage } from "../../billing/invoice-page.ts";
import { browserUseFor } from "../../engine/browser/browser-use.ts";
import type { StartBrowser } from "../../engine/browser-launcher.ts";
import { capture } from "../../engine/pipeline/capture.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { ApiError, internalError } from "../../errors/api-error.ts";
import { parseCaptureOptions } from "../../options/capture-options.ts";
import { parseNothing } from "../../options/parse-options.ts";
import type { Environment } from "../../platform/environment.ts";
import { contentDisposition } from "../../results/content-disposition.ts";
import { type ApiRequest, queryOptions } from "../http/api-request.ts";
import { authorize } from "../http/authorize.ts";
import type { ApiResponse } from "../http/response.ts";
import { invoicesOf } from "./invoice-list.ts";

export interface InvoicePdfParts {
  readonly startBrowser: StartBrowser;
  readonly env: Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL">;
}

/** Answers with the PDF of the invoice whose period starts at the time in the path. Throws `NOT_FOUND` without one. */
export async function serveInvoicePdf(
  request: ApiRequest,
  { startBrowser, env }: InvoicePdfParts,
): Promise<ApiResponse<never>> {
  const caller = await authorize(request, "usage", env);
  parseNothing(queryOptions(request));
  const now = request.receivedAt;
  const [{ account }, invoices] = await Promise.all([
    readKeyRing(env.ACCOUNTS_TABLE, caller.account.id),
    invoicesOf(env.USAGE_TABLE)(caller.account, now),
  ]);
  const start = (request.pathParameters["start"] ?? "").replaceAll(/%3A/gi, ":"); // clients may encode it, or not
  const facts = invoices.find(({ period }) => period.start === start);
  if (!facts) {
    const message = "The account has no billing period that starts then. List them with GET /api/v1/account/invoices.";
    throw new ApiError("NOT_FOUND", message);
  }
  const body = await renderPdf(invoicePage(facts, { service: env.BASE_URL, account }), startBrowser);
  const name = `invoice-${invoiceNumber(account.id, facts)}.pdf`;
  return {
    status: 200,
    headers: {
      "Content-Type": "application/pdf",
      "Cache-Control": "no-store",
      "Content-Disposition": contentDisposition(name),
    },
    body,
  };
}

async function renderPdf(html: string, startBrowser: StartBrowser): Promise<Buffer> {
  const options = parseCaptureOptions({ html, format: "pdf", pdf_prefer_css_page_size: true, javascript: false });
  await using browser = startBrowser(Promise.resolve(browserUseFor(options)));
  try {
    const { body } = await capture(options, { browser, startedAt: performance.now(), clock: new PhaseClock() });
    return body;
  } catch (error) {
    throw internalError(error); // the page is the service's own
  }
}
