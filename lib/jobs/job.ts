// Jobs: captures that are taken in the background. Their states, and what their owner is told of them.
import * as v from "valibot";

/**
 * - `queued`: waits for a function that takes it
 * - `processing`: is being captured; it goes back to `queued` when whoever held it gives up or was killed
 * - `success`, `failed`: has its outcome, and never another one, unless the operator sends a failed one round again
 */
export const jobStatuses = ["queued", "processing", "success", "failed"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** The states that may follow each state. */
export const transitions: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ["processing", "failed"],
  processing: ["queued", "success", "failed"],
  success: [],
  failed: ["queued"],
};

const timestamp = v.string();

/** One try to deliver the webhook. */
const DeliverySchema = v.object({
  at: timestamp,
  /** Status of the answer, null where there was none. */
  http_status_code: v.nullable(v.number()),
  /** Why there was no good answer, in one sentence. */
  error: v.nullable(v.string()),
  duration_ms: v.number(),
});
export type Delivery = v.InferOutput<typeof DeliverySchema>;

const WebhookSchema = v.object({
  url: v.string(),
  is_signed: v.boolean(),
  /** False where only a success is told. */
  tells_errors: v.boolean(),
  /** `pending` from the start, then `delivered`, `failed` when all tries were in vain, or `skipped`. */
  status: v.picklist(["pending", "delivered", "failed", "skipped"]),
  deliveries: v.array(DeliverySchema),
});
export type JobWebhook = v.InferOutput<typeof WebhookSchema>;

/** A job as it is stored. */
export const JobSchema = v.object({
  id: v.number(),
  account_id: v.number(),
  api_key_id: v.number(),
  status: v.picklist(jobStatuses),
  created_at: timestamp,
  finished_at: v.nullable(timestamp),
  external_identifier: v.nullable(v.string()),
  webhook: v.nullable(WebhookSchema),
  /** Who holds it while it is `processing`, and until when in milliseconds since 1970. */
  lease: v.nullable(v.object({ holder: v.string(), until: v.number() })),
  /** What is kept of the result of a success; see `lib/results/stored-capture-store.ts`. */
  result: v.optional(v.unknown()),
  /** Milliseconds the capture took, and the id of its log, once it has an outcome. */
  response_time_ms: v.nullable(v.number()),
  from_cache: v.nullable(v.boolean()),
  /** The JSON body of the error of a failure. */
  error: v.nullable(v.record(v.string(), v.unknown())),
});
export type Job = v.InferOutput<typeof JobSchema>;
