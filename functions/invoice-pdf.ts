// GET|HEAD /api/v1/account/invoices/{start}/pdf: an invoice as a PDF.
import "../lib/service/captures/start-unpacking.ts";

// Imported while other threads unpack Chromium, the handler, too: its browser is launched at once.
const [{ getInvoicePdfRoute }, { serveRoutes }] = await Promise.all([
  import("../lib/service/billing/invoice-pdf-route.ts"),
  import("../lib/service/http/serve-routes.ts"),
  import("../lib/service/billing/invoice-pdf-handler.ts"),
]);

export const handler = serveRoutes([getInvoicePdfRoute]);
