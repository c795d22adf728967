// The route of the MCP server, which has its own protocol, and so no part in the OpenAPI document.
import { defineRoute } from "../http/define-route.ts";

export const callMcpRoute = defineRoute({
  method: "POST",
  path: "/mcp",
  functionName: "mcp",
  access: "handler", // its tools call the API with the key of the request
  origins: "own", // as the specification demands
  deadlineSeconds: 150,
  env: ["BASE_URL"],
  responses: { 200: { description: "The response of the protocol." } },
  handler: async () => (await import("./mcp-handler.ts")).callMcp,
});
