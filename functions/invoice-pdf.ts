// GET|HEAD /api/v1/account/invoices/{start}/pdf: an invoice as a PDF.
import "../lib/captures/start-unpacking.ts";

// Imported while other threads unpack Chromium.
const [{ createBrowserLauncher }, { serveInvoicePdf }, { streamingRouteHandler }, { environment }, { engineSettings }] =
  await Promise.all([
    import("../lib/engine/browser-launcher.ts"),
    import("../lib/api/account/invoice-pdf.ts"),
    import("../lib/api/http/route-handler.ts"),
    import("../lib/platform/environment.ts"),
    import("../lib/platform/engine-settings.ts"),
  ]);
const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "BASE_URL", "MAX_CONCURRENT_CAPTURES");
const startBrowser = createBrowserLauncher(engineSettings());

export const handler = streamingRouteHandler<"GET /api/v1/account/invoices/{start}/pdf">((request) =>
  serveInvoicePdf(request, { startBrowser, env }),
);
