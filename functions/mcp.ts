// POST /mcp: the Model Context Protocol server. Its tools call the API with the caller's key.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { callMcp } from "../lib/api/mcp/routes.ts";

export const handler = serveRoutes([callMcp]);
