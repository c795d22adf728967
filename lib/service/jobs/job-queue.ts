// The render queue: the schema of its messages (a job's id and its raw options), and the producer.
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import * as v from "valibot";
import { sendForAccount } from "../aws/account-queue.ts";
import { sqs } from "../aws/clients/sqs.ts";

/**
 * `maxReceiveCount` of the queue: a message received this often goes to the dead-letter queue. Most of these receives reach no
 * code: Lambda was throttled, or the job is held. Attempts are counted in the job (`MAX_ATTEMPTS`).
 */
export const MAX_RENDER_RECEIVES = 50;

/**
 * Options longer than this, in bytes of JSON, go to the bucket: an SQS message is at most 256 KB, and each 64 KB are
 * billed as one request.
 */
export const MAX_INLINE_BYTES = 200_000;

const id = v.pipe(v.number(), v.safeInteger());
const OptionsSchema = v.record(v.string(), v.unknown());
export type QueuedOptions = v.InferOutput<typeof OptionsSchema>;

/** The options may hold secrets, so they are stored only here or in the object whose key is here. */
const JobMessageSchema = v.object({
  account_id: id,
  job_id: id,
  options: v.union([v.object({ inline: OptionsSchema }), v.object({ object: v.string() })]),
});
export type JobMessage = v.InferOutput<typeof JobMessageSchema>;

/** Parses the body of a queue message; undefined when it is not a job message. */
export function parseJobMessage(body: string): JobMessage | undefined {
  try {
    const parsed = v.safeParse(JobMessageSchema, JSON.parse(body));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** Parses options that were stored in the bucket. Throws for anything else. */
export function parseQueuedOptions(json: string): QueuedOptions {
  return v.parse(OptionsSchema, JSON.parse(json));
}

/** Keeps the message of a failed job for the operator, who can list it and queue the job again. */
export async function storeFailedMessage(queueUrl: string, body: string): Promise<void> {
  await sqs().send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));
}

/** Queues a job for rendering. */
export function sendJob(queueUrl: string, message: JobMessage): Promise<void> {
  return sendForAccount(queueUrl, message);
}
