// A queued job for tests.
import { randomBytes, randomInt } from "node:crypto";
import { toCaller } from "../../lib/service/account/account.ts";
import { type Job, newJob, type OutputOutcome } from "../../lib/service/jobs/job.ts";
import { createId } from "../../lib/service/platform/ids.ts";
import { anAccount, anApiKey } from "./builders.ts";

let accounts = 1_000;

/** Of an account of its own by default. */
export function aQueuedJob(parts: Partial<Job> = {}): Job {
  const account = anAccount({ id: parts.account_id ?? ++accounts, plan: "free", billed_from: null });
  const now = Date.now();
  const job = newJob({
    id: createId(now, 0) + randomInt(4096),
    now,
    external_identifier: null,
    webhook: null,
    slot: null,
    outputs: [
      {
        group: undefined,
        format: "png",
        options: {},
        allowance: {
          accountId: account.id,
          attempt: randomBytes(16).toString("hex"),
          period: { start: account.created_at, end: "2099-01-01T00:00:00.000Z", month: undefined },
          credit: "screenshots",
          quota: { name: "screenshots", limit: 300 },
          isCapped: true,
        },
      },
    ],
    request: {
      caller: toCaller(account, anApiKey({ account_id: account.id })),
      source_ip: "192.0.2.1",
      url: "",
      options: { html: "<h1>Hello</h1>" },
    },
  });
  return { ...job, ...parts };
}

/** A job whose only output has ended so. */
export function withOutcome<Queued extends Job>(job: Queued, outcome: OutputOutcome): Queued {
  const [first] = job.outputs;
  return { ...job, outputs: [{ ...first, outcome }] };
}
