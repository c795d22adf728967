// POST /mcp: the Model Context Protocol server. Its tools call the API with the caller's key.
import { serveRoutes } from "../lib/service/http/serve-routes.ts";
import { callMcpRoute } from "../lib/service/mcp/routes.ts";

export const handler = serveRoutes([callMcpRoute]);
