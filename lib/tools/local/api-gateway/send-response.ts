// Sends a response to the client with backpressure, and survives a client that disconnects.
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpResponse } from "./proxy-response.ts";

/**
 * When the body fails, the connection is destroyed, because a regular end would make the body look complete. When the client
 * disconnects, the body is still read to its end, because the function continues.
 */
export async function sendResponse(
  answer: HttpResponse,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { statusCode, headers, body } = answer;
  response.on("error", () => {}); // a write after the client has disconnected
  for (const [name, value] of headers) if (!isSetByNode(name, answer, request)) response.appendHeader(name, value);
  response.statusCode = statusCode;

  if (Buffer.isBuffer(body)) {
    response.end(body);
    return;
  }
  response.flushHeaders();
  try {
    for await (const chunk of body) await write(response, chunk);
    response.end();
  } catch {
    response.destroy();
  }
}

/** Node.js sets the length of a buffered body. The function's own applies to a HEAD request or a streamed body. */
function isSetByNode(name: string, { body }: HttpResponse, { method }: IncomingMessage): boolean {
  if (name.toLowerCase() === "content-length") return method !== "HEAD" && Buffer.isBuffer(body);
  return ["connection", "keep-alive", "transfer-encoding"].includes(name.toLowerCase());
}

async function write(response: ServerResponse, chunk: Buffer): Promise<void> {
  if (response.destroyed || response.write(chunk)) return;
  const left = new AbortController();
  const onClose = () => left.abort();
  response.once("close", onClose);
  await once(response, "drain", { signal: left.signal }).catch(() => {});
  response.off("close", onClose);
}
