// Lists the jobs of an account, newest first, from the place where the last list ended.
import { queryFirst } from "../aws/items.ts";
import { findNewestFirst, READ_AT_ONCE } from "../aws/newest-first.ts";
import { jobKey } from "../aws/table-keys.ts";
import { isJobExpired, type Job } from "./job.ts";
import { readJob } from "./job-item.ts";
import type { JobStatus } from "./job-schema.ts";

export interface JobFilter {
  readonly status: JobStatus | undefined;
  readonly external_identifier: string | undefined;
  /** Only jobs with a lower id, which are older. */
  readonly before: number | undefined;
  /** Maximum of jobs. */
  readonly limit: number;
}

export interface JobList {
  readonly jobs: readonly Job[];
  /** The id before which the list goes on; undefined at its end. */
  readonly next: number | undefined;
}

/** Returns jobs of an account at `now` (milliseconds since 1970). With a status or an identifier, a list can be shorter and still go on. */
export async function listJobs(
  table: string,
  accountId: number,
  { status, external_identifier: identifier, before, limit }: JobFilter,
  now: number,
): Promise<JobList> {
  const { found, next } = await findNewestFirst({
    before,
    limit,
    readBefore: (id) => readJobsBefore(table, accountId, id),
    matches: (job) =>
      (status === undefined || job.status === status) &&
      (identifier === undefined || job.external_identifier === identifier) &&
      !isJobExpired(job, now),
  });
  return { jobs: found, next };
}

/** Reads the newest jobs of an account with an id below the given one: `READ_AT_ONCE`, and fewer at the end of the list only. */
export async function readJobsBefore(table: string, accountId: number, id: number): Promise<Job[]> {
  const { pk: partition, sk: last } = jobKey(accountId, id - 1);
  const range = { first: jobKey(accountId, 0).sk, last };
  return (await queryFirst(table, { partition, range }, { limit: READ_AT_ONCE, isNewestFirst: true })).map(readJob);
}
