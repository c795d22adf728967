// A request about a job: its state, or the end of its result.
import { ApiError } from "../contract/errors.ts";
import { parseId } from "../contract/ids.ts";
import { parseNothing } from "../contract/parse-options.ts";
import { isOver, type Job } from "../jobs/job.ts";
import { jobState } from "../jobs/job-state.ts";
import { forgetResult } from "../jobs/job-store.ts";
import type { Environment } from "../platform/environment.ts";
import { linkSecret } from "../results/link-secret-store.ts";
import { deletePacked, unpack } from "../results/stored-capture-store.ts";
import { admit } from "./admission.ts";
import { type Answer, json } from "./answer.ts";
import { type ApiRequest, sentOptions } from "./api-request.ts";
import { requestedJob } from "./requested-job.ts";

type Places = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "BASE_URL">;

/** Throws `NOT_FOUND` for what is no job of the account, and `CONFLICT` for a job whose result cannot be deleted yet. */
export async function serveJob(request: ApiRequest, places: Places): Promise<Answer> {
  const { account } = await admit(request, "capture", places);
  parseNothing(sentOptions(request));
  const job = await requestedJob(
    { account_id: account.id, id: parseId(request.pathParameters.id ?? "") },
    request,
    places,
  );
  if (request.method === "GET") return json(200, await describeJob(job, places, request.receivedAt));
  await deleteResultOf(job, places);
  return { status: 204, headers: { "Cache-Control": "no-store" } };
}

/** The state of a job as its owner is told it at `now` (milliseconds since 1970), with links made for it. */
export async function describeJob(
  job: Job,
  places: Pick<Environment, "ACCOUNTS_TABLE" | "RESULTS_BUCKET" | "BASE_URL">,
  now: number,
): Promise<Record<string, unknown>> {
  const packed = job.result?.stored ?? undefined;
  const [stored, secret] = packed
    ? await Promise.all([unpack(places.RESULTS_BUCKET, packed), linkSecret(places.ACCOUNTS_TABLE)])
    : [undefined, ""];
  return jobState(job, { stored, links: { baseUrl: places.BASE_URL, secret }, now });
}

/** What its item says is deleted last, so that whatever is interrupted can be asked for again. */
async function deleteResultOf(job: Job, { ACTIVITY_TABLE, RESULTS_BUCKET }: Places): Promise<void> {
  if (!isOver(job)) {
    const message = `The capture is ${job.status}, so that it has no result to delete yet. Try again once it is over.`;
    throw new ApiError("CONFLICT", message);
  }
  if (!job.result?.stored) return;
  await deletePacked(RESULTS_BUCKET, job.result.stored);
  await forgetResult(ACTIVITY_TABLE, job);
}
