// GET|HEAD /api/v1/jobs: the account's asynchronous captures, newest first.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { listAsyncCaptures } from "../lib/api/jobs/routes.ts";

export const handler = await serveRoutes([listAsyncCaptures]);
