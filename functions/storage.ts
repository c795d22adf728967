// GET|HEAD /storage/{key}: checks a signed link and sends the stored result.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { getResult } from "../lib/api/results/routes.ts";

export const handler = await serveRoutes([getResult]);
