// A job with which a new version of the function of asynchronous captures is checked.
import { randomBytes, randomUUID } from "node:crypto";
import { parseCaptureOptions } from "../../contract/options/capture-options.ts";
import { plans } from "../../contract/plans.ts";
import { internalCaller } from "../account/internal-account.ts";
import { periodAt } from "../billing/billing-period.ts";
import { allowanceFor, creditFor } from "../billing/quota.ts";
import { newJob } from "../jobs/job.ts";
import type { JobMessage } from "../jobs/job-queue.ts";
import { putJob } from "../jobs/job-store.ts";
import { createApiKey, KEY_ENTROPY_BYTES } from "../keys/api-key.ts";
import { createId } from "../platform/ids.ts";
import { loggedRequest } from "../usage/loggable-options.ts";
import { checkOptions } from "./check-options.ts";

/** Stores a job of the account of the service itself, without a slot. Resolves to its message, which is sent to no queue. */
export async function createCheckJob(table: string): Promise<JobMessage> {
  const now = Date.now();
  const rawOptions = checkOptions(randomUUID());
  const options = parseCaptureOptions(rawOptions);
  const caller = internalCaller(createApiKey(randomBytes(KEY_ENTROPY_BYTES), "internal"), now); // no one has the key
  const { account } = caller;
  const allowance = allowanceFor(
    {
      accountId: account.id,
      attempt: randomBytes(16).toString("hex"),
      credit: creditFor(options.format),
      period: periodAt(account, now),
    },
    plans[account.plan],
  );
  const { format, ...request } = loggedRequest({ caller, sourceIp: "", options, rawOptions });
  const outputs = [{ group: undefined, allowance, format, options: {} }] as const;
  const facts = { request, outputs, external_identifier: null, webhook: null, slot: null };
  const job = await putJob(table, newJob({ ...facts, id: createId(now, Math.random()), now }));
  return { account_id: job.account_id, job_id: job.id, options: { inline: rawOptions } };
}
