// GET /health: whether the service answers and captures work, with the versions of Chromium and of the filter lists. Needs no key.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { getHealth } from "../lib/api/service/routes.ts";

export const handler = await serveRoutes([getHealth]);
