// HTTP transport: sends requests with the API key, and retries those that can succeed later.
import { ConnectionError, ScreenCaptureError, TimeoutError } from "./api-error.ts";
import { errorFromResponse } from "./error-from.ts";
import { retryDelayMs, sleep } from "./retry-delay.ts";

/** Longer than the service takes for a capture: 90 seconds, and a retry. */
const DEFAULT_TIMEOUT_MS = 200_000;
const DEFAULT_RETRIES = 2;

export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Time limit of the whole call with its retries, in milliseconds. @default 200,000 */
  readonly timeoutMs?: number;
  /** How often an error that is `retryable` is retried. @default 2 */
  readonly retries?: number;
  /** Name of a `POST`, so that the service runs it once. @default a random one, unless `retries` is 0 */
  readonly idempotencyKey?: string;
}

export interface TransportSettings {
  /** API key, `cap_…`. Links and webhooks don't need it. */
  readonly key?: string;
  /** Address of the service, such as `https://api.example.com`. */
  readonly baseUrl: string;
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

  constructor({ key, baseUrl, fetch: send = fetch }: TransportSettings) {
    this.baseUrl = baseUrl.replace(/\/+$/, "");
    this.#key = key;
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
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const request = this.#request(call, retries);
    try {
      for (let attempt = 0; ; attempt++) {
        const outcome = await this.#attempt(call, { ...request, signal: either });
        if (!(outcome instanceof ScreenCaptureError)) return outcome;
        if (!outcome.retryable || attempt >= retries) throw outcome;
        await sleep(retryDelayMs(outcome, attempt), either);
      }
    } catch (error) {
      if (timeout.aborted && !signal?.aborted) {
        throw new TimeoutError(`${call.method} ${call.path} took longer than ${timeoutMs} ms. Raise 'timeoutMs'.`);
      }
      throw error;
    }
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

export function parseJson<T>({ bytes }: Received): T {
  return JSON.parse(decode(bytes));
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function queryString(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
