// Enqueues a request with `outputs` as one job.

import type { NamedOutput } from "../../contract/options/outputs.ts";
import type { RequestedCapture } from "../captures/capture-request.ts";
import { type EnqueueResources, enqueue } from "../jobs/enqueue.ts";
import type { Job } from "../jobs/job.ts";
import type { OutputJobRequest } from "../jobs/job-request.ts";
import { loggableOptions, loggedRequest } from "../usage/loggable-options.ts";
import { requireAllQuota, reserveAll } from "./outputs-quota.ts";

interface RequestedOutputs {
  readonly outputs: readonly { readonly name: string; readonly capture: RequestedCapture }[];
  /** The options of the request as they were sent. */
  readonly rawOptions: Readonly<Record<string, unknown>>;
}

/**
 * Enqueues a request with `outputs`. Resolves to its job, which takes over the quota reservations. Throws `QUOTA_EXCEEDED` when there
 * isn't quota for all outputs, and the errors of `enqueue`.
 */
export async function enqueueOutputs({ outputs, rawOptions }: RequestedOutputs, env: EnqueueResources): Promise<Job> {
  requireAllQuota(outputs);
  const [first] = outputs;
  if (!first) throw new Error("A request with outputs has none.");
  const { outputs: _, ...sharedOptions } = rawOptions;
  const shared = loggedRequest({ ...first.capture, rawOptions: sharedOptions });
  const requested = outputs.map(({ name, capture }): OutputJobRequest => {
    const { options, reservation } = capture;
    const own = ownOptions(loggableOptions(capture.rawOptions), shared.options);
    return { name, allowance: reservation.allowance, format: options.format, options: own };
  });
  const { allowance } = first.capture.reservation;
  const reservations = outputs.map(({ capture }) => capture.reservation);
  return enqueue(
    { ...first.capture, rawOptions, stored: { ...shared, allowance, outputs: requested }, reservations },
    env,
  );
}

/** Reserves quota for the outputs of a request, and enqueues it. Throws as `enqueueOutputs` does. */
export async function reserveAndEnqueue(
  outputs: readonly NamedOutput[],
  {
    receivedAt,
    rawOptions,
    ...facts
  }: Pick<RequestedCapture, "caller" | "requestId" | "sourceIp" | "rawOptions"> & { readonly receivedAt: number },
  env: EnqueueResources,
): Promise<Job> {
  const reserved = await reserveAll(outputs, { caller: facts.caller, receivedAt }, env);
  await using reservations = new AsyncDisposableStack();
  for (const reservation of reserved) reservations.use(reservation); // those that the job has not taken over
  const captures = outputs.flatMap(({ name, ...output }, index) => {
    const reservation = reserved[index];
    return reservation ? [{ name, capture: { ...facts, ...output, reservation } }] : [];
  });
  return await enqueueOutputs({ outputs: captures, rawOptions }, env);
}

/** The options that differ from the shared ones, which the job has once. */
function ownOptions(
  options: Readonly<Record<string, unknown>>,
  shared: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const differs = ([name, value]: readonly [string, unknown]) => JSON.stringify(value) !== JSON.stringify(shared[name]);
  return Object.fromEntries(Object.entries(options).filter(differs));
}
