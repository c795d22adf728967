// Responses: what a handler returns, and the headers of every response.
import { Readable } from "node:stream";
import { type ApiError, errorBody } from "../../errors/api-error.ts";
import type { ApiRequest } from "./api-request.ts";

export interface ApiResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** The response of a streaming handler, whose body may be a stream. */
export interface StreamedResponse extends Omit<ApiResponse, "body"> {
  readonly body?: ApiResponse["body"] | Readable;
}

export interface CompleteResponse<A extends StreamedResponse = ApiResponse> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: NonNullable<A["body"]>;
  /** Resolves when the invocation may end. Never rejects. */
  readonly afterwards: Promise<unknown>;
}

/** A JSON response. It describes one moment, so caches must not store it. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ApiResponse {
  return {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers },
    body: JSON.stringify(body),
  };
}

export function errorResponse(error: ApiError, requestId: number): ApiResponse {
  return json(error.status, errorBody(error, requestId), error.headers);
}

/** Response headers that scripts of other origins may read. */
const exposedHeaders = [
  "Accept-Ranges",
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "Idempotent-Replayed",
  "Location",
  "Retry-After",
  "Server-Timing",
  "X-Blocked",
  "X-Cache",
  "X-Final-Url",
  "X-Image-Height",
  "X-Image-Width",
  "X-Page-Title",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  "X-Response-Time",
  "X-Source-Status-Code",
  "X-Storage-Location",
  "X-Warnings",
];

/**
 * Adds the headers of every response, and removes the body of a response to HEAD. CORS is open to every origin: the key is in
 * the request, and there are no cookies to abuse.
 */
export function complete(
  response: StreamedResponse,
  { method, requestId, startedAt, responseHeaders, afterwards }: ApiRequest,
  now: number,
): CompleteResponse<StreamedResponse> {
  const { body = "" } = response;
  const isHead = method === "HEAD";
  const headers = {
    "X-Request-Id": String(requestId),
    "X-Response-Time": String(Math.round(now - startedAt)),
    "X-Content-Type-Options": "nosniff",
    ...(isSandboxed(response) && { "Content-Security-Policy": SANDBOX_CSP }),
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": exposedHeaders.join(", "),
    ...Object.fromEntries(responseHeaders),
    ...(isHead &&
      !(body instanceof Readable) &&
      body.length > 0 && { "Content-Length": String(Buffer.byteLength(body)) }),
    ...response.headers,
  };
  return {
    status: response.status,
    headers,
    body: isHead ? "" : body,
    afterwards: Promise.all(afterwards),
  };
}

/**
 * A response that a browser shows runs no scripts, loads nothing and has an opaque origin, so it is no part of this service.
 * Links in it send no referrer, which could have a key in it.
 * https://w3c.github.io/webappsec-referrer-policy/#determine-requests-referrer
 */
const SANDBOX_CSP = "sandbox; default-src 'none'";

/**
 * Videos and PDFs have no scripts, and Chrome shows neither in a sandbox. A 304 updates a response that has its policy, or
 * none, already (RFC 9111, section 4.3.4).
 */
function isSandboxed({ status, headers = {} }: StreamedResponse): boolean {
  return status !== 304 && !/^(video\/|application\/pdf)/.test(headers["Content-Type"] ?? "");
}
