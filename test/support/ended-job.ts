// A finished job for tests.
import { toCaller } from "../../lib/service/account/account.ts";
import type { openAccount } from "../../lib/service/account/open-account.ts";
import { type Job, newJob } from "../../lib/service/jobs/job.ts";
import { newWebhook, type Webhook } from "../../lib/service/webhooks/webhook.ts";

/** The error of the job's capture. */
export const jobError = { error: "The page is gone.", code: "TARGET_HTTP_ERROR", request_id: 1, retryable: false };

/** A job of an account that has failed, with a webhook to `url`, not stored yet. `id` is unlike those of other jobs. */
export function anEndedJob(
  { ring, apiKey }: Pick<Awaited<ReturnType<typeof openAccount>>, "ring" | "apiKey">,
  { id, url, ...parts }: Partial<Job> & { readonly id: number; readonly url: string },
): Job & { readonly webhook: Webhook } {
  const now = Date.now();
  const job = newJob({
    id,
    external_identifier: "order:17",
    outputs: [
      {
        group: undefined,
        format: "png",
        options: {},
        allowance: {
          accountId: ring.account.id,
          attempt: "a",
          period: { start: "2026-01-01", end: "2026-02-01", month: 1 },
          credit: "screenshots",
          quota: { name: "captures", limit: 1 },
          isCapped: false,
        },
      },
    ],
    request: {
      caller: toCaller(ring.account, apiKey),
      source_ip: "192.0.2.1",
      url: "https://example.com/",
      options: {},
    },
    webhook: null,
    slot: null,
    now,
  });
  const webhook = newWebhook({ url, is_signed: true, notifies_on_failure: true });
  const ended = { status: "failed", finished_at: new Date(now).toISOString(), error: jobError } as const;
  const [output] = job.outputs;
  const outcome = { status: "failed", result: null, from_cache: false, error: jobError } as const;
  const outputs = [{ ...output, outcome }] as const;
  return { ...job, outputs, ...ended, ...parts, webhook: parts.webhook ?? webhook };
}
