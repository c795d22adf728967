// Deletes the result of a job; its bytes only with the last reference to them.
import { removeCached } from "../captures/cache-store.ts";
import type { Environment } from "../platform/environment.ts";
import { unpackCapture } from "../results/packed-capture.ts";
import { deletePackedCapture } from "../results/packed-capture-writes.ts";
import { removeReference } from "../results/reference-store.ts";
import { deleteResult } from "../results/result-store.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import { deleteStoredCapture } from "../results/stored-capture-store.ts";
import { forgetStored } from "../usage/log-update.ts";
import type { AvailableResult, Job } from "./job.ts";
import { clearResult } from "./job-store.ts";

type ResultResources = Pick<Environment, "ACTIVITY_TABLE" | "RESULTS_BUCKET">;

/**
 * Deletes a result of a job, with its report and its thumbnail. Cached bytes are deleted with the last job that refers to them,
 * together with the cache entry; those to which a synchronous response has a link stay until they expire. The log of the capture and
 * then the job are changed last, so that an interrupted deletion can be repeated.
 */
export async function deleteJobResult(
  job: Job,
  { result: { stored, cache_hash }, index }: AvailableResult,
  env: ResultResources,
): Promise<void> {
  const { ACTIVITY_TABLE, RESULTS_BUCKET } = env;
  const capture = await unpackCapture(RESULTS_BUCKET, stored);
  if (capture && cache_hash === null) await deleteStoredCapture(RESULTS_BUCKET, capture);
  if (capture && cache_hash !== null) await deleteUnreferenced(job, { capture, cacheKey: cache_hash }, env);
  await deletePackedCapture(RESULTS_BUCKET, stored);
  const log = { user_id: job.account_id, id: job.id + index };
  if (capture) await forgetStored(ACTIVITY_TABLE, log, { result: capture, report: capture.report });
  await clearResult(ACTIVITY_TABLE, job, index);
}

async function deleteUnreferenced(
  { account_id: accountId, id }: Job,
  { capture, cacheKey }: { readonly capture: StoredCapture; readonly cacheKey: string },
  { ACTIVITY_TABLE, RESULTS_BUCKET }: ResultResources,
): Promise<void> {
  const last = await removeReference(ACTIVITY_TABLE, { accountId, key: capture.key }, id);
  if (!last) return;
  await removeCached(ACTIVITY_TABLE, { accountId, key: cacheKey }, capture.key);
  await deleteStoredCapture(RESULTS_BUCKET, capture);
  if (last.cachedFacts !== undefined) await deleteResult(RESULTS_BUCKET, last.cachedFacts);
}
