// Captures asynchronously: requests the capture, polls its state, cancels it, and loads its result.
import type { CaptureReport, CaptureState } from "../../../../clients/typescript/src/generated/types.ts";
import { apiBaseUrl } from "../service-address.ts";
import { contract } from "./contract.ts";
import { type Credential, credentialInit } from "./credential.ts";
import { SPARE_REQUESTS } from "./poll-delay.ts";
import type { RequestOptions } from "./request-options.ts";
import {
  type CaptureResponse,
  isTextType,
  loadReport,
  parseErrorBody,
  type RateLimit,
  readRateLimit,
  type ServiceError,
  sendCapture,
} from "./send-capture.ts";
import type { TimedPhase } from "./server-timing.ts";

export type { CaptureState };

/** Resolves to the id of the capture, or to the response that refuses it. Rejects with a `TypeError` when there is no response. */
export async function requestCapture(
  options: RequestOptions,
  credential: Credential,
): Promise<{ readonly requestId: number; readonly rateLimit: RateLimit | undefined } | CaptureResponse> {
  const response = await sendCapture({ ...options, async: true }, credential);
  if (response.status !== 202) return response;
  return { requestId: JSON.parse(response.text ?? "").request_id, rateLimit: response.rateLimit };
}

/** What a poll was answered: the state of the capture, or an error. */
export interface Poll {
  readonly state: CaptureState | undefined;
  readonly error: ServiceError | undefined;
  readonly status: number;
  readonly rateLimit: RateLimit | undefined;
  /** Milliseconds for which the service asks to wait. */
  readonly retryAfterMs: number;
}

/** Rejects with a `TypeError` when there is no response. */
export async function pollCapture(requestId: number, credential: Credential): Promise<Poll> {
  const response = await fetch(addressOf(requestId), credentialInit(credential));
  const { headers, status, ok } = response;
  const text = await response.text();
  return {
    state: ok ? JSON.parse(text) : undefined,
    error: ok ? undefined : parseErrorBody(text, status),
    status,
    rateLimit: readRateLimit(headers),
    retryAfterMs: Number(headers.get("retry-after") ?? 0) * 1000,
  };
}

/** Cancels a capture, whose state then says how it ended. Resolves to false if the service didn't take the request. */
export async function cancelCapture(requestId: number, credential: Credential): Promise<boolean> {
  try {
    return (await fetch(addressOf(requestId), { ...credentialInit(credential), method: "DELETE" })).ok;
  } catch {
    return false;
  }
}

const addressOf = (requestId: number) => `${apiBaseUrl}/api/v1/screenshot/${requestId}`;

export interface Received {
  readonly sent: RequestOptions;
  readonly credential: Credential;
  /** When the capture was requested, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly rateLimit: RateLimit | undefined;
  /** Ends the download of the result. */
  readonly signal: AbortSignal;
}

/** The outcome of a capture that has ended, as a synchronous request would have received it. */
export async function receiveCapture(
  state: CaptureState,
  { sent, credential, startedAt, rateLimit, signal }: Received,
): Promise<CaptureResponse> {
  const phases = loadPhases(state, credential, rateLimit); // the result is shown before they are known
  const type = state.outputs ? "application/json" : (state.mime_type ?? "");
  const result = state.outputs ? new Blob([JSON.stringify(state)], { type }) : await loadResult(state.url, signal);
  const { error, warnings, problems, quality, metadata } = state;
  const { blocked } = metadata ?? {};
  return {
    status: error ? contract.statusOf(error.code) : 200,
    type: type.split(";")[0] ?? "",
    body: result ?? new Blob(),
    text: result && isTextType(type) ? await result.text() : undefined,
    error: error
      ? { ...error, docs: `${apiBaseUrl}/docs/errors#${error.code}` }
      : result
        ? undefined
        : unavailable(state),
    durationMs: Date.now() - startedAt,
    phases,
    warnings: warnings?.join(" "),
    blocked: blocked && JSON.stringify(blocked),
    problems: problems?.map(({ code }) => code).join(", "),
    quality: quality === undefined ? undefined : String(quality),
    loadReport: reportLoader(state, sent, credential),
    headers: [],
    state,
    rateLimit,
  };
}

function reportLoader(
  { request_id, error }: CaptureState,
  sent: RequestOptions,
  credential: Credential,
): (() => Promise<CaptureReport>) | undefined {
  return !error && sent["metadata_report"] === true ? () => loadReport(String(request_id), credential) : undefined;
}

/** The result from this page's own address: links can have another one, which the page's policy forbids. Undefined if it can't be loaded. */
export async function loadResult(url: string | null | undefined, signal?: AbortSignal): Promise<Blob | undefined> {
  if (typeof url !== "string") return undefined;
  const { pathname, search } = new URL(url);
  const path = pathname.slice(pathname.indexOf("/storage/"));
  try {
    const response = await fetch(`${apiBaseUrl}${path}${search}`, { credentials: "omit", ...(signal && { signal }) });
    return response.ok ? await response.blob() : undefined;
  } catch {
    return undefined; // one that is too large is redirected to the bucket
  }
}

function unavailable({ url }: CaptureState): NonNullable<CaptureResponse["error"]> {
  return {
    error: "The capture succeeded, but this page can’t load its result.",
    ...(typeof url === "string" && { link: url }),
  };
}

/** In the order of a capture. */
const phaseNames = ["browser", "navigate", "settle", "capture", "encode", "store"];

/** The phases of the capture from its log, which takes one more request: none if few are left, or if the key may not read the log. */
async function loadPhases(
  { request_id }: CaptureState,
  credential: Credential,
  rateLimit: RateLimit | undefined,
): Promise<TimedPhase[]> {
  if (rateLimit && rateLimit.remaining <= SPARE_REQUESTS) return [];
  try {
    const response = await fetch(`${apiBaseUrl}/api/v1/usage/${request_id}`, credentialInit(credential));
    if (!response.ok) throw new Error(parseErrorBody(await response.text(), response.status).error);
    const { phases } = (await response.json()) as { phases: Record<string, number> };
    return phaseNames.flatMap((name) => {
      const milliseconds = phases[name];
      return milliseconds === undefined ? [] : [{ name, milliseconds }];
    });
  } catch {
    return [];
  }
}
