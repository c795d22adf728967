// GET|HEAD|POST /api/v1/screenshot: captures a page, synchronously or asynchronously.
import "../lib/service/captures/start-unpacking.ts";

// Imported while other threads unpack Chromium, the handler, too: its browser is launched at once.
const [{ captureByQueryRoute, captureRoute }, { serveRoutes }] = await Promise.all([
  import("../lib/service/captures/routes.ts"),
  import("../lib/service/http/serve-routes.ts"),
  import("../lib/service/captures/screenshot-handler.ts"),
]);

export const handler = serveRoutes([captureByQueryRoute, captureRoute]);
