// GET /api/v1/usage/export: all captures that match, as a stream of CSV or NDJSON.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { exportCaptures } from "../lib/api/usage/routes.ts";

export const handler = await serveRoutes([exportCaptures]);
