// The state of a job, for its status route, its webhook and bulk responses.

import { hasContent } from "../captures/describe-output.ts";
import type { Environment } from "../platform/environment.ts";
import { linkSecret } from "../results/link-secret.ts";
import { unpackCapture } from "../results/packed-capture.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import { type AvailableResult, availableResults, type Job } from "./job.ts";
import { type JobState, jobState } from "./job-state.ts";

interface Description {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** True if the short texts of outputs are part of the state. */
  readonly withContent?: boolean;
}

/** The state of a job, with links to its results. */
export async function describeJob(
  job: Job,
  env: Pick<Environment, "ACCOUNTS_TABLE" | "RESULTS_BUCKET" | "BASE_URL">,
  { now, withContent = false }: Description,
): Promise<JobState> {
  const available = availableResults(job);
  const unpacking = Promise.all(available.map((result) => unpackResult(result, env)));
  const [unpacked, secret] =
    available.length > 0 ? await Promise.all([unpacking, linkSecret(env.ACCOUNTS_TABLE)]) : [[], ""];
  const results = new Map(unpacked.flatMap((entry) => (entry ? [entry] : [])));
  const state = jobState(job, { results, links: { baseUrl: env.BASE_URL, secret }, now });
  if (!withContent || !state.outputs) return state;
  const described = state.outputs.map(async (output) => {
    const stored = results.get(output.request_id - job.id);
    const content = stored && (await readContent(env.RESULTS_BUCKET, stored));
    return content === undefined ? output : { ...output, content };
  });
  return { ...state, outputs: await Promise.all(described) };
}

async function unpackResult(
  { result, index }: AvailableResult,
  { RESULTS_BUCKET }: Pick<Environment, "RESULTS_BUCKET">,
): Promise<readonly [index: number, result: StoredCapture] | undefined> {
  const stored = await unpackCapture(RESULTS_BUCKET, result.stored);
  return stored && [index, stored];
}

/** The text of a short document. Loads S3's client on demand, which other states do without. */
async function readContent(bucket: string, stored: StoredCapture): Promise<string | undefined> {
  if (!hasContent({ format: stored.format, sizeBytes: stored.size_bytes })) return undefined;
  const { readBody } = await import("../results/stored-capture-store.ts");
  return (await readBody(bucket, stored))?.toString();
}
