// GET /api/v1/usage/search: captures that match, newest first, a limited number read at once.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { searchCaptures } from "../lib/api/usage/routes.ts";

export const handler = await serveRoutes([searchCaptures]);
