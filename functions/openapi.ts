// GET /api/v1/openapi.json: the OpenAPI document. Needs no key.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { getOpenapiDocument } from "../lib/api/service/routes.ts";

export const handler = await serveRoutes([getOpenapiDocument]);
