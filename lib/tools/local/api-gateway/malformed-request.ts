// Responds to requests that the HTTP parser of Node.js rejects, with a JSON error like all others.
import { randomUUID } from "node:crypto";
import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { GatewayError } from "./gateway-response.ts";
import type { HttpResponse } from "./proxy-response.ts";

/** How long a client may continue to send after the response: closing at once (RST) would destroy the response. */
const LINGER_MS = 1_000;

/** `createResponse` creates the response to an error. */
export function respondToMalformedRequests(
  server: Server,
  createResponse: (error: GatewayError, requestId: string) => HttpResponse,
): void {
  const responses = new WeakMap<object, ServerResponse>();
  const rejected = new WeakSet<object>();
  server.on("request", ({ socket }, response) => responses.set(socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (rejected.has(socket)) return; // the rest of a rejected request
    const response = responses.get(socket);
    const isResponding = response?.headersSent === true && !response.writableFinished;
    // Bytes after the start of a response would become part of it.
    if (!socket.writable || error.code === "ECONNRESET" || isResponding) {
      socket.destroy();
      return;
    }
    rejected.add(socket);
    const requestId = randomUUID();
    socket.end(
      serializeResponse(createResponse(gatewayErrors[error.code ?? ""] ?? "BAD_REQUEST", requestId), requestId),
    );
    const lingering = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("end", () => socket.destroy()).once("close", () => clearTimeout(lingering));
  });
}

const gatewayErrors: Readonly<Record<string, GatewayError>> = {
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

function serializeResponse({ statusCode, headers, body }: HttpResponse, requestId: string): Buffer {
  const content = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const lines = [
    ...headers,
    ["x-amzn-RequestId", requestId],
    ["Content-Length", String(content.length)],
    ["Connection", "close"],
  ].map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`, ...lines].join("\r\n");
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, "latin1"), content]);
}
