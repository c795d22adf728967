// The MCP endpoint (https://modelcontextprotocol.io/specification/2026-07-28/basic/transports): stateless, one server per
// request. It also answers clients of the revision 2025-11-25, which start with `initialize`.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { ApiRequest } from "../http/api-request.ts";
import type { RouteCall } from "../http/define-route.ts";
import type { ApiResponse } from "../http/response.ts";
import { isWellFormed } from "../keys/api-key.ts";
import { logError } from "../platform/log.ts";
import { createApiClient, keyRefusal } from "./api-client.ts";
import { registerPrompts } from "./prompts.ts";
import { registerResources } from "./resources.ts";
import { registerTools } from "./tools.ts";
import { UNTRUSTED_NOTE } from "./untrusted.ts";

const INSTRUCTIONS =
  "Captures web pages as images, PDFs, videos, and text. Use describe_options to find options for cookie banners, waiting, " +
  `devices, and more; pass them in 'options'. ${UNTRUSTED_NOTE}`;

/**
 * Answers an MCP request. Throws `UNAUTHORIZED` without a Bearer key, for one that cannot be a key, and, when a client connects, for
 * one that the API refuses: a client that shows "connected" must be able to work.
 */
export async function callMcp({
  request,
  env: { BASE_URL },
}: RouteCall<"handler", unknown, "BASE_URL">): Promise<ApiResponse<never>> {
  const key = bearerKey(request);
  if (startsConnection(request)) await requireKnownKey(BASE_URL, key);
  const errors: Error[] = [];
  const handler = createMcpHandler(() => createServer(BASE_URL, key), { onerror: (error) => errors.push(error) });
  const response = await handler.fetch(toWebRequest(request, BASE_URL));
  const body = await response.text();
  // Those of a response of 4xx are the client's: its message is malformed.
  const isRefusal = response.status >= 400 && response.status < 500;
  if (!isRefusal) for (const error of errors) logError("MCP request failed", error, { request_id: request.requestId });
  return { status: response.status, headers: { "Cache-Control": "no-store", ...contentType(response) }, body };
}

function createServer(baseUrl: string, key: string): McpServer {
  const server = new McpServer({ name: "screen-capture", version: "1.0.0" }, { instructions: INSTRUCTIONS });
  const api = createApiClient(baseUrl, key);
  registerTools(server, api);
  registerPrompts(server);
  registerResources(server, api);
  return server;
}

/** The methods with which clients of the two revisions begin, before they show that they are connected. */
const FIRST_METHODS: readonly unknown[] = ["initialize", "server/discover", "tools/list"];

function startsConnection({ body }: ApiRequest): boolean {
  const messages = Array.isArray(body) ? body : [body];
  return messages.some((message) => FIRST_METHODS.includes((message as { method?: unknown } | null)?.method));
}

/** Throws `UNAUTHORIZED` with the words of the API. */
async function requireKnownKey(baseUrl: string, key: string): Promise<void> {
  const refusal = await keyRefusal(baseUrl, key);
  if (refusal !== undefined) throw unauthorized(refusal);
}

function unauthorized(message: string): ApiError {
  return new ApiError("UNAUTHORIZED", message, { headers: { "WWW-Authenticate": "Bearer" } });
}

/** The key of `Authorization: Bearer`, of the right form. The API checks it when a client connects, and when a tool calls the API. */
function bearerKey({ headers, query }: ApiRequest): string {
  if (query.some(([name]) => name === "access_key")) {
    throw new ApiError(
      "BAD_REQUEST",
      "MCP doesn't accept 'access_key' in the URL. Send the header 'Authorization: Bearer <key>'.",
    );
  }
  const [, key] = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(headers["authorization"] ?? "") ?? [];
  if (key === undefined) {
    throw unauthorized(
      "MCP needs an API key. Add the header 'Authorization: Bearer <key>' to the settings of the client.",
    );
  }
  if (!isWellFormed(key)) throw unauthorized("The API key is not valid. Check that it is complete.");
  return key;
}

/** Only headers of MCP are handed on: the rest, such as the key, is no business of the protocol. */
function toWebRequest({ headers, body }: ApiRequest, baseUrl: string): Request {
  const names = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];
  const kept = names.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]] as [string, string]],
  );
  const text = typeof body === "string" ? body : JSON.stringify(body ?? "");
  return new Request(`${baseUrl}/mcp`, { method: "POST", headers: kept, body: text });
}

function contentType({ headers }: Response): Record<string, string> {
  const type = headers.get("content-type");
  return type === null ? {} : { "Content-Type": type };
}
