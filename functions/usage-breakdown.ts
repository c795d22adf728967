// GET /api/v1/usage/breakdown: the newest captures of a range by format, host, and API key, with percentiles of their times.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { usageBreakdown } from "../lib/api/usage/routes.ts";

export const handler = await serveRoutes([usageBreakdown]);
