// Responses: what a handler returns, and the headers of every response.
import { Readable } from "node:stream";
import { type ApiError, errorBody } from "../../contract/errors/api-error.ts";
import type { ErrorBody } from "../../contract/errors/error-response.ts";
import { optionalVariable } from "../platform/environment.ts";
import { supportAddress } from "../platform/operator-identity.ts";
import type { ApiRequest } from "./api-request.ts";
import { transportSecurity } from "./transport-security.ts";

/** A response in one piece. `Json` is the type of what `body` says. */
export interface ApiResponse<Json = never> {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie` headers besides the one in `headers`. */
  readonly cookies?: readonly string[];
  readonly body?: Buffer | string;
  /** The type of the JSON in `body`, for the compiler alone: it is never set. `never` if the body is no JSON. */
  readonly [jsonBody]?: Json;
}

declare const jsonBody: unique symbol;

/** The response of a streaming handler, whose body may be a stream. */
export interface StreamedResponse<Json = never> extends Omit<ApiResponse<Json>, "body"> {
  readonly body?: ApiResponse["body"] | Readable;
}

/** The response in one piece. Throws for a body that is a stream. */
export function requireBuffered<Response extends Pick<StreamedResponse<unknown>, "body">>(
  response: Response,
): Response & Pick<ApiResponse<unknown>, "body"> {
  const { body } = response;
  if (body instanceof Readable) throw new Error("The response is a stream, and its route does not stream.");
  return response as Response & Pick<ApiResponse<unknown>, "body">;
}

/** The same response in one piece, which can be stored and replayed. Reads a body that is a stream. */
export async function buffered<Json>({ body, ...response }: StreamedResponse<Json>): Promise<ApiResponse<Json>> {
  if (body instanceof Readable) return { ...response, body: Buffer.concat(await body.toArray()) };
  return { ...response, ...(body && { body }) };
}

export interface CompleteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers with several lines, which are not in `headers`. */
  readonly multiValueHeaders?: Readonly<Record<string, string[]>>;
  readonly body: Buffer | string | Readable;
  /** Call it when the response is sent. Resolves when the invocation may end; never rejects. */
  readonly responded: () => Promise<void>;
}

/** A JSON response. It describes one moment, so caches must not store it. */
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

/** An error as JSON. `baseUrl` is the address of the service, whose documentation describes the error. */
export function errorResponse(
  error: ApiError,
  requestId: number,
  baseUrl = optionalVariable("BASE_URL"),
): ApiResponse<ErrorBody> {
  const docs = baseUrl === undefined ? {} : { docs: `${baseUrl}/docs/errors#${error.code}` };
  return json(error.status, { ...errorBody(error, requestId, supportAddress()), ...docs }, error.headers);
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
  "X-Error-Code",
  "X-Final-Url",
  "X-Image-Height",
  "X-Image-Width",
  "X-Page-Title",
  "X-Quota-Remaining",
  "X-RateLimit-Cost",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  "X-Response-Time",
  "X-Source-Status-Code",
  "X-Storage-Error",
  "X-Storage-Location",
  "X-Warnings",
  "X-Problems",
  "X-Quality",
];

/**
 * Adds the headers of every response, and removes the body of a response to HEAD. CORS is open to every origin where the key
 * is in the request. Where a cookie counts, no other origin may read the response, frame it or cache it.
 */
export function complete(
  response: StreamedResponse<unknown>,
  { method, requestId, startedAt, responseHeaders, responded, isPrivate }: ApiRequest,
  now: number,
): CompleteResponse {
  const { body = "" } = response;
  const isHead = method === "HEAD";
  const headers = {
    "X-Request-Id": String(requestId),
    "X-Response-Time": String(Math.round(now - startedAt)),
    "X-Content-Type-Options": "nosniff",
    ...transportSecurity(),
    ...(isSandboxed(response) && { "Content-Security-Policy": SANDBOX_CSP }),
    ...(!isPrivate && {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": exposedHeaders.join(", "),
    }),
    ...Object.fromEntries(responseHeaders),
    ...(isHead &&
      !(body instanceof Readable) &&
      body.length > 0 && { "Content-Length": String(Buffer.byteLength(body)) }),
    ...response.headers,
    ...(isPrivate && privateHeaders(response)),
  };
  return {
    status: response.status,
    ...separateCookies(headers, response.cookies),
    body: isHead ? "" : body,
    responded,
  };
}

/** Several cookies need several lines, which API Gateway takes apart from the other headers. */
function separateCookies(headers: Readonly<Record<string, string>>, further: readonly string[] = []) {
  if (further.length === 0) return { headers };
  const { "Set-Cookie": first, ...others } = headers;
  return {
    headers: others,
    multiValueHeaders: { "Set-Cookie": [...(first === undefined ? [] : [first]), ...further] },
  };
}

/** Headers of a response that depends on cookies. Of those, the browser alone keeps what never changes. */
function privateHeaders({ headers = {} }: StreamedResponse<unknown>): Record<string, string> {
  const isKept = /^private, .*immutable$/.test(headers["Cache-Control"] ?? "");
  return {
    ...(!isKept && { "Cache-Control": "no-store" }),
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
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
function isSandboxed({ status, headers = {} }: StreamedResponse<unknown>): boolean {
  return status !== 304 && !/^(video\/|application\/pdf)/.test(headers["Content-Type"] ?? "");
}
