// GET|HEAD|PATCH|DELETE /api/v1/keys/{id}: reads, changes or revokes an API key.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { changeKey, getKey, revokeKey } from "../lib/api/keys/routes.ts";

export const handler = await serveRoutes([getKey, changeKey, revokeKey]);
