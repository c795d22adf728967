// The commands of `npm run jobs`: lists and redrives dead letters of asynchronous captures.
import { randomBytes } from "node:crypto";
import { type DeadLetter, deleteDeadLetter, receiveDeadLetters, releaseDeadLetter } from "../jobs/dead-letter-queue.ts";
import type { Job } from "../jobs/job.ts";
import { type JobMessage, sendJob } from "../jobs/job-queue.ts";
import { findJob, requeueJob } from "../jobs/job-store.ts";
import type { JobResources } from "../local/cli/find-service.ts";
import type { Command, CommandSet } from "./command-line.ts";

/** The context of a command. */
export interface CommandContext {
  /** Rejects when the service is not found. */
  readonly jobs: () => Promise<JobResources>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const commands: Readonly<Record<string, Command<CommandContext>>> = {
  list: {
    usage: "",
    run: async (_, { jobs, now }) => {
      const site = await jobs();
      return forEachDeadLetter(site, async (letter) => {
        const facts = await describeDeadLetter(letter, site, now);
        await releaseDeadLetter(site.failedRenders, letter);
        return facts;
      });
    },
  },
  redrive: {
    usage: "",
    run: async (_, { jobs, now }) => {
      const site = await jobs();
      return forEachDeadLetter(site, (letter) => redrive(letter, site, now));
    },
  },
};

/** The commands of `npm run jobs`. */
export const jobCommands: CommandSet<CommandContext> = { script: "jobs", commands };

/** Handles the dead letters sequentially, oldest first. */
async function forEachDeadLetter<T>(
  { failedRenders }: JobResources,
  handle: (letter: DeadLetter) => Promise<T>,
): Promise<T[]> {
  const letters = await receiveDeadLetters(failedRenders);
  const done: T[] = [];
  for (const letter of letters.toSorted((a, b) => a.sentAt - b.sentAt)) done.push(await handle(letter));
  return done;
}

async function describeDeadLetter({ message, sentAt }: DeadLetter, { activity }: JobResources, now: number) {
  const job = message && (await findJob(activity, jobIds(message), now));
  return {
    ...(message ? requestIds(message) : { account_id: null, request_id: null }),
    age_seconds: Math.round((now - sentAt) / 1000),
    status: job?.status ?? null,
    error: job?.error?.["error"] ?? null,
  };
}

/**
 * Queues a failed job again, or one whose message was lost in an earlier redrive. A dead letter of a finished or running job is
 * deleted. One without a job stays until it expires.
 */
async function redrive(letter: DeadLetter, site: JobResources, now: number) {
  const { message } = letter;
  const job = message && (await findJob(site.activity, jobIds(message), now));
  if (!message || !job) {
    await releaseDeadLetter(site.failedRenders, letter);
    return { ...(message ? requestIds(message) : { account_id: null, request_id: null }), outcome: "no such job" };
  }
  const isQueued = await requeue(job, site);
  if (isQueued) await sendJob(site.renders, message);
  await deleteDeadLetter(site.failedRenders, letter);
  return { ...requestIds(message), outcome: isQueued ? "queued" : `is ${job.status}` };
}

/** The capture is a new attempt with its own log. */
async function requeue(job: Job, { activity }: JobResources): Promise<boolean> {
  return job.status === "queued" || (await requeueJob(activity, job, randomBytes(16).toString("hex")));
}

function jobIds({ account_id, job_id }: JobMessage) {
  return { account_id, id: job_id };
}

function requestIds({ account_id, job_id }: JobMessage) {
  return { account_id, request_id: job_id };
}
