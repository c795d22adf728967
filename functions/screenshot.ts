// GET|HEAD|POST /api/v1/screenshot: captures a page, synchronously or asynchronously.
import "../lib/captures/start-unpacking.ts";

// Imported while other threads unpack Chromium, the handler, too: its browser is launched at once.
const [{ capture, captureByQuery }, { serveRoutes }] = await Promise.all([
  import("../lib/api/screenshot/routes.ts"),
  import("../lib/api/http/serve-routes.ts"),
  import("../lib/api/screenshot/screenshot-handler.ts"),
]);

export const handler = serveRoutes([captureByQuery, capture]);
