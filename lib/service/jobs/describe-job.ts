// The state of a job, for its status route, its webhook and bulk responses.

import type { ResponseBody } from "../http/response-fields.ts";
import type { Environment } from "../platform/environment.ts";
import { linkSecret } from "../results/link-secret.ts";
import { unpackCapture } from "../results/packed-capture.ts";
import type { Job } from "./job.ts";
import { jobState } from "./job-state.ts";
import type { CaptureState } from "./responses.ts";

/** The state of a job at `now` (milliseconds since 1970), with links to its result. */
export async function describeJob(
  job: Job,
  env: Pick<Environment, "ACCOUNTS_TABLE" | "RESULTS_BUCKET" | "BASE_URL">,
  now: number,
): Promise<ResponseBody<typeof CaptureState>> {
  const packed = job.result?.stored ?? undefined;
  const [stored, secret] = packed
    ? await Promise.all([unpackCapture(env.RESULTS_BUCKET, packed), linkSecret(env.ACCOUNTS_TABLE)])
    : [undefined, ""];
  return jobState(job, { stored, links: { baseUrl: env.BASE_URL, secret }, now });
}
