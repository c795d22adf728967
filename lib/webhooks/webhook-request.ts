// The request that a webhook is: what it says of a job's end, and how it is told from others.
import { signatureHeaders } from "./signature.ts";

/** A job that has its outcome. */
export interface EndedJob {
  readonly id: number;
  readonly account_id: number;
  readonly status: "success" | "failed";
  /** Timestamp. */
  readonly finished_at: string;
}

export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const eventTypes = { success: "capture.succeeded", failed: "capture.failed" } as const;

/**
 * The request that tells `state`, at `now` (milliseconds since 1970). `secrets` are what it is signed with; where there
 * are none, it is not.
 */
export function webhookRequest(
  job: EndedJob,
  { state, secrets, now }: { readonly state: object; readonly secrets: readonly string[]; readonly now: number },
): WebhookRequest {
  const id = webhookId(job);
  const timestamp = Math.floor(now / 1000);
  const body = JSON.stringify({ type: eventTypes[job.status], timestamp: job.finished_at, data: state });
  return {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "User-Agent": USER_AGENT,
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      ...signatureHeaders({ id, timestamp, body }, secrets),
    },
    body,
  };
}

const USER_AGENT = "Screen-Capture-API/1 (webhook)";

/**
 * The same on each try, so that a receiver knows what it has seen. Ids of jobs are those of one account only, and a job
 * that is sent round again by the operator ends anew.
 */
function webhookId({ id, account_id, finished_at }: EndedJob): string {
  return `capture_${account_id}_${id}_${Date.parse(finished_at)}`;
}
