// POST /try: captures a page for a visitor of the website, who has no account. It can touch nothing that belongs to one.
import "../lib/service/captures/start-unpacking.ts";

// Imported while other threads unpack Chromium, the handler, too: it answers the first request.
const [{ tryCaptureRoute }, { serveRoutes }] = await Promise.all([
  import("../lib/service/keyless/routes.ts"),
  import("../lib/service/http/serve-routes.ts"),
  import("../lib/service/keyless/try-handler.ts"),
]);

export const handler = serveRoutes([tryCaptureRoute]);
