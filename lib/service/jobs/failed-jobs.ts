// Asynchronous captures that failed because of the service: the operator lists them by the messages that are kept of them, and has them
// captured again.
import { randomBytes } from "node:crypto";
import { type DeadLetter, deleteDeadLetter, forEachDeadLetter, releaseDeadLetter } from "../aws/dead-letter-queue.ts";
import type { Environment } from "../platform/environment.ts";
import type { Job } from "./job.ts";
import { parseJobMessage, sendJob } from "./job-queue.ts";
import { findJob, requeueJob } from "./job-store.ts";

type FailedJobResources = Pick<Environment, "ACTIVITY_TABLE" | "FAILED_RENDER_QUEUE_URL">;

/** How dead letters are handled. */
export interface DeadLetterOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** @default all */
  readonly limit?: number;
}

/** Facts of a failed capture: nothing of its options, which may be secret. Nulls are of a message without a job. */
export interface FailedJob {
  readonly account_id: number | null;
  readonly request_id: number | null;
  readonly age_seconds: number;
  readonly status: Job["status"] | null;
  /** The message of its error, as its customer got it. */
  readonly error: string | null;
}

/** What became of a failed capture: `queued`, `is <status>` of a job that isn't failed any more, or `no such job`. */
export interface RetriedJob extends Pick<FailedJob, "account_id" | "request_id"> {
  readonly outcome: string;
}

/** Lists failed captures, and keeps their messages. */
export function listFailedJobs(
  { ACTIVITY_TABLE, FAILED_RENDER_QUEUE_URL }: FailedJobResources,
  { now, limit }: DeadLetterOptions,
): Promise<FailedJob[]> {
  const describe = async (letter: DeadLetter) => {
    const { ids, job } = await readLetter(letter, ACTIVITY_TABLE, now);
    await releaseDeadLetter(FAILED_RENDER_QUEUE_URL, letter);
    const error = job?.error?.["error"];
    return {
      ...ids,
      age_seconds: Math.round((now - letter.sentAt) / 1000),
      status: job?.status ?? null,
      error: typeof error === "string" ? error : null,
    };
  };
  return forEachDeadLetter(FAILED_RENDER_QUEUE_URL, describe, limit);
}

/**
 * Queues each failed job again, or one whose message was lost in an earlier retry. The message of a finished or running job is
 * deleted. One without a job stays until it expires.
 */
export function retryFailedJobs(
  env: FailedJobResources & Pick<Environment, "RENDER_QUEUE_URL">,
  { now, limit }: DeadLetterOptions,
): Promise<RetriedJob[]> {
  const { ACTIVITY_TABLE, FAILED_RENDER_QUEUE_URL, RENDER_QUEUE_URL } = env;
  const retry = async (letter: DeadLetter) => {
    const { ids, message, job } = await readLetter(letter, ACTIVITY_TABLE, now);
    if (!message || !job) {
      await releaseDeadLetter(FAILED_RENDER_QUEUE_URL, letter);
      return { ...ids, outcome: "no such job" };
    }
    const isQueued = await requeue(ACTIVITY_TABLE, job);
    if (isQueued) await sendJob(RENDER_QUEUE_URL, message);
    await deleteDeadLetter(FAILED_RENDER_QUEUE_URL, letter);
    return { ...ids, outcome: isQueued ? "queued" : `is ${job.status}` };
  };
  return forEachDeadLetter(FAILED_RENDER_QUEUE_URL, retry, limit);
}

async function readLetter({ body }: DeadLetter, table: string, now: number) {
  const message = parseJobMessage(body);
  const job = message && (await findJob(table, { account_id: message.account_id, id: message.job_id }, now));
  return { ids: { account_id: message?.account_id ?? null, request_id: message?.job_id ?? null }, message, job };
}

/** The capture is a new attempt with its own log. */
async function requeue(table: string, job: Job): Promise<boolean> {
  return job.status === "queued" || (await requeueJob(table, job, randomBytes(16).toString("hex")));
}
