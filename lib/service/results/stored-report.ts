// Where the report of a capture is stored.
import * as v from "valibot";

export const StoredReportSchema = v.object({
  key: v.string(),
  /** Milliseconds since 1970. */
  expires_at: v.number(),
});

export type StoredReport = v.InferOutput<typeof StoredReportSchema>;
