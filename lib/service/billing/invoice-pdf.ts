// GET /api/v1/account/invoices/{start}/pdf: an invoice as a PDF, which the service's own browser makes.

import { ApiError, internalError } from "../../contract/errors/api-error.ts";
import { parseCaptureOptions } from "../../contract/options/capture-options.ts";
import { engineOptions } from "../../contract/options/engine-options.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { readKeyRing } from "../account/account-store.ts";
import { startSynchronousCapture } from "../captures/capture-concurrency.ts";
import { enforceRateLimit } from "../http/authorize.ts";
import type { RouteCall } from "../http/define-route.ts";
import type { ApiResponse } from "../http/response.ts";
import { cleanUp } from "../platform/clean-up.ts";
import { type CreateRenderer, renderOne } from "../rendering/renderer.ts";
import { contentDisposition } from "../results/content-disposition.ts";
import { isSessionCaller } from "../sessions/session.ts";
import { invoicesOf } from "./invoice-list.ts";
import { invoiceNumber } from "./invoice-number.ts";
import { invoicePage } from "./invoice-page.ts";
import { findInvoicePdf, storeInvoicePdf } from "./invoice-pdf-store.ts";

export type InvoicePdfCall = RouteCall<"usage", unknown, "BASE_URL" | "MAX_CONCURRENT_CAPTURES">;

/**
 * Answers with the PDF of the invoice whose period starts at the time in the path. Rendering one counts against the plan's rate
 * and against the captures that the account may run at the same time, as it takes as much as a capture; that of a closed period
 * is rendered once. Throws `NOT_FOUND` without an invoice, `RATE_LIMITED` or `CAPACITY`.
 */
export async function serveInvoicePdf(
  { request, caller, requests, env }: InvoicePdfCall,
  createRenderer: CreateRenderer,
): Promise<ApiResponse<never>> {
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
  const id = { accountId: account.id, start, page: invoicePage(facts, { service: env.BASE_URL, account }) };
  const isClosed = facts.status === "closed";
  const stored = isClosed ? await findInvoicePdf(env.USAGE_TABLE, id) : undefined;
  const body = stored ?? (await renderCounted());
  const name = `invoice-${invoiceNumber(account.id, start)}.pdf`;
  return {
    status: 200,
    headers: {
      "Content-Type": "application/pdf",
      "Cache-Control": "no-store",
      "Content-Disposition": contentDisposition(name),
    },
    body,
  };

  async function renderCounted(): Promise<Buffer> {
    // A session's request was counted for the account's sessions, and there are many more of them.
    const counted = isSessionCaller(caller) ? await enforceRateLimit(request, caller, env) : requests;
    const running = await startSynchronousCapture(
      { account: caller.account, requests: counted, now: Date.now(), canBeAsync: false },
      env,
    );
    try {
      const pdf = await renderPdf(id, request.requestId, createRenderer);
      if (isClosed) await storeInvoicePdf(env.USAGE_TABLE, id, pdf);
      return pdf;
    } finally {
      if (running) await cleanUp(() => running.release(), "running capture not released"); // it expires
    }
  }
}

async function renderPdf(
  { page: html, accountId }: { readonly page: string; readonly accountId: number },
  requestId: number,
  createRenderer: CreateRenderer,
): Promise<Buffer> {
  const options = parseCaptureOptions({ html, format: "pdf", pdf_prefer_css_page_size: true, javascript: false });
  await using renderer = createRenderer();
  try {
    const { body } = await renderOne(
      renderer,
      { options: engineOptions(options), thumbnail: false },
      {
        requestId,
        tenantId: String(accountId),
        startedAt: performance.now(),
        clock: new PhaseClock(),
      },
    );
    return body;
  } catch (error) {
    throw internalError(error); // the page is the service's own
  }
}
