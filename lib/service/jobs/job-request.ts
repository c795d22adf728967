// Schema of the request that a job stores: caller, quota allowance, and the fields of its log entry.
import * as v from "valibot";
import { CallerSchema } from "../account/account.ts";

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
  reservesFailure: v.exactOptional(v.literal(true)),
});

/** One of several outputs of a page, whose capture has its own quota. */
const OutputRequestSchema = v.object({
  name: v.string(),
  allowance: AllowanceSchema,
  format: v.string(),
  /** Those of its redacted options that differ from the shared ones in the request. */
  options: v.record(v.string(), v.unknown()),
});
export type OutputJobRequest = v.InferOutput<typeof OutputRequestSchema>;

/**
 * Contains no secrets, so that it may be stored in the job's item; a worker that fails an abandoned job writes the log
 * entry from it.
 */
export const JobRequestSchema = v.object({
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
