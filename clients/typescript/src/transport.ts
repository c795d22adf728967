// HTTP transport: sends requests with the API key, and retries those that can succeed later.
import { ApiError, ConnectionError, ScreenCaptureError } from "./api-error.ts";
import { withDeadline } from "./deadline.ts";
import { errorFromResponse } from "./error-from.ts";
import { retryDelayMs, sleep } from "./retry-delay.ts";

/** Longer than the service takes for a capture: 90 seconds, and a retry. */
const DEFAULT_TIMEOUT_MS = 200_000;
const DEFAULT_RETRIES = 2;

export interface CallOptions {
  /** Cancels the call. The service finishes a capture that it has begun, and bills it: see `timeoutMs`. */
  readonly signal?: AbortSignal;
  /**
   * Time limit of the whole call with its retries, in milliseconds. A capture that takes longer is finished and billed all the
   * same; the same request with the same `idempotencyKey` gets its result for free. @default 200,000
   */
  readonly timeoutMs?: number;
  /** How often an error that is `retryable` is retried. @default 2 */
  readonly retries?: number;
  /** Name of a `POST`, so that the service runs it once. @default a random one, unless `retries` is 0 */
  readonly idempotencyKey?: string;
}

export interface TransportSettings {
  /** API key, `cap_…`, or one for tests, `cap_test_…`. Links and webhooks don't need it. */
  readonly key?: string | undefined;
  /** Address of the service, such as `https://api.example.com`. It's required; `undefined` throws. */
  readonly baseUrl: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** A response that was read to its end. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface ApiCall extends CallOptions {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Relative to the base URL. */
  readonly path: string;
  readonly query?: object;
  readonly body?: object;
}

export class Transport {
  readonly baseUrl: string;
  readonly #key: string | undefined;
  readonly #fetch: typeof fetch;

  /** Throws a `ScreenCaptureError` for a base URL or a key that no request could use. */
  constructor({ key, baseUrl, fetch: send = fetch }: TransportSettings) {
    this.baseUrl = parseBaseUrl(baseUrl);
    this.#key = key && parseKey(key);
    this.#fetch = (...request) => send(...request); // a browser's fetch must be called as a plain function
  }

  /** Sends a call and resolves to the parsed JSON of its response. */
  async json<T>(call: ApiCall): Promise<T> {
    return parseJson<T>(await this.send(call));
  }

  /** Sends a call. Throws a `ScreenCaptureError`, or the reason of `signal`. */
  async send({
    signal,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    retries = DEFAULT_RETRIES,
    ...call
  }: ApiCall): Promise<Received> {
    const request = this.#request(call, retries);
    return withDeadline({ task: `${call.method} ${call.path}`, timeoutMs, signal }, async (either) => {
      for (let attempt = 0; ; attempt++) {
        const outcome = await this.#attempt(call, { ...request, signal: either });
        if (!(outcome instanceof ScreenCaptureError)) return outcome;
        if (!canRetry(outcome) || attempt >= retries) throw outcome;
        await sleep(retryDelayMs(outcome, attempt), either);
      }
    });
  }

  #request({ method, body, idempotencyKey }: ApiCall, retries: number): RequestInit {
    if (!this.#key) throw new ScreenCaptureError("This call needs the 'key' of the client: an API key, cap_….");
    const name = idempotencyKey ?? (retries > 0 ? crypto.randomUUID() : undefined);
    return {
      method,
      headers: {
        Authorization: `Bearer ${this.#key}`,
        ...(body && { "Content-Type": "application/json" }),
        ...(method === "POST" && name && { "Idempotency-Key": name }),
      },
      ...(body && { body: JSON.stringify(body) }),
    };
  }

  /** Resolves to the response, or to the error that it is. */
  async #attempt({ path, query }: ApiCall, request: RequestInit): Promise<Received | ScreenCaptureError> {
    try {
      const response = await this.#fetch(`${this.baseUrl}${path}${queryString(query)}`, request);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (response.ok) return { status: response.status, headers: response.headers, bytes };
      return errorFromResponse(response, decode(bytes));
    } catch (cause) {
      request.signal?.throwIfAborted();
      return new ConnectionError(`Can't reach ${this.baseUrl}. Is the service running?`, { retryable: true, cause });
    }
  }
}

/** `Retry-After` also comes with a conflict that ends: a request with the same `Idempotency-Key` is in progress. */
function canRetry(error: ScreenCaptureError): boolean {
  return error.retryable || (error instanceof ApiError && error.retryAfterS !== undefined);
}

function parseBaseUrl(baseUrl: string | undefined): string {
  if (baseUrl === undefined || !/^https?:\/\/[^/\s]/.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new ScreenCaptureError("'baseUrl' isn't a URL of a service, such as https://api.example.com.");
  }
  return baseUrl.replace(/\/+$/, "");
}

/** A header can't contain other characters, and fetch would report the whole value in its error. */
function parseKey(key: string): string {
  const trimmed = key.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new ScreenCaptureError("'key' isn't an API key: it looks like cap_…, without spaces.");
  }
  return trimmed;
}

export function parseJson<T>({ bytes }: Received): T {
  return JSON.parse(decode(bytes));
}

export function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function queryString(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
