// Requests of the smoke test, as a customer's program sends them.
import type { LoggedCapture } from "./capture-log.ts";

/** A check found something else than it should: the message says what. */
export class SmokeFailure extends Error {}

/** A check can't be made against this service: the message says why. */
export class NotTried extends Error {}

export interface SmokeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** The body as JSON. Throws `SmokeFailure` for any other body. */
  json(): Record<string, unknown>;
}

export interface SmokeTarget {
  /** Public address of the service without a trailing slash. */
  readonly baseUrl: string;
  /** An API key with the scopes `capture` and `usage`. */
  readonly key: string;
  /** What the functions log of captures; undefined where only the address is known. */
  readonly log?: LoggedCapture | undefined;
  /** How long an asynchronous capture may take, with its wait. @default two minutes */
  readonly jobWaitMs?: number;
}

export class SmokeClient {
  readonly baseUrl: string;
  readonly log: LoggedCapture | undefined;
  readonly jobWaitMs: number;
  readonly #key: string;

  constructor({ baseUrl, key, log, jobWaitMs = 120_000 }: SmokeTarget) {
    this.baseUrl = baseUrl;
    this.log = log;
    this.jobWaitMs = jobWaitMs;
    this.#key = key;
  }

  get(path: string): Promise<SmokeResponse> {
    return this.#send(path, { headers: { Authorization: `Bearer ${this.#key}` } });
  }

  getWithoutKey(path: string): Promise<SmokeResponse> {
    return this.#send(path, {});
  }

  capture(options: Readonly<Record<string, unknown>>): Promise<SmokeResponse> {
    return this.post("/api/v1/screenshot", options);
  }

  post(path: string, body: unknown): Promise<SmokeResponse> {
    const headers = { Authorization: `Bearer ${this.#key}`, "Content-Type": "application/json" };
    return this.#send(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  async #send(path: string, init: RequestInit): Promise<SmokeResponse> {
    const url = /^https?:/.test(path) ? path : `${this.baseUrl}${path}`;
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const body = Buffer.from(await response.arrayBuffer());
    const { status, headers } = response;
    return {
      status,
      headers,
      body,
      json() {
        try {
          return JSON.parse(body.toString());
        } catch {
          throw new SmokeFailure(`Expected JSON from ${path}, not ${describe({ status, body })}.`);
        }
      },
    };
  }
}

/** Longer than any function of the service runs. */
const REQUEST_TIMEOUT_MS = 150_000;

/** Throws `SmokeFailure` for another status, with the error that the service answered. */
export function requireStatus(response: SmokeResponse, ...expected: readonly number[]): void {
  if (expected.includes(response.status)) return;
  throw new SmokeFailure(`Expected status ${expected.join(" or ")}, not ${describe(response)}.`);
}

function describe({ status, body }: Pick<SmokeResponse, "status" | "body">): string {
  return `${status}: ${body.toString().slice(0, 300)}`;
}
