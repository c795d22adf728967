// Sends a capture and reads its response: status, headers, and the body as a blob.
import type { CaptureReport, CaptureState, ErrorBody } from "../../../../clients/typescript/src/generated/types.ts";
import { apiBaseUrl } from "../service-address.ts";
import { type Credential, credentialInit } from "./credential.ts";
import type { RequestOptions } from "./request-options.ts";
import { parseServerTiming, type TimedPhase } from "./server-timing.ts";

export interface ServiceError extends Pick<ErrorBody, "error" | "problems" | "target" | "docs"> {
  readonly code?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryable?: boolean;
  /** Seconds for which the service asks to wait. */
  readonly retryAfterS?: number;
  /** Where the result can be opened that this page can't load. */
  readonly link?: string;
}

export interface CaptureResponse {
  readonly status: number;
  readonly type: string;
  readonly body: Blob;
  /** Text of a body that is a text; undefined for others. */
  readonly text: string | undefined;
  readonly error: ServiceError | undefined;
  /** From sending to the last byte, in milliseconds. */
  readonly durationMs: number;
  /** Resolves to none if they are unknown. Never rejects. */
  readonly phases: Promise<readonly TimedPhase[]>;
  readonly warnings: string | undefined;
  readonly blocked: string | undefined;
  /** Codes of what looks wrong in the result; undefined if nothing does. */
  readonly problems: string | undefined;
  readonly quality: string | undefined;
  /** Loads the report of a capture that stored one; undefined for others. */
  readonly loadReport: (() => Promise<CaptureReport>) | undefined;
  /** Empty for a capture that was asynchronous. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The state of a capture that was asynchronous; undefined for others. */
  readonly state: CaptureState | undefined;
  readonly rateLimit: RateLimit | undefined;
}

export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
}

/** Rejects with an `AbortError` when `signal` aborts, and with a `TypeError` when there is no response. */
export async function sendCapture(
  options: RequestOptions,
  credential: Credential,
  signal?: AbortSignal,
): Promise<CaptureResponse> {
  const startedAt = performance.now();
  const { headers: authorization, credentials } = credentialInit(credential);
  const response = await fetch(`${apiBaseUrl}/api/v1/screenshot`, {
    method: "POST",
    headers: { ...authorization, "Content-Type": "application/json" },
    body: JSON.stringify(options),
    credentials,
    ...(signal && { signal }),
  });
  const { headers, status } = response;
  const type = headers.get("content-type") ?? "";
  const body = await response.blob();
  const text = isTextType(type) ? await body.text() : undefined;
  return {
    status,
    type: type.split(";")[0] ?? "",
    body,
    text,
    error: response.ok ? undefined : withRetryAfter(parseErrorBody(text, status), headers),
    durationMs: performance.now() - startedAt,
    phases: Promise.resolve(parseServerTiming(headers.get("server-timing") ?? "")),
    warnings: decoded(headers.get("x-warnings")),
    blocked: headers.get("x-blocked") ?? undefined,
    problems: headers.get("x-problems") ?? undefined,
    quality: headers.get("x-quality") ?? undefined,
    loadReport:
      response.ok && options["metadata_report"] === true
        ? () => loadReport(headers.get("x-request-id") ?? "", credential)
        : undefined,
    headers: [...headers].filter(([name]) => !name.startsWith("access-control-")),
    state: undefined,
    rateLimit: readRateLimit(headers),
  };
}

export function isTextType(type: string): boolean {
  return /^(text\/|application\/(json|problem)|multipart\/related|message\/)/.test(type);
}

/** Rejects if the report can't be read. */
export async function loadReport(requestId: string, credential: Credential): Promise<CaptureReport> {
  const response = await fetch(`${apiBaseUrl}/api/v1/screenshot/${requestId}/report`, credentialInit(credential));
  if (!response.ok) throw new Error(parseErrorBody(await response.text(), response.status).error);
  return response.json();
}

export function parseErrorBody(text: string | undefined, status: number): ServiceError {
  try {
    const error: unknown = JSON.parse(text ?? "");
    if (typeof error === "object" && error !== null && "error" in error) return error as ServiceError;
  } catch {}
  return { error: `The service answered with status ${status}.` };
}

function withRetryAfter(error: ServiceError, headers: Headers): ServiceError {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? { ...error, retryAfterS: seconds } : error;
}

function decoded(text: string | null): string | undefined {
  if (text === null) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // the header was truncated within a character
  }
}

export function readRateLimit(headers: Headers): RateLimit | undefined {
  const limit = headers.get("x-ratelimit-limit");
  const remaining = headers.get("x-ratelimit-remaining");
  return limit === null || remaining === null ? undefined : { limit: Number(limit), remaining: Number(remaining) };
}
