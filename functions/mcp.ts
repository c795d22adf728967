// POST /mcp: the Model Context Protocol server. Its tools call the API with the caller's key.
import { mcpHandler } from "../lib/api/mcp/mcp-handler.ts";
import { environment } from "../lib/platform/environment.ts";

export const handler = mcpHandler(environment("BASE_URL").BASE_URL);
