// The part of the canary that uses the service as customers do, by its public address: with name, certificate, firewall, API Gateway, and
// every quarter of an hour with an API key, tables, bucket, renderer, and queue.
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { createInternalKey } from "../account/internal-account.ts";
import type { Environment } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import { emitMetrics } from "../platform/metrics.ts";
import type { CheckOutcomes } from "../status/components.ts";
import { isPng } from "./canary.ts";
import { CHECKED_SIZE, checkOptions } from "./check-options.ts";

/** The canary's schedule; one of three runs captures. */
const RUN_MS = 5 * 60_000;
const RUNS_PER_CAPTURE = 3;
const HEALTH_TIMEOUT_MS = 15_000;
/** Less than the canary's own 60 seconds; a capture that takes as long is a failure. */
const CAPTURE_TIMEOUT_MS = 40_000;
const POLL_MS = 1_000;

type ApiCanaryResources = Pick<Environment, "ACCOUNTS_TABLE" | "BASE_URL">;

/** Which of the checks of the status page this part of the canary makes. */
type ApiOutcomes = Pick<CheckOutcomes, "website" | "api" | "asynchronous">;

/** Whether the run at `now` (milliseconds since 1970) is the one of a quarter of an hour that captures. */
export function isCaptureDue(now: number): boolean {
  return Math.floor(now / RUN_MS) % RUNS_PER_CAPTURE === 0;
}

/**
 * Sends requests, with captures if `captures` says so, and emits whether those that are answered at once were answered right: how long the
 * queue is has alarms of its own. Never rejects.
 */
export async function runApiCanary(
  env: ApiCanaryResources,
  { captures }: { readonly captures: boolean },
): Promise<ApiOutcomes> {
  const succeeds = (check: Promise<void>) =>
    check.then(
      () => true,
      (error) => {
        logError("canary of the API failed", error);
        return false;
      },
    );
  const [website, api, asynchronous] = await Promise.all([
    succeeds(checkHealth(env)),
    captures ? succeeds(checkCapture(env)) : undefined,
    captures ? succeeds(checkAsynchronousCapture(env)) : undefined,
  ]);
  emitMetrics({ ApiCanarySuccess: website && api !== false ? 1 : 0 }, { captured: captures });
  return { website, ...(api !== undefined && { api }), ...(asynchronous !== undefined && { asynchronous }) };
}

async function checkHealth({ BASE_URL }: ApiCanaryResources): Promise<void> {
  const response = await fetch(`${BASE_URL}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
  const { status } = (await response.json()) as { readonly status?: string };
  if (response.status !== 200 || status !== "ok") throw new Error(`/health was answered with ${response.status}.`);
}

/** A capture as a customer makes it, which is stored in the cache and billed to no one. Rejects where it isn't answered with the picture. */
async function checkCapture(env: ApiCanaryResources): Promise<void> {
  const signal = AbortSignal.timeout(CAPTURE_TIMEOUT_MS);
  const response = await postCapture(env, await createInternalKey(env.ACCOUNTS_TABLE), { options: {}, signal });
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200)
    throw new Error(`A capture was answered with ${response.status}: ${body.subarray(0, 500)}`);
  if (!isPng(body, CHECKED_SIZE)) throw new Error("A capture was answered with a wrong picture.");
}

/** An asynchronous capture, from its request until its state is that it has succeeded. Rejects where it takes too long. */
async function checkAsynchronousCapture(env: ApiCanaryResources): Promise<void> {
  const key = await createInternalKey(env.ACCOUNTS_TABLE);
  const signal = AbortSignal.timeout(CAPTURE_TIMEOUT_MS);
  const accepted = await postCapture(env, key, { options: { async: true }, signal });
  if (accepted.status !== 202) throw new Error(`An asynchronous capture was answered with ${accepted.status}.`);
  const { request_id } = (await accepted.json()) as { readonly request_id: number };
  for (;;) {
    await setTimeout(POLL_MS, undefined, { signal });
    const response = await fetch(`${env.BASE_URL}/api/v1/screenshot/${request_id}`, {
      headers: { Authorization: `Bearer ${key}` },
      signal,
    });
    const { status, ...state } = (await response.json()) as { readonly status?: string };
    if (status === "success") return;
    if (status !== "queued" && status !== "processing")
      throw new Error(`An asynchronous capture ended as ${status}: ${JSON.stringify(state).slice(0, 500)}`);
  }
}

interface CaptureCheck {
  /** In addition to those of every check. */
  readonly options: object;
  readonly signal: AbortSignal;
}

function postCapture({ BASE_URL }: ApiCanaryResources, key: string, check: CaptureCheck): Promise<Response> {
  return fetch(`${BASE_URL}/api/v1/screenshot`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ ...checkOptions(randomUUID()), ...check.options }),
    signal: check.signal,
  });
}
