// GET /api/v1/usage: a page of the account's capture logs, newest first.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { listCaptures } from "../lib/api/usage/routes.ts";

export const handler = await serveRoutes([listCaptures]);
