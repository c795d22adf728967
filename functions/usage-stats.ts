// GET /api/v1/usage/stats: captures per day, success rate and response times for a date range.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { usageStatistics } from "../lib/api/usage/routes.ts";

export const handler = await serveRoutes([usageStatistics]);
