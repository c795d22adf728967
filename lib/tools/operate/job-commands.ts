// The commands of `npm run jobs`: dead letters of asynchronous captures and of webhooks, and the end of a queue.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type DeadLetter,
  deleteDeadLetter,
  receiveDeadLetters,
  releaseDeadLetter,
} from "../../service/aws/dead-letter-queue.ts";
import { readQueueDepth, totalOf } from "../../service/aws/queue-depth.ts";
import type { Job } from "../../service/jobs/job.ts";
import { type JobMessage, parseJobMessage, sendJob } from "../../service/jobs/job-queue.ts";
import { findJob, requeueJob } from "../../service/jobs/job-store.ts";
import { enqueueDelivery, parseWebhookMessage, type WebhookMessage } from "../../service/webhooks/webhook-queue.ts";
import type { JobResources } from "../local/cli/find-service.ts";
import { type CommandArguments, CommandUsageError } from "./arguments.ts";
import type { Command, CommandSet } from "./command-line.ts";

/** The context of a command. */
export interface JobCommandContext {
  /** Rejects when the service is not found. */
  readonly jobs: () => Promise<JobResources>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const commands: Readonly<Record<string, Command<JobCommandContext>>> = {
  list: {
    usage: "",
    run: async (_, { jobs, now }) => {
      const site = await jobs();
      return forEachDeadLetter(site.failedRenders, async (letter) => {
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
      return forEachDeadLetter(site.failedRenders, (letter) => redrive(letter, site, now));
    },
  },
  "webhooks list": {
    usage: "",
    run: async (_, { jobs, now }) => {
      const site = await jobs();
      return forEachDeadLetter(site.webhookDeadLetters, async (letter) => {
        const facts = await describeDeadWebhook(letter, site, now);
        await releaseDeadLetter(site.webhookDeadLetters, letter);
        return facts;
      });
    },
  },
  "webhooks redrive": {
    usage: "",
    run: async (_, { jobs }) => {
      const site = await jobs();
      return forEachDeadLetter(site.webhookDeadLetters, (letter) => redriveWebhook(letter, site));
    },
  },
  drain: {
    usage: "[--minutes <number>]",
    run: async (args, { jobs }) => {
      const minutes = parseMinutes(args);
      return drain(await jobs(), minutes);
    },
  },
};

/** The commands of `npm run jobs`. */
export const jobCommands: CommandSet<JobCommandContext> = { script: "jobs", commands };

/** Handles the dead letters sequentially, oldest first. */
async function forEachDeadLetter<T>(queueUrl: string, handle: (letter: DeadLetter) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (const letter of await receiveDeadLetters(queueUrl)) done.push(await handle(letter));
  return done;
}

async function describeDeadLetter({ body, sentAt }: DeadLetter, { activity }: JobResources, now: number) {
  const message = parseJobMessage(body);
  const job = message && (await findJob(activity, jobIds(message), now));
  return {
    ...requestIds(message),
    age_seconds: ageInSeconds(sentAt, now),
    status: job?.status ?? null,
    error: job?.error?.["error"] ?? null,
  };
}

/**
 * Queues a failed job again, or one whose message was lost in an earlier redrive. A dead letter of a finished or running job is
 * deleted. One without a job stays until it expires.
 */
async function redrive(letter: DeadLetter, site: JobResources, now: number) {
  const message = parseJobMessage(letter.body);
  const job = message && (await findJob(site.activity, jobIds(message), now));
  if (!message || !job) {
    await releaseDeadLetter(site.failedRenders, letter);
    return { ...requestIds(message), outcome: "no such job" };
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

async function describeDeadWebhook({ body, sentAt }: DeadLetter, { activity }: JobResources, now: number) {
  const message = readWebhookMessage(body);
  if (message && !("job_id" in message)) {
    return { ...requestIds(message), kind: message.kind, age_seconds: ageInSeconds(sentAt, now) };
  }
  const job = message && (await findJob(activity, jobIds(message), now));
  return {
    ...requestIds(message),
    age_seconds: ageInSeconds(sentAt, now),
    status: job?.status ?? null,
    webhook_status: job?.webhook?.status ?? null,
  };
}

/** Sends the message to the webhook queue again, where the job or the receiver decides what is still due. Other messages stay. */
async function redriveWebhook(letter: DeadLetter, { webhooks, webhookDeadLetters }: JobResources) {
  const message = readWebhookMessage(letter.body);
  if (!message) {
    await releaseDeadLetter(webhookDeadLetters, letter);
    return { ...requestIds(message), outcome: "not a webhook" };
  }
  await enqueueDelivery(webhooks, message);
  await deleteDeadLetter(webhookDeadLetters, letter);
  return { ...requestIds(message), outcome: "queued" };
}

function readWebhookMessage(body: string): WebhookMessage | undefined {
  try {
    return parseWebhookMessage(body);
  } catch {
    return undefined;
  }
}

const DEFAULT_DRAIN_MINUTES = 15;
const POLL_MS = 1_000;

function parseMinutes({ minutes }: CommandArguments): number {
  const parsed = Number(minutes ?? DEFAULT_DRAIN_MINUTES);
  if (parsed >= 0 && parsed <= 24 * 60) return parsed;
  throw new CommandUsageError(`--minutes must be a number from 0 to 1440, not '${minutes}'.`);
}

/**
 * Waits until no asynchronous capture is queued or running, which two readings in a row must say. Webhooks are only counted,
 * because their retries take up to 18 hours. Throws when captures are left at the end of the time.
 */
async function drain({ renders, webhooks }: JobResources, minutes: number) {
  const until = Date.now() + minutes * 60_000;
  for (let empty = 0; ; ) {
    const captures = totalOf(await readQueueDepth(renders));
    empty = captures === 0 ? empty + 1 : 0;
    if (empty === 2) return { captures, webhooks: totalOf(await readQueueDepth(webhooks)) };
    if (captures > 0 && Date.now() >= until) throw new Error(`${captures} captures are left after ${minutes} minutes.`);
    await sleep(POLL_MS);
  }
}

function ageInSeconds(sentAt: number, now: number): number {
  return Math.round((now - sentAt) / 1000);
}

function jobIds({ account_id, job_id }: Pick<JobMessage, "account_id" | "job_id">) {
  return { account_id, id: job_id };
}

/** What a message is about: a request, a receiver, or all jobs of an account. */
function requestIds(message: JobMessage | WebhookMessage | undefined) {
  const account_id = message?.account_id ?? null;
  if (message && "receiver_id" in message) return { account_id, receiver_id: message.receiver_id };
  return { account_id, request_id: message && "job_id" in message ? message.job_id : null };
}
