// The commands of `npm run jobs`: dead letters of asynchronous captures and of webhooks, and the end of a queue.
import { setTimeout as sleep } from "node:timers/promises";
import { readQueueDepth, totalOf } from "../../service/aws/queue-depth.ts";
import { listFailedJobs, retryFailedJobs } from "../../service/jobs/failed-jobs.ts";
import type { AuditActor } from "../../service/operator/audit-log.ts";
import { auditFirst } from "../../service/operator/audited-change.ts";
import { listDeadWebhooks, retryDeadWebhooks } from "../../service/webhooks/dead-webhooks.ts";
import type { JobResources } from "../local/cli/find-service.ts";
import { type CommandArguments, CommandUsageError } from "./arguments.ts";
import type { Command, CommandSet } from "./command-line.ts";

/** The context of a command. */
export interface JobCommandContext {
  /** Rejects when the service is not found. */
  readonly jobs: () => Promise<JobResources>;
  /** Who runs the command. */
  readonly actor: AuditActor;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const commands: Readonly<Record<string, Command<JobCommandContext>>> = {
  list: {
    usage: "",
    run: async (_, { jobs, now }) => listFailedJobs(await jobs(), { now }),
  },
  redrive: {
    usage: "",
    run: async (_, { jobs, actor, now }) => {
      const env = await jobs();
      await auditFirst({ activityTable: env.ACTIVITY_TABLE, actor, now }, { action: "jobs.retried" });
      return retryFailedJobs(env, { now });
    },
  },
  "webhooks list": {
    usage: "",
    run: async (_, { jobs, now }) => listDeadWebhooks(await jobs(), { now }),
  },
  "webhooks redrive": {
    usage: "",
    run: async (_, { jobs, actor, now }) => {
      const env = await jobs();
      await auditFirst({ activityTable: env.ACTIVITY_TABLE, actor, now }, { action: "webhooks.retried" });
      return retryDeadWebhooks(env);
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
async function drain({ RENDER_QUEUE_URL, WEBHOOK_QUEUE_URL }: JobResources, minutes: number) {
  const until = Date.now() + minutes * 60_000;
  for (let empty = 0; ; ) {
    const captures = totalOf(await readQueueDepth(RENDER_QUEUE_URL));
    empty = captures === 0 ? empty + 1 : 0;
    if (empty === 2) return { captures, webhooks: totalOf(await readQueueDepth(WEBHOOK_QUEUE_URL)) };
    if (captures > 0 && Date.now() >= until) throw new Error(`${captures} captures are left after ${minutes} minutes.`);
    await sleep(POLL_MS);
  }
}
