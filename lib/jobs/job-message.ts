// What the queue of captures carries: which job, and the options as they were sent.
import * as v from "valibot";

/** So often a capture is handed to a function before it is a dead letter. */
export const MAX_RENDER_RECEIVES = 3;

/** Longer options lie in the bucket: a message may have 256 KB in any queue there is, and 64 KB of it are billed as one. */
export const MAX_INLINE_BYTES = 200_000;

const id = v.pipe(v.number(), v.safeInteger());
const OptionsSchema = v.record(v.string(), v.unknown());
export type RawOptions = v.InferOutput<typeof OptionsSchema>;

/** The options can hold secrets, and are kept nowhere but here, or in the object whose key is here. */
export const JobMessageSchema = v.object({
  account_id: id,
  job_id: id,
  options: v.union([v.object({ inline: OptionsSchema }), v.object({ object: v.string() })]),
});
export type JobMessage = v.InferOutput<typeof JobMessageSchema>;

/** The message of a body, or undefined where it is none. */
export function parseJobMessage(body: string): JobMessage | undefined {
  try {
    const parsed = v.safeParse(JobMessageSchema, JSON.parse(body));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** The options of an object of the bucket. Throws for anything else. */
export function parseRawOptions(json: string): RawOptions {
  return v.parse(OptionsSchema, JSON.parse(json));
}
