// Sends webhooks: to checked addresses only, with certificates that are valid, for so long and no longer.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { urlToHttpOptions } from "node:url";
import { createDial, EgressError, type EgressFailure, type Resolve } from "../egress/egress-dial.ts";
import type { AllowedOrigins } from "../egress/egress-policy.ts";
import { dialTls, TlsError } from "../egress/egress-tls.ts";
import type { Delivery } from "./webhook.ts";
import type { WebhookRequest } from "./webhook-request.ts";

export interface WebhookTransport {
  /** Where webhooks may go although it is not the public internet; plain http may go there alone. */
  readonly allowed: AllowedOrigins;
  /** @default the machine's own resolver */
  readonly resolve?: Resolve;
  /**
   * Milliseconds that a receiver has for everything, from the look-up of its name to its answer.
   * @default 10,000
   */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

/** Bytes of an answer that are read, only so that a receiver can finish what it says. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Sends a webhook once, and tells how that went. Follows no redirects; only a status of 2xx is a success. Never rejects. */
export async function sendWebhook(url: string, message: WebhookRequest, way: WebhookTransport): Promise<Delivery> {
  const at = new Date().toISOString();
  const startedAt = performance.now();
  const timeoutMs = way.timeoutMs ?? TIMEOUT_MS;
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await sendOnce(new URL(url), { ...message, way, signal }).then(
    (http_status_code) => ({ http_status_code, error: errorOfStatus(http_status_code) }),
    (error) => ({
      http_status_code: null,
      error: signal.aborted ? `There was no answer within ${timeoutMs / 1000} seconds.` : sentenceOf(error),
    }),
  );
  return { at, ...answer, duration_ms: Math.round(performance.now() - startedAt) };
}

/** True for a delivery whose receiver let the time run out without an answer. */
export function hasTimedOut({ http_status_code, duration_ms }: Delivery, timeoutMs = TIMEOUT_MS): boolean {
  return http_status_code === null && duration_ms >= timeoutMs - 1; // timers may be early by a fraction of a millisecond
}

interface Sending extends WebhookRequest {
  readonly way: WebhookTransport;
  readonly signal: AbortSignal;
}

/** The status of the receiver's answer. Rejects when there is none; what is reached is closed in any case. */
async function sendOnce(url: URL, { headers, body, way, signal }: Sending): Promise<number> {
  const isSecure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (isSecure ? 443 : 80));
  const dial = createDial({ ...way, onlyAllowed: !isSecure, signal });
  const connection = await (isSecure ? dialTls(dial, host, port) : dial(host, port));
  connection.on("error", () => undefined); // the request tells of it while that matters
  try {
    const send = isSecure ? httpsRequest : httpRequest;
    const request = send({
      ...urlToHttpOptions(url),
      method: "POST",
      headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
      createConnection: () => connection,
    });
    request.end(body);
    const answer = await answerTo(request);
    await readSome(answer);
    return answer.statusCode ?? 0;
  } finally {
    connection.destroy();
  }
}

/** Rejects, too, when the connection ends without an answer, as after one to an upgrade that nobody asked for. */
function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((answered, failed) => {
    request.on("response", answered).on("error", failed);
    request.on("close", () => failed(new Error("The connection ended.")));
  });
}

/** Reads an answer to its end, or as much of it as there is time and room for. */
async function readSome(answer: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) return;
    }
  } catch {
    // its status has come, which is all that counts
  }
}

function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver answered with ${status}; redirects are not followed.`;
  if (status === 410) return "The receiver answered with 410, which says that it wants no more tries.";
  return `The receiver answered with ${status} instead of 2xx.`;
}

const refusals: Partial<Record<EgressFailure, string>> = {
  refused: "The address of the receiver is not allowed: it must be public, and https.",
  unresolved: "The host name of the receiver does not resolve.",
};

/** What went wrong, without anything of the inside. */
function sentenceOf(error: unknown): string {
  if (error instanceof EgressError) return refusals[error.failure] ?? "The receiver cannot be connected to.";
  if (error instanceof TlsError) return `The receiver's certificate or TLS is not valid (${codeOf(error.cause)}).`;
  return codeOf(error).startsWith("HPE_")
    ? "The receiver's answer is not HTTP."
    : "The connection to the receiver broke before it answered.";
}

/** Node's name of an error, such as `CERT_HAS_EXPIRED`. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
