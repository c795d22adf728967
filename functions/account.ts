// GET|HEAD /api/v1/account: the plan, the usage of this billing period and its cost.
import { getAccount } from "../lib/api/account/routes.ts";
import { serveRoutes } from "../lib/api/http/serve-routes.ts";

export const handler = await serveRoutes([getAccount]);
