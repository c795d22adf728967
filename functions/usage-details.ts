// GET /api/v1/usage/{id}: a capture of the log with its times by phase, its warnings, and its stored result.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { getCaptureDetails } from "../lib/api/usage/routes.ts";

export const handler = await serveRoutes([getCaptureDetails]);
