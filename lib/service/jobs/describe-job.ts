// The state of a job, for its status route, its webhook and bulk responses.

import type { ResponseBody } from "../http/response-fields.ts";
import { hasContent } from "../outputs/describe-output.ts";
import type { Environment } from "../platform/environment.ts";
import { linkSecret } from "../results/link-secret.ts";
import { unpackCapture } from "../results/packed-capture.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import { type AvailableResult, availableResults, type Job } from "./job.ts";
import { jobState, type StoredResult } from "./job-state.ts";
import type { CaptureState } from "./responses.ts";

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
): Promise<ResponseBody<typeof CaptureState>> {
  const available = availableResults(job);
  const unpacking = Promise.all(available.map((result) => unpackResult(result, env, withContent)));
  const [unpacked, secret] =
    available.length > 0 ? await Promise.all([unpacking, linkSecret(env.ACCOUNTS_TABLE)]) : [[], ""];
  const results = new Map(unpacked.flatMap((entry) => (entry ? [entry] : [])));
  return jobState(job, { results, links: { baseUrl: env.BASE_URL, secret }, now });
}

async function unpackResult(
  { result, output }: AvailableResult,
  { RESULTS_BUCKET }: Pick<Environment, "RESULTS_BUCKET">,
  withContent: boolean,
): Promise<readonly [output: number, result: StoredResult] | undefined> {
  const stored = await unpackCapture(RESULTS_BUCKET, result.stored);
  if (!stored) return undefined;
  const content = withContent && output !== undefined ? await readContent(RESULTS_BUCKET, stored) : undefined;
  return [output ?? 0, { stored, content }];
}

/** The text of a short document. Loads S3's client on demand, which other states do without. */
async function readContent(bucket: string, stored: StoredCapture): Promise<string | undefined> {
  if (!hasContent({ format: stored.format, sizeBytes: stored.size_bytes })) return undefined;
  const { readBody } = await import("../results/stored-capture-store.ts");
  return (await readBody(bucket, stored))?.toString();
}
