// What a capture log keeps for the page of a single capture: times by phase, warnings, what was blocked, and the stored result.
import * as v from "valibot";
import { ProblemsSchema } from "../../contract/problems/problem.ts";
import { StoredAnswerSchema } from "../results/stored-answer.ts";
import { StoredReportSchema } from "../results/stored-report.ts";

const milliseconds = v.number();

export const CaptureDetailsSchema = v.object({
  /** Milliseconds by phase, whole. */
  phases: v.optional(v.record(v.string(), milliseconds), {}),
  warnings: v.optional(v.array(v.string()), []),
  problems: v.optional(ProblemsSchema, []),
  /** Where the report is stored, if there is one. */
  report: v.optional(StoredReportSchema),
  /** The stored response to its request, if that has an `Idempotency-Key`. */
  answer: v.optional(StoredAnswerSchema),
  /** Report of what was blocked, where the caller requested blocking. */
  blocked: v.optional(v.record(v.string(), v.unknown())),
  final_url: v.optional(v.string()),
  /** The stored result, while it exists: its object, and when its links expire in milliseconds since 1970. */
  result: v.optional(
    v.object({
      key: v.string(),
      mime_type: v.string(),
      expires_at: v.number(),
      /** Keys of its slices, if it has any. */
      slices: v.exactOptional(v.array(v.string())),
      /** The cache entry that was made of it: its key, and the object with its metadata, if they are large. */
      cached: v.exactOptional(v.object({ key: v.string(), facts: v.exactOptional(v.string()) })),
    }),
  ),
});
export type CaptureDetails = v.InferOutput<typeof CaptureDetailsSchema>;
