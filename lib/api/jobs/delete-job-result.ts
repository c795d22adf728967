// Deletes the result of a job, with its bytes unless others refer to them.
import { removeCached } from "../../captures/cache-store.ts";
import type { Job, JobResult } from "../../jobs/job.ts";
import { clearResult } from "../../jobs/job-store.ts";
import type { Environment } from "../../platform/environment.ts";
import { unpackCapture } from "../../results/packed-capture.ts";
import { deletePackedCapture } from "../../results/packed-capture-writes.ts";
import { removeReference } from "../../results/reference-store.ts";
import { deleteResult } from "../../results/result-store.ts";
import type { StoredCapture } from "../../results/stored-capture.ts";
import { deleteCapture } from "../../results/stored-capture-store.ts";

type Places = Pick<Environment, "ACTIVITY_TABLE" | "RESULTS_BUCKET">;

/**
 * Deletes the result of a job. Bytes that the cache has are deleted with the last job that refers to them, together with
 * the cache entry; those that a synchronous request made or was given a link to stay until they expire. The job's item is
 * changed last, so that an interrupted deletion can be repeated.
 */
export async function deleteJobResult(job: Job, { stored, cache_hash }: JobResult, places: Places): Promise<void> {
  const { ACTIVITY_TABLE, RESULTS_BUCKET } = places;
  const capture = await unpackCapture(RESULTS_BUCKET, stored);
  if (capture && cache_hash === null) await deleteCapture(RESULTS_BUCKET, capture);
  if (capture && cache_hash !== null) await deleteUnreferenced(job, { capture, hash: cache_hash }, places);
  await deletePackedCapture(RESULTS_BUCKET, stored);
  await clearResult(ACTIVITY_TABLE, job);
}

async function deleteUnreferenced(
  { account_id: accountId, id }: Job,
  { capture, hash }: { readonly capture: StoredCapture; readonly hash: string },
  { ACTIVITY_TABLE, RESULTS_BUCKET }: Places,
): Promise<void> {
  const last = await removeReference(ACTIVITY_TABLE, { accountId, key: capture.key }, id);
  if (!last) return;
  await removeCached(ACTIVITY_TABLE, { accountId, hash }, capture.key);
  await deleteCapture(RESULTS_BUCKET, capture);
  if (last.cachedFacts !== undefined) await deleteResult(RESULTS_BUCKET, last.cachedFacts);
}
