// HTTP client for webhooks: SSRF-checked addresses, valid certificates, one deadline, no redirects.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { urlToHttpOptions } from "node:url";
import { createDial, EgressError, type EgressFailure } from "../../engine/egress/egress-dial.ts";
import type { AllowedOrigins } from "../../engine/egress/egress-policy.ts";
import { dialTls, TlsError } from "../../engine/egress/egress-tls.ts";
import type { Resolve } from "../../engine/egress/name-resolver.ts";
import { untilAborted } from "../../engine/egress/until-aborted.ts";
import { type Delivery, MAX_EXCERPT_CHARACTERS } from "./webhook.ts";
import type { WebhookRequest } from "./webhook-request.ts";

export interface WebhookTransport {
  /** Private origins that webhooks may be sent to; plain http is allowed to these only. */
  readonly allowed: AllowedOrigins;
  /** @default a name resolver of its own */
  readonly resolve?: Resolve;
  /**
   * Milliseconds for a whole delivery, from the DNS look-up to the response.
   * @default 10,000
   */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

/** Response bytes that are read, so that a receiver can finish sending. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Sends a webhook once and reports the delivery. Follows no redirects; only a 2xx status is a success. Never rejects.
 */
export async function sendWebhook(url: string, message: SentRequest, transport: WebhookTransport): Promise<Delivery> {
  const at = new Date().toISOString();
  const startedAt = performance.now();
  const timeoutMs = transport.timeoutMs ?? TIMEOUT_MS;
  const signal = AbortSignal.timeout(timeoutMs);
  const outcome = await sendOnce(new URL(url), { ...message, transport, signal }).then(
    ({ status, body }) => {
      const error = describeStatus(status);
      return { http_status_code: status, error, ...(error !== null && body !== "" && { response_excerpt: body }) };
    },
    (error) => ({
      http_status_code: null,
      error: signal.aborted ? `There was no answer within ${timeoutMs / 1000} seconds.` : describeError(error),
    }),
  );
  return { at, ...outcome, duration_ms: Math.round(performance.now() - startedAt) };
}

/** True when the receiver did not respond within `timeoutMs`. */
export function hasTimedOut({ http_status_code, duration_ms }: Delivery, timeoutMs = TIMEOUT_MS): boolean {
  return http_status_code === null && duration_ms >= timeoutMs - 1; // timers can fire a fraction of a millisecond early
}

/** What is sent. */
type SentRequest = Pick<WebhookRequest, "headers" | "body">;

interface SendOptions extends SentRequest {
  readonly transport: WebhookTransport;
  readonly signal: AbortSignal;
}

interface ReceivedResponse {
  readonly status: number;
  /** Its beginning. */
  readonly body: string;
}

/** Resolves to the response. Rejects without one; always closes the connection. */
async function sendOnce(url: URL, { headers, body, transport, signal }: SendOptions): Promise<ReceivedResponse> {
  const isSecure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (isSecure ? 443 : 80));
  const dial = createDial({ ...transport, onlyAllowed: !isSecure, signal });
  const connecting = isSecure ? dialTls(dial, host, port) : dial(host, port);
  const connection = await untilAborted(connecting, signal);
  connection.on("error", () => undefined); // the request reports errors while they matter
  try {
    const send = isSecure ? httpsRequest : httpRequest;
    const request = send({
      ...urlToHttpOptions(url),
      method: "POST",
      headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
      createConnection: () => connection,
    });
    request.end(body);
    const response = await untilAborted(waitForResponse(request), signal);
    signal.addEventListener("abort", () => response.destroy(), { once: true });
    return { status: response.statusCode ?? 0, body: await drain(response) };
  } finally {
    connection.destroy();
  }
}

/** Also rejects when the connection closes without a response, such as after an unsolicited upgrade. */
function waitForResponse(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on("response", resolve).on("error", reject);
    request.on("close", () => reject(new Error("The connection ended.")));
  });
}

/** Reads the response to its end, its size limit or the deadline. Resolves to the beginning of its text. */
async function drain(response: IncomingMessage): Promise<string> {
  let bytes = 0;
  let beginning = Buffer.alloc(0);
  try {
    for await (const chunk of response) {
      bytes += chunk.length;
      if (beginning.length < 4 * MAX_EXCERPT_CHARACTERS) beginning = Buffer.concat([beginning, chunk]);
      if (bytes > MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // only the status matters, and it has arrived
  }
  return excerpt(beginning);
}

/** One line of text: what the receiver writes is no part of this service, and binary data is shown as nothing. */
function excerpt(bytes: Buffer): string {
  const text = bytes.toString("utf8").toWellFormed();
  if (text.includes("\0")) return "";
  return [...text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, " ").trim()]
    .slice(0, MAX_EXCERPT_CHARACTERS)
    .join("");
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver answered with ${status}; redirects are not followed.`;
  if (status === 410) return "The receiver answered with 410, which means that it wants no more attempts.";
  return `The receiver answered with ${status} instead of 2xx.`;
}

const egressErrors: Partial<Record<EgressFailure, string>> = {
  refused: "The address of the receiver is not allowed: it must be public, and https.",
  unresolved: "The host name of the receiver does not resolve.",
};

/** Describes a delivery error without internal details. */
function describeError(error: unknown): string {
  if (error instanceof EgressError) return egressErrors[error.failure] ?? "The receiver cannot be connected to.";
  if (error instanceof TlsError) return `The receiver's certificate or TLS is not valid (${errorCode(error.cause)}).`;
  return errorCode(error).startsWith("HPE_")
    ? "The receiver's response is not HTTP."
    : "The connection to the receiver closed before it responded.";
}

/** Node's error code, such as `CERT_HAS_EXPIRED`. */
function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
