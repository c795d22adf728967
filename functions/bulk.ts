// POST /api/v1/bulk: enqueues up to 20 captures and describes the job of each.
import { captureBulk } from "../lib/api/bulk/routes.ts";
import { serveRoutes } from "../lib/api/http/serve-routes.ts";

export const handler = await serveRoutes([captureBulk]);
