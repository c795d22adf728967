// GET|HEAD /api/v1/account/invoices/{start}/pdf: an invoice as a PDF.
import "../lib/captures/start-unpacking.ts";

// Imported while other threads unpack Chromium, the handler, too: its browser is launched at once.
const [{ getInvoicePdf }, { serveRoutes }] = await Promise.all([
  import("../lib/api/account/invoice-pdf-route.ts"),
  import("../lib/api/http/serve-routes.ts"),
  import("../lib/api/account/invoice-pdf-handler.ts"),
]);

export const handler = serveRoutes([getInvoicePdf]);
