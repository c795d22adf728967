// A job whose webhook can be delivered: it has an outcome and a webhook.
import { hasEnded, type Job } from "../jobs/job.ts";
import type { Webhook } from "./webhook.ts";
import type { EndedJob } from "./webhook-request.ts";

export type DeliverableJob = Job & EndedJob & { readonly webhook: Webhook };

/** The job, if it has an outcome and a webhook. */
export function deliverableJob(job: Job | undefined): DeliverableJob | undefined {
  return job && hasEnded(job) && job.webhook && job.finished_at !== null ? (job as DeliverableJob) : undefined;
}
