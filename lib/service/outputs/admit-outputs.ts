// Admits a request with `outputs`: as a capture is admitted, but with a reservation of quota for each output, or for none.

import { engineOptions } from "../../contract/options/engine-options.ts";
import { outputsResponseType } from "../../contract/options/outputs.ts";
import { plans } from "../../contract/plans.ts";
import type { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import type { Caller } from "../account/account.ts";
import { requireScope } from "../account/authenticate.ts";
import { readQuotaRemaining } from "../billing/quota-remaining.ts";
import { type AdmissionResources, authenticateCapture } from "../captures/admit-capture.ts";
import { startSynchronousCapture } from "../captures/capture-concurrency.ts";
import { captureRequest } from "../captures/capture-request.ts";
import { requireSigningKey } from "../captures/signing-key.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { enforceRateLimit } from "../http/authorize.ts";
import type { OutputsRequest, ParsedOutputs } from "./output-request.ts";
import { releaseAll, reserveAll } from "./outputs-quota.ts";
import { findAllCached, isAsync, type PlannedOutput, planOutputs } from "./plan-outputs.ts";

export interface OutputsAdmission {
  /** Rejects when the options are invalid, of which only an authenticated caller learns. */
  readonly parsing: Promise<ParsedOutputs>;
  readonly clock: PhaseClock;
}

/**
 * Admits a request with `outputs`, which counts against the rate limit as often as the page is to be loaded. Throws the first of
 * `UNAUTHORIZED`, `RATE_LIMITED`, `FORBIDDEN`, the errors of its options, and `CAPACITY`. Without quota for all outputs, it is admitted, since cached results are free.
 */
export async function admitOutputs(
  request: ApiRequest,
  { parsing, clock }: OutputsAdmission,
  env: AdmissionResources,
): Promise<OutputsRequest> {
  parsing.catch(() => undefined); // reported below, after authentication
  const planningLoads = plannedLoads(parsing);
  const caller = await authenticateCapture(request, false, env);
  const { receivedAt, requestId, sourceIp, startedAt } = request;
  const planning = planPermitted(caller, parsing);
  const reserving = planning.then((outputs) => reserveAll(outputs, { caller, receivedAt }, env));
  const delivery = { startedAt, maxBodyBytes: env.MAX_STREAMED_RESULT_BYTES, job: undefined };
  const looking = planning.then((outputs) =>
    findAllCached(
      outputs.map((output) => ({ ...output, ...delivery })),
      env,
    ),
  );
  const counting = planningLoads.then((cost) => enforceRateLimit(request, caller, env, cost));
  const readingQuota = reserving.then((reservations) =>
    readQuotaRemaining(reservations, plans[caller.account.plan], env),
  );
  await Promise.allSettled([counting, reserving, looking, readingQuota]);
  try {
    const requests = await counting;
    const planned = await planning;
    const [reservations, cached] = [await reserving, await looking];
    const { account } = caller;
    const isImmediate = cached !== undefined || isAsync(planned);
    const running = isImmediate
      ? undefined
      : await startSynchronousCapture({ account, requests, now: Date.now() }, env);
    const size = planned.length;
    const outputs = planned.flatMap(({ name, ...output }, index) => {
      const reservation = reservations[index];
      const group = { id: requestId, output: name, size };
      const facts = { caller, requestId: requestId + index, sourceIp, clock, group };
      return reservation ? [{ name, capture: captureRequest({ ...facts, reservation, ...output, ...delivery }) }] : [];
    });
    const { rawOptions } = await parsing;
    const quotaRemaining = await readingQuota;
    return { outputs, rawOptions, responseType: outputsResponseType(rawOptions), cached, running, quotaRemaining };
  } catch (error) {
    await releaseAll(await reserving.catch(() => []));
    throw error;
  }
}

/**
 * How many loads of the page the outputs are planned to need; 1 for a request that is refused. Loads the engine's planner on demand, which
 * reads options alone.
 */
async function plannedLoads(parsing: Promise<ParsedOutputs>): Promise<number> {
  const parsed = await parsing.catch(() => undefined); // reported by the admission
  if (!parsed) return 1;
  const { planLoads } = await import("../../engine/pipeline/plan/plan-loads.ts");
  return planLoads(parsed.outputs.map(({ options }) => ({ options: engineOptions(options) }))).length;
}

/** The outputs of a caller that may capture. Those of an asynchronous request have no cache yet: its job has it. */
async function planPermitted(caller: Caller, parsing: Promise<ParsedOutputs>): Promise<readonly PlannedOutput[]> {
  requireScope(caller, "capture");
  const { outputs } = await parsing;
  for (const { options } of outputs) requireSigningKey(caller, options);
  const planned = planOutputs(caller, outputs);
  return isAsync(planned) ? planned.map((output) => ({ ...output, cache: undefined })) : planned;
}
