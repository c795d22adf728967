// The part of the canary that uses the service as customers do, by its public address: with name, certificate, firewall, API Gateway, and
// every quarter of an hour with an API key, tables, bucket, and renderer.
import { randomUUID } from "node:crypto";
import { createInternalKey } from "../account/internal-account.ts";
import type { Environment } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import { emitMetrics } from "../platform/metrics.ts";
import { isPng } from "./canary.ts";
import { CHECKED_SIZE, checkOptions } from "./check-options.ts";

/** The canary's schedule; one of three runs captures. */
const RUN_MS = 5 * 60_000;
const RUNS_PER_CAPTURE = 3;
const HEALTH_TIMEOUT_MS = 15_000;
/** Less than the canary's own 60 seconds; a capture that takes as long is a failure. */
const CAPTURE_TIMEOUT_MS = 40_000;

type ApiCanaryResources = Pick<Environment, "ACCOUNTS_TABLE" | "BASE_URL">;

/** Sends the requests that are due at `now` (milliseconds since 1970), and emits whether all were answered right. Never rejects. */
export async function runApiCanary(env: ApiCanaryResources, now: number): Promise<boolean> {
  const isCaptureDue = Math.floor(now / RUN_MS) % RUNS_PER_CAPTURE === 0;
  const checks = [checkHealth(env), ...(isCaptureDue ? [checkCapture(env)] : [])];
  const outcomes = await Promise.allSettled(checks);
  const failed = outcomes.filter((outcome) => outcome.status === "rejected");
  for (const { reason } of failed) logError("canary of the API failed", reason);
  emitMetrics({ ApiCanarySuccess: failed.length === 0 ? 1 : 0 }, { captured: isCaptureDue });
  return failed.length === 0;
}

async function checkHealth({ BASE_URL }: ApiCanaryResources): Promise<void> {
  const response = await fetch(`${BASE_URL}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
  const { status } = (await response.json()) as { readonly status?: string };
  if (response.status !== 200 || status !== "ok") throw new Error(`/health was answered with ${response.status}.`);
}

/** A capture as a customer makes it, which is stored in the cache and billed to no one. Rejects where it isn't answered with the picture. */
async function checkCapture({ BASE_URL, ACCOUNTS_TABLE }: ApiCanaryResources): Promise<void> {
  const key = await createInternalKey(ACCOUNTS_TABLE);
  const response = await fetch(`${BASE_URL}/api/v1/screenshot`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(checkOptions(randomUUID())),
    signal: AbortSignal.timeout(CAPTURE_TIMEOUT_MS),
  });
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200)
    throw new Error(`A capture was answered with ${response.status}: ${body.subarray(0, 500)}`);
  if (!isPng(body, CHECKED_SIZE)) throw new Error("A capture was answered with a wrong picture.");
}
