// POST /api/v1/keys/{id}/rotate: rotates an API key: a new key text and signing secret.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { rotateKey } from "../lib/api/keys/routes.ts";

export const handler = await serveRoutes([rotateKey]);
