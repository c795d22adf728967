// The work for a job with `outputs`: captures those that have not ended, and then ends the job.

import { ApiError } from "../../contract/errors/api-error.ts";
import { parseOutputs } from "../../contract/options/outputs.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { QuotaReservation } from "../billing/quota-reservation.ts";
import { type CaptureResources, captureRequest, elapsedMs } from "../captures/capture-request.ts";
import { endOutputsJob } from "../jobs/end-outputs-job.ts";
import { recordJobFailure } from "../jobs/fail-job.ts";
import { pendingCaptures } from "../jobs/job-captures.ts";
import type { ClaimedOptions, JobWork } from "../jobs/job-work.ts";
import { createOutputs } from "./create-outputs.ts";
import type { OutputRequest } from "./output-request.ts";
import { findAllCached, type PlannedOutput, planOutputs } from "./plan-outputs.ts";

/** The work for a job with `outputs`, of which an earlier attempt may have recorded some. Throws `VALIDATION_ERROR`. */
export function outputsWork(parts: ClaimedOptions, env: CaptureResources): JobWork {
  const { claimed, rawOptions, startedAt } = parts;
  const { job, lease, cancellation } = claimed;
  const planned = planOutputs(job.request.caller, parseOutputs(rawOptions));
  const outputs = outputRequests(planned, parts, env);
  const by = { holder: lease.holder };
  const fail = (error: ApiError) => recordJobFailure(job, { error, responseTimeMs: elapsedMs({ startedAt }), by }, env);
  const create = async (creation: Parameters<JobWork["create"]>[0]) => {
    const cached = await findAllCached(
      outputs.map(({ capture }) => capture),
      env,
    );
    return createOutputs({ outputs, cached }, creation, env);
  };
  return {
    create: async (creation) => {
      try {
        if (outputs.length > 0) await create(creation);
      } catch (error) {
        if (!(error instanceof ApiError) || error.blame === "us" || cancellation.aborted) throw error;
        return fail(error); // it concerns all outputs, such as the address of a storage
      }
      await endOutputsJob(job, { by, responseTimeMs: elapsedMs({ startedAt }) }, env);
    },
    cancel: fail,
  };
}

/** The outputs that have not ended. Results are cached as a whole, if those that have ended have succeeded. */
function outputRequests(
  planned: readonly PlannedOutput[],
  { claimed, startedAt }: ClaimedOptions,
  env: CaptureResources,
): readonly OutputRequest[] {
  const { job } = claimed;
  const { caller, source_ip: sourceIp } = job.request;
  const facts = { caller, sourceIp, startedAt, clock: new PhaseClock(), maxBodyBytes: 0 };
  const usesCache = job.outputs.every((outcome) => outcome?.status !== "failed");
  return pendingCaptures(job).flatMap(({ output, requestId, allowance }) => {
    const plan = output && planned[output.index];
    if (!plan) return [];
    const { name, cache, ...options } = plan;
    const reservation = new QuotaReservation(allowance, env);
    const ending = { ...claimed, output: { index: output.index, loads: job.loads } };
    const capture = { ...facts, ...options, requestId, reservation, group: output.group, job: ending };
    return [{ name, capture: captureRequest({ ...capture, cache: usesCache ? cache : undefined }) }];
  });
}
