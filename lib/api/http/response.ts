// Answers: what a handler returns, and the headers every answer of the API carries.
import { Readable } from "node:stream";
import { type ApiError, errorBody } from "../../errors/api-error.ts";
import type { ErrorBody } from "../../errors/error-response.ts";
import type { ApiRequest } from "./api-request.ts";

/** A response in one piece. `Json` is the type of what `body` says. */
export interface ApiResponse<Json = never> {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** The type of the JSON in `body`, for the compiler alone: it is never set. `never` if the body is no JSON. */
  readonly [jsonBody]?: Json;
}

declare const jsonBody: unique symbol;

/** The answer of a streaming handler, which may be read while it is sent. */
export interface StreamedResponse<Json = never> extends Omit<ApiResponse<Json>, "body"> {
  readonly body?: ApiResponse["body"] | Readable;
}

export interface CompleteResponse<A extends StreamedResponse<unknown> = ApiResponse<unknown>> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: NonNullable<A["body"]>;
  /** Resolves when the invocation may end. Never rejects. */
  readonly afterwards: Promise<unknown>;
}

/** A JSON answer. It speaks of one moment, so that no cache may keep it. */
export function json<Json>(
  status: number,
  body: Json,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse<Json> {
  return {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers },
    body: JSON.stringify(body),
  };
}

export function errorResponse(error: ApiError, requestId: number): ApiResponse<ErrorBody> {
  return json(error.status, errorBody(error, requestId), error.headers);
}

const exposed = [
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
 * Adds the headers that every answer carries, and removes the body of an answer to HEAD. Any site may read an answer: the
 * key is in the request, there are no cookies to abuse.
 */
export function complete(
  answer: StreamedResponse<unknown>,
  { method, requestId, startedAt, answerHeaders, afterwards }: ApiRequest,
  now: number,
): CompleteResponse<StreamedResponse<unknown>> {
  const { body = "" } = answer;
  const isHead = method === "HEAD";
  const headers = {
    "X-Request-Id": String(requestId),
    "X-Response-Time": String(Math.round(now - startedAt)),
    "X-Content-Type-Options": "nosniff",
    ...(isConfined(answer) && { "Content-Security-Policy": CONFINED }),
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": exposed.join(", "),
    ...Object.fromEntries(answerHeaders),
    ...(isHead &&
      !(body instanceof Readable) &&
      body.length > 0 && { "Content-Length": String(Buffer.byteLength(body)) }),
    ...answer.headers,
  };
  return {
    status: answer.status,
    headers,
    body: isHead ? "" : body,
    afterwards: Promise.all(afterwards),
  };
}

/**
 * What a browser shows of an answer runs no scripts, loads nothing and is of no origin, so that it is not a part of this
 * service, and what it links to is not told its address, which can have a key in it.
 * https://w3c.github.io/webappsec-referrer-policy/#determine-requests-referrer
 */
const CONFINED = "sandbox; default-src 'none'";

/**
 * Films and sheets have no scripts, and Chrome shows neither in a sandbox. A 304 speaks of an answer that has its policy,
 * or none, already (RFC 9111, section 4.3.4).
 */
function isConfined({ status, headers = {} }: StreamedResponse<unknown>): boolean {
  return status !== 304 && !/^(video\/|application\/pdf)/.test(headers["Content-Type"] ?? "");
}
