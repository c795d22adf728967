// Answers requests that Node's HTTP parser refuses before there is a request: in JSON like every other error.
import { randomUUID } from "node:crypto";
import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { GatewayError } from "./gateway-response.ts";
import type { HttpAnswer } from "./proxy-response.ts";

/** How long a client may go on sending after its request was refused: closing at once would destroy the answer. */
const LINGER_MS = 1_000;

/** `answer` makes the answer to an error. */
export function answerUnreadableRequests(
  server: Server,
  answer: (error: GatewayError, requestId: string) => HttpAnswer,
): void {
  const responses = new WeakMap<object, ServerResponse>();
  const refused = new WeakSet<object>();
  server.on("request", ({ socket }, response) => responses.set(socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (refused.has(socket)) return; // the rest of what was refused
    const response = responses.get(socket);
    const isAnswering = response?.headersSent === true && !response.writableFinished;
    // Bytes after a started answer would become a part of it.
    if (!socket.writable || error.code === "ECONNRESET" || isAnswering) {
      socket.destroy();
      return;
    }
    refused.add(socket);
    const requestId = randomUUID();
    socket.end(httpMessage(answer(gatewayErrors[error.code ?? ""] ?? "BAD_REQUEST", requestId), requestId));
    const lingering = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("end", () => socket.destroy()).once("close", () => clearTimeout(lingering));
  });
}

const gatewayErrors: Readonly<Record<string, GatewayError>> = {
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

function httpMessage({ statusCode, headers, body }: HttpAnswer, requestId: string): Buffer {
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
