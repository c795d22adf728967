// Deletes what a capture has stored, and keeps its log.
import * as v from "valibot";
import { removeCached } from "../captures/cache-store.ts";
import type { RouteCall } from "../http/define-route.ts";
import type { ApiResponse } from "../http/response.ts";
import { deleteJobResult } from "../jobs/delete-job-result.ts";
import { type AvailableResult, availableResults, type Job } from "../jobs/job.ts";
import { findJob } from "../jobs/job-store.ts";
import type { Environment } from "../platform/environment.ts";
import { unpackCapture } from "../results/packed-capture.ts";
import { deleteResult } from "../results/result-store.ts";
import { answerObject, deleteAnswer } from "../results/stored-answer.ts";
import { type CaptureDetails, CaptureDetailsSchema } from "./capture-details.ts";
import type { CaptureLog } from "./capture-log.ts";
import { fromLogItem } from "./capture-log-item.ts";
import { forgetStored } from "./log-update.ts";
import { loggedObjects } from "./logged-objects.ts";
import { findRequestedLog } from "./requested-log.ts";

type DeletionCall = RouteCall<"capture", unknown, "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "USAGE_RETENTION_DAYS">;
type DeletionResources = Pick<Environment, "ACTIVITY_TABLE" | "RESULTS_BUCKET">;

/**
 * Deletes the result, the report, and the thumbnail of a capture, its cache entry, and the stored response to its request. Those of a capture that the cache answered are of the capture that
 * made them: they stay, and this log alone no longer refers to them. The log is changed last, so that an interrupted deletion can be
 * repeated. Throws `NOT_FOUND` for a capture of another account.
 */
export async function deleteCapture(call: DeletionCall): Promise<ApiResponse<never>> {
  const { request, env } = call;
  const item = await findRequestedLog(call);
  const log = fromLogItem(item);
  const details = v.parse(CaptureDetailsSchema, item["details"] ?? {});
  const ended = log.asynchronous ? await findEndedJob(log, details, { env, now: request.receivedAt }) : undefined;
  if (ended) await deleteJobResult(ended.job, ended.stored, env);
  else {
    const { answer, result } = details;
    const accountId = log.user_id;
    if (answer) await deleteAnswer(env.ACTIVITY_TABLE, accountId, answer, request.receivedAt);
    if (result?.cached) await removeCached(env.ACTIVITY_TABLE, { accountId, key: result.cached.key }, result.key);
    const objects = log.cached ? (answer ? [answerObject(answer)] : []) : loggedObjects(item);
    await Promise.all(objects.map((key) => deleteResult(env.RESULTS_BUCKET, key)));
    await forgetStored(env.ACTIVITY_TABLE, log, details);
  }
  return { status: 204, headers: { "Cache-Control": "no-store" } };
}

/** The job of a log, if its result is still there: the ids of a job and its log differ when they were taken in the same millisecond. */
async function findEndedJob(
  { user_id, id, group_id }: Pick<CaptureLog, "user_id" | "id" | "group_id">,
  { result }: CaptureDetails,
  { env, now }: { readonly env: DeletionResources; readonly now: number },
): Promise<{ readonly job: Job; readonly stored: AvailableResult } | undefined> {
  const job = await findJob(env.ACTIVITY_TABLE, { account_id: user_id, id: group_id ?? id }, now);
  if (!job || !result) return undefined;
  for (const stored of availableResults(job)) {
    const capture = await unpackCapture(env.RESULTS_BUCKET, stored.result.stored);
    if (capture?.key === result.key) return { job, stored };
  }
  return undefined;
}
