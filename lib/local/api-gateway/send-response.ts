// Sends an answer to the client, at the client's pace, whatever the client does meanwhile.
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpAnswer } from "./proxy-response.ts";

/**
 * A body that fails half-way breaks off the connection, because ending it would make it look complete. When the client
 * leaves, the body is read to its end all the same, since the function runs on.
 */
export async function sendAnswer(
  answer: HttpAnswer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { statusCode, headers, body } = answer;
  response.on("error", () => {}); // a write after the client has left
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

/** The length of a complete body is counted; only without a body, or while it is being streamed, is the function's word taken. */
function isSetByNode(name: string, { body }: HttpAnswer, { method }: IncomingMessage): boolean {
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
