// What an operator can do about captures in the background that failed by a fault of the service.
import { randomBytes } from "node:crypto";
import { type DeadLetter, deleteDeadLetter, receiveDeadLetters, releaseDeadLetter } from "../jobs/dead-letter-queue.ts";
import type { Job } from "../jobs/job.ts";
import type { JobMessage } from "../jobs/job-message.ts";
import { sendJob } from "../jobs/job-queue.ts";
import { findJob, requeueJob } from "../jobs/job-store.ts";
import type { JobResources } from "../local/cli/find-service.ts";
import type { Command, CommandSet } from "./command-line.ts";

/** Where and when a command is carried out. */
export interface Site {
  /** Rejects when there is no such service. */
  readonly jobs: () => Promise<JobResources>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const commands: Readonly<Record<string, Command<Site>>> = {
  list: {
    usage: "",
    run: async (_, { jobs, now }) => {
      const site = await jobs();
      return forEachDeadLetter(site, async (letter) => {
        const facts = await describeDeadLetter(letter, site, now);
        await releaseDeadLetter(site.deadLetters, letter);
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

/** What `npm run jobs` can do. */
export const jobCommands: CommandSet<Site> = { script: "jobs", commands };

/** One after the other, oldest first. */
async function forEachDeadLetter<T>(
  { deadLetters }: JobResources,
  handle: (letter: DeadLetter) => Promise<T>,
): Promise<T[]> {
  const letters = await receiveDeadLetters(deadLetters);
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
 * Sends a job round again that has failed, or whose message was lost when that was done before. A letter of a job that is
 * over or at work is deleted; one of no job stays, until the queue forgets it.
 */
async function redrive(letter: DeadLetter, site: JobResources, now: number) {
  const { message } = letter;
  const job = message && (await findJob(site.activity, jobIds(message), now));
  if (!message || !job) {
    await releaseDeadLetter(site.deadLetters, letter);
    return { ...(message ? requestIds(message) : { account_id: null, request_id: null }), outcome: "no such job" };
  }
  const isQueued = await requeue(job, site);
  if (isQueued) await sendJob(site.renders, message);
  await deleteDeadLetter(site.deadLetters, letter);
  return { ...requestIds(message), outcome: isQueued ? "queued" : `is ${job.status}` };
}

/** Its capture is another attempt, which has a log of its own. */
async function requeue(job: Job, { activity }: JobResources): Promise<boolean> {
  return job.status === "queued" || (await requeueJob(activity, job, randomBytes(16).toString("hex")));
}

function jobIds({ account_id, job_id }: JobMessage) {
  return { account_id, id: job_id };
}

function requestIds({ account_id, job_id }: JobMessage) {
  return { account_id, request_id: job_id };
}
