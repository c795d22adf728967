// Requests of signed-in pages: the browser's session is the credential, and errors are in the API's own shape.
import type { ErrorBody } from "../../../../clients/typescript/src/generated/types.ts";
import { apiBaseUrl } from "../service-address.ts";
import { parseJson } from "../shared/parse-json.ts";

export type HttpMethod = "GET" | "POST" | "PATCH" | "DELETE";

/** An answer that is no success. */
export class RequestError extends Error {
  override name = "RequestError";
  /** 0 when there was no answer. */
  readonly status: number;
  /** The error code of the API; undefined when there was no answer, or one of something else. */
  readonly code: string | undefined;
  /** How often a code can still be tried; undefined for an error of anything else. */
  readonly triesLeft: number | undefined;
  /** When the service takes such a request again, in milliseconds since 1970, if it says so. */
  readonly retryAt: number | undefined;

  constructor(status: number, body: Partial<ErrorBody>, retryAfterSeconds: number | undefined = undefined) {
    super(body.error ?? (status === 0 ? UNREACHABLE : `The service answered with status ${status}.`));
    const { tries_left } = (body.details ?? {}) as { readonly tries_left?: number };
    this.status = status;
    this.code = body.code;
    this.triesLeft = tries_left;
    this.retryAt = retryAfterSeconds === undefined ? undefined : Date.now() + retryAfterSeconds * 1000;
  }
}

const UNREACHABLE = "The service can’t be reached. Check your connection.";

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Send = typeof send;

/**
 * Sends a request to a path below the base URL, and resolves to the JSON of the answer; undefined for one without a body.
 * Rejects with `RequestError`, and with an `AbortError` when the signal aborts.
 */
export async function send<Answer = void>(
  method: HttpMethod,
  path: string,
  body?: Readonly<Record<string, unknown>>,
  { signal, headers = {} }: SendOptions = {},
): Promise<Answer> {
  const response = await fetchAnswer(method, path, body, { signal, headers });
  const text = await response.text();
  const answer = parseJson(text);
  if (!response.ok) throw new RequestError(response.status, isObject(answer) ? answer : {}, retryAfter(response));
  return answer as Answer;
}

function retryAfter({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

async function fetchAnswer(
  method: HttpMethod,
  path: string,
  body: Readonly<Record<string, unknown>> | undefined,
  { signal, headers }: SendOptions,
): Promise<Response> {
  try {
    return await fetch(`${apiBaseUrl}${path}`, {
      method,
      credentials: "same-origin",
      headers: { ...headers, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestError(0, {});
  }
}

function isObject(value: unknown): value is Record<string, never> {
  return typeof value === "object" && value !== null;
}
