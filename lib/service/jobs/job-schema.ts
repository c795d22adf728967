// Schema of a job as the Activity table stores it. A job without `outputs` has its only result in the item itself; one with `outputs` has a
// list of them.
import * as v from "valibot";
import { phases } from "../../engine/pipeline/phase-clock.ts";
import { CallerSchema } from "../account/account.ts";
import { HeldSlotSchema } from "../aws/slot-counter.ts";
import { WebhookSchema } from "../webhooks/webhook.ts";

/**
 * - `queued`: waits for a worker
 * - `processing`: held by a worker's lease; returns to `queued` when the worker releases it or dies
 * - `success`, `failed`: has ended; only the operator can requeue a failed job
 */
export const jobStatuses = ["queued", "processing", "success", "failed"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** The phases of a job's capture: all but that in which its request was admitted. */
export const jobPhases = phases.filter((phase) => phase !== "auth");
export type JobPhase = (typeof jobPhases)[number];

const id = v.pipe(v.number(), v.safeInteger());

const AllowanceSchema = v.object({
  accountId: id,
  attempt: v.pipe(v.string(), v.regex(/^[0-9a-z]+$/i)),
  period: v.pipe(
    v.object({ start: v.string(), end: v.string(), month: v.optional(v.number()) }),
    v.transform(({ start, end, month }) => ({ start, end, month })),
  ),
  credit: v.picklist(["screenshots", "videos"]),
  quota: v.object({ name: v.picklist(["screenshots", "videos", "captures", "tests"]), limit: v.number() }),
  isCapped: v.boolean(),
  keyLimit: v.exactOptional(v.object({ keyId: id, captures: v.number(), earlier: v.number() })),
  dayLimit: v.exactOptional(v.object({ date: v.string(), captures: v.number() })),
  reservesFailure: v.exactOptional(v.literal(true)),
});

/** One of several outputs of a page. */
const OutputRequestSchema = v.object({
  name: v.string(),
  allowance: AllowanceSchema,
  format: v.string(),
  /** Those of its redacted options that differ from the shared ones in the request. */
  options: v.record(v.string(), v.unknown()),
});

/**
 * Contains no secrets, so that it may be stored in the job's item; a worker that fails an abandoned job writes the log
 * entry from it.
 */
const RequestSchema = v.object({
  caller: CallerSchema,
  /** Its attempt identifies this attempt of the job. With `outputs`, each has an allowance of its own, and this is that of the first. */
  allowance: AllowanceSchema,
  source_ip: v.string(),
  /** Without password. Empty for HTML and Markdown. */
  url: v.string(),
  /** With `outputs`, that of the first. */
  format: v.string(),
  /** Redacted options (`loggableOptions`). With `outputs`, the shared ones. */
  options: v.record(v.string(), v.unknown()),
  /** The outputs of a request with `outputs`. */
  outputs: v.exactOptional(v.array(OutputRequestSchema)),
});

const timestamp = v.string();

/** Result of a success; its file and metadata are objects in the bucket. */
const ResultSchema = v.object({
  mime_type: v.string(),
  size_bytes: v.number(),
  /** When its links expire, in milliseconds since 1970. */
  expires_at: v.number(),
  /** The packed capture (see `lib/service/results/packed-capture.ts`), null once it was deleted. */
  stored: v.nullable(v.unknown()),
  /** Cache key hash when the result is shared with the cache; null when only this job refers to it. */
  cache_hash: v.optional(v.nullable(v.string()), null),
});

/** How an output of a job ended: with a result, or with an error. */
const OutcomeSchema = v.object({
  status: v.picklist(["success", "failed"]),
  /** Set for a success. */
  result: v.nullable(ResultSchema),
  from_cache: v.boolean(),
  /** JSON body of the error of a failed output. */
  error: v.nullable(v.record(v.string(), v.unknown())),
});

export const JobItemSchema = v.object({
  id: v.number(),
  account_id: v.number(),
  api_key_id: v.number(),
  request: RequestSchema,
  status: v.picklist(jobStatuses),
  created_at: timestamp,
  finished_at: v.nullable(timestamp),
  external_identifier: v.nullable(v.string()),
  webhook: v.nullable(WebhookSchema),
  /** The worker that holds it while `processing`, and until when in milliseconds since 1970. */
  lease: v.nullable(
    v.object({
      holder: v.string(),
      until: v.number(),
      /** The phase in which its last heartbeat found the capture; absent before that. */
      phase: v.exactOptional(v.picklist(jobPhases)),
    }),
  ),
  /** Set for a success without `outputs`. */
  result: v.nullable(ResultSchema),
  /** How the outputs of its request ended, in their order; null for one that has not ended. Empty without `outputs`. */
  outputs: v.optional(v.array(v.nullable(OutcomeSchema)), []),
  /** How often the page was loaded for the outputs that have ended. */
  loads: v.optional(v.number(), 0),
  /** Duration of the capture in milliseconds, once the job has ended. */
  response_time_ms: v.nullable(v.number()),
  from_cache: v.nullable(v.boolean()),
  /** JSON body of the error of a failed job. */
  error: v.nullable(v.record(v.string(), v.unknown())),
  /** How many workers have started its capture; one that was interrupted by a shutdown does not count. */
  attempts: v.optional(v.number(), 0),
  /** When its account cancelled it while a worker held it; null if it did not. */
  cancel_requested_at: v.optional(v.nullable(timestamp), null),
  /** Present if it was cancelled then because its account was suspended. */
  cancelled_by: v.exactOptional(v.literal("operator")),
  /** When its worker began to upload a result to the customer's storage, after which it can't be cancelled; null if it has not. */
  delivery_started_at: v.optional(v.nullable(timestamp), null),
  /** Its slot of the account until it ends; null for a job that the operator has requeued. */
  slot: v.optional(v.nullable(HeldSlotSchema), null),
});
export type JobItem = v.InferOutput<typeof JobItemSchema>;
