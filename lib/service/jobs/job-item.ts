// Reads a job from its item, and writes it: the one place that knows how the items of requests with and without `outputs` differ.
import * as v from "valibot";
import type { Job, JobOutput, OutputOutcome } from "./job.ts";
import { type JobItem, JobItemSchema } from "./job-schema.ts";

/** The job of an item. Throws for one that is no job. */
export function readJob(item: unknown): Job {
  const stored = v.parse(JobItemSchema, item);
  const { request, result: _, outputs: outcomes, ...job } = stored;
  const { allowance, format, outputs: requested, ...shared } = request;
  const group = (requested ?? []).map(({ name, ...output }, index): JobOutput => {
    return { ...output, group: { output: name, size: requested?.length ?? 0 }, outcome: outcomes[index] ?? null };
  });
  const [first = { allowance, format, options: {}, group: undefined, outcome: onlyOutcome(stored) }, ...others] = group;
  return { ...job, request: shared, outputs: [first, ...others] };
}

/** How the only output of a job without `outputs` has ended. */
function onlyOutcome({ status, result, from_cache, error }: JobItem): OutputOutcome | null {
  if (status === "success") return { status, result, from_cache: from_cache ?? false, error: null };
  return status === "failed" ? { status, result: null, from_cache: false, error } : null;
}

/** The item of a job, without its keys. */
export function toJobItem({ request, outputs, ...job }: Job): JobItem {
  const [{ allowance, format, outcome }] = outputs;
  const group = outputs.flatMap(({ group: place, outcome: ended, ...output }) =>
    place ? [{ requested: { name: place.output, ...output }, ended }] : [],
  );
  const requested = group.map((output) => output.requested);
  return {
    ...job,
    request: { ...request, allowance, format, ...(requested.length > 0 && { outputs: requested }) },
    result: requested.length > 0 ? null : (outcome?.result ?? null),
    outputs: group.map(({ ended }) => ended),
  };
}

/** The document paths of an output in the item of its job; `outcome` is undefined for an output whose job has its result. */
export function outputPaths({ outputs }: Pick<Job, "outputs">, index: number) {
  if (!outputs[index]?.group) return { outcome: undefined, result: "#result" };
  const outcome = `#outputs[${index}]`;
  return { outcome, result: `${outcome}.#result` };
}
