// HTTP transport: sends requests with the API key, and retries those that can succeed later.
import { ApiError, ConnectionError, ScreenCaptureError } from "./api-error.ts";
import { withDeadline } from "./deadline.ts";
import { environment, requireRuntime } from "./environment.ts";
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
  /**
   * How often an error that is `retryable` is retried, within `timeoutMs`, and a capture also within its option `timeout`. @default 2
   */
  readonly retries?: number;
  /** Called before each retry. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Name of a `POST`, so that the service runs it once. @default a random one, unless `retries` is 0 */
  readonly idempotencyKey?: string;
}

/** A retry that is about to begin. */
export interface Retry {
  /** Its number, from 2 on, and how many attempts there are at most. */
  readonly attempt: number;
  readonly attempts: number;
  /** Milliseconds until it begins. */
  readonly delayMs: number;
  /** Why the attempt before failed. */
  readonly error: ScreenCaptureError;
}

export interface TransportSettings {
  /** API key, `cap_…`, or one for tests, `cap_test_…`. Links and webhooks don't need it. @default SCREEN_CAPTURE_KEY of the environment */
  readonly key?: string | undefined;
  /** Address of the service, such as `https://api.example.com`. @default SCREEN_CAPTURE_URL of the environment */
  readonly baseUrl?: string | undefined;
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
  /** The option `timeout` of a capture for whose result the call waits, in seconds: the time of all attempts. NaN without it. */
  readonly captureTimeoutS?: number;
  /** Reads the body of a success piece by piece; `bytes` is empty then. What it throws is thrown as it is. */
  readonly readBody?: (body: ReadableStream<Uint8Array>) => Promise<void>;
}

export class Transport {
  readonly baseUrl: string;
  readonly #key: string | undefined;
  readonly #fetch: typeof fetch;

  /** Throws a `ScreenCaptureError` for a base URL or a key that no request could use. */
  constructor({
    key = environment("SCREEN_CAPTURE_KEY"),
    baseUrl = environment("SCREEN_CAPTURE_URL"),
    fetch: send = fetch,
  }: TransportSettings) {
    requireRuntime();
    this.baseUrl = parseBaseUrl(baseUrl, key);
    this.#key = key && parseKey(key);
    this.#fetch = (...request) => send(...request); // a browser's fetch must be called as a plain function
  }

  /** Sends a call and resolves to the parsed JSON of its response. */
  async json<T>(call: ApiCall): Promise<T> {
    return parseJson<T>(await this.send(call));
  }

  /** Sends a call. Throws a `ScreenCaptureError`, or the reason of `signal`; the last error if there is no time for another attempt. */
  async send({
    signal,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    retries = DEFAULT_RETRIES,
    onRetry,
    ...call
  }: ApiCall): Promise<Received> {
    const startedAt = Date.now();
    const endsAt = startedAt + timeoutMs;
    let request = this.#request(call, retries);
    return withDeadline({ task: `${call.method} ${call.path}`, timeoutMs, signal }, async (either) => {
      for (let attempt = 0; ; attempt++) {
        const outcome = await this.#attempt(call, { ...request, signal: either });
        if (!(outcome instanceof ScreenCaptureError)) return outcome;
        if (!canRetry(outcome) || attempt >= retries) throw outcome;
        const delayMs = retryDelayMs(outcome, attempt);
        const startsAt = Date.now() + delayMs;
        const next = nextCall(call, outcome, startsAt - startedAt);
        if (!next || startsAt >= endsAt) throw outcome;
        onRetry?.({ attempt: attempt + 2, attempts: retries + 1, delayMs, error: outcome });
        await sleep(delayMs, either);
        if (next !== call) request = this.#request(next, retries);
      }
    });
  }

  #request({ method, body, idempotencyKey }: ApiCall, retries: number): RequestInit {
    if (!this.#key)
      throw new ScreenCaptureError(
        "This call needs the 'key' of the client: an API key, cap_…. Pass it, or set SCREEN_CAPTURE_KEY.",
      );
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
  async #attempt({ path, query, readBody }: ApiCall, request: RequestInit): Promise<Received | ScreenCaptureError> {
    try {
      const response = await this.#fetch(`${this.baseUrl}${path}${queryString(query)}`, request);
      const { ok, status, headers, body } = response;
      const isStreamed = ok && readBody !== undefined && body !== null;
      if (isStreamed) await readBody(body);
      const bytes = new Uint8Array(isStreamed ? [] : await response.arrayBuffer());
      return ok ? { status, headers, bytes } : errorFromResponse(response, decode(bytes));
    } catch (cause) {
      if (cause instanceof ScreenCaptureError) throw cause;
      request.signal?.throwIfAborted();
      return new ConnectionError(`Can't reach ${this.baseUrl}. Is the service running?`, { retryable: true, cause });
    }
  }
}

/** `Retry-After` also comes with a conflict that ends: a request with the same `Idempotency-Key` is in progress. */
function canRetry(error: ScreenCaptureError): boolean {
  return error.retryable || (error instanceof ApiError && error.retryAfterS !== undefined);
}

/**
 * The call of the next attempt, which begins `elapsedMs` after the first one; undefined if the time of the capture is over then. The
 * service has ended a capture whose error it has told, so another one can have the rest of the time, under another name. After a lost
 * response the same request is sent again, to get its result.
 */
function nextCall(call: ApiCall, error: ScreenCaptureError, elapsedMs: number): ApiCall | undefined {
  const { captureTimeoutS = Number.NaN, body, idempotencyKey } = call;
  if (Number.isNaN(captureTimeoutS)) return call;
  const timeout = Math.floor(captureTimeoutS - elapsedMs / 1000);
  const { delay = 0 } = body as { readonly delay?: number | string };
  if (timeout < 1 || timeout <= Number(delay)) return undefined;
  const hasEnded = error instanceof ApiError && error.code !== "CONFLICT";
  return hasEnded && idempotencyKey === undefined ? { ...call, body: { ...body, timeout } } : call;
}

function parseBaseUrl(baseUrl: string | undefined, key: string | undefined): string {
  if (!baseUrl) {
    const noKey = key ? "" : " The API key is missing, too: pass 'key', or set SCREEN_CAPTURE_KEY.";
    throw new ScreenCaptureError(
      `The address of the service is missing: pass 'baseUrl', such as https://api.example.com, or set SCREEN_CAPTURE_URL.${noKey}`,
    );
  }
  if (!/^https?:\/\/[^/\s]/.test(baseUrl) || !URL.canParse(baseUrl)) {
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
