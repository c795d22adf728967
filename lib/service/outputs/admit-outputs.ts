// Admits a request with `outputs`: as a capture is admitted, but with a reservation of quota for each output, or for none.

import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { formatKind } from "../../contract/options/formats.ts";
import { type NamedOutput, outputsResponseType } from "../../contract/options/outputs.ts";
import type { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import type { Caller } from "../account/account.ts";
import { requireScope } from "../account/authenticate.ts";
import { type AdmissionResources, authenticateCapture } from "../captures/admit-capture.ts";
import { type CachePolicy, groupCachePolicies } from "../captures/cache-key.ts";
import { type CachedCapture, findCached } from "../captures/cache-lookup.ts";
import { startSynchronousCapture } from "../captures/capture-concurrency.ts";
import { captureRequest } from "../captures/capture-request.ts";
import { optionsFor } from "../captures/mark-capture.ts";
import { requireSigningKey } from "../captures/signing-key.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { enforceRateLimit } from "../http/authorize.ts";
import type { OutputsRequest, ParsedOutputs } from "./output-request.ts";
import { releaseAll, reserveAll } from "./outputs-quota.ts";

export interface OutputsAdmission {
  /** Rejects when the options are invalid, of which only an authenticated caller learns. */
  readonly parsing: Promise<ParsedOutputs>;
  readonly clock: PhaseClock;
}

/** What an output is, before its capture has quota. */
export interface PlannedOutput {
  readonly name: string;
  readonly options: CaptureOptions;
  readonly rawOptions: Readonly<Record<string, unknown>>;
  readonly cache: CachePolicy | undefined;
}

/**
 * Admits a request with `outputs`, which counts once against the rate limit. Throws the first of `UNAUTHORIZED`, `RATE_LIMITED`,
 * `FORBIDDEN`, the errors of its options, and `CAPACITY`. Without quota for all outputs, it is admitted, since cached results are free.
 */
export async function admitOutputs(
  request: ApiRequest,
  { parsing, clock }: OutputsAdmission,
  env: AdmissionResources,
): Promise<OutputsRequest> {
  parsing.catch(() => undefined); // reported below, after authentication
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
  const counting = enforceRateLimit(request, caller, env);
  await Promise.allSettled([counting, reserving, looking]);
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
    return { outputs, rawOptions, responseType: outputsResponseType(rawOptions), cached, running };
  } catch (error) {
    await releaseAll(await reserving.catch(() => []));
    throw error;
  }
}

/** The outputs of a caller that may capture. Those of an asynchronous request have no cache yet: its job has it. */
async function planPermitted(caller: Caller, parsing: Promise<ParsedOutputs>): Promise<readonly PlannedOutput[]> {
  requireScope(caller, "capture");
  const { outputs } = await parsing;
  for (const { options } of outputs) requireSigningKey(caller, options);
  const planned = planOutputs(caller, outputs);
  return isAsync(planned) ? planned.map((output) => ({ ...output, cache: undefined })) : planned;
}

/** True for the outputs of an asynchronous request. */
export function isAsync(outputs: readonly Pick<PlannedOutput, "options">[]): boolean {
  return outputs.some(({ options }) => options.async);
}

/** The outputs of a caller, with the cache policies that follow from all of them. */
export function planOutputs(caller: Caller, outputs: readonly NamedOutput[]): readonly PlannedOutput[] {
  const named = outputs.map(({ options, ...output }) => ({ ...output, options: optionsFor(options, caller) }));
  const policies = groupCachePolicies(named, caller.account.id);
  return named.map(({ options, ...output }, index) => ({
    ...output,
    options: measured(options),
    cache: policies?.[index],
  }));
}

/** The cached results of outputs, if all of them have one. */
export async function findAllCached(
  outputs: readonly Parameters<typeof findCached>[0][],
  env: Parameters<typeof findCached>[1],
): Promise<readonly CachedCapture[] | undefined> {
  const found = await Promise.all(outputs.map((output) => findCached(output, env)));
  const hits = found.flatMap((hit) => hit ?? []);
  return hits.length === found.length ? hits : undefined;
}

/** Every picture is measured, since its size is part of the response. */
function measured(options: CaptureOptions): CaptureOptions {
  const kind = formatKind(options.format);
  return kind === "image" || kind === "video" ? { ...options, metadata_image_size: true } : options;
}
