// GET|HEAD|POST /api/v1/keys: lists the API keys of the account, and creates one.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { createKey, listKeys } from "../lib/api/keys/routes.ts";

export const handler = await serveRoutes([listKeys, createKey]);
