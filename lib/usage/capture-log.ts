// The log of a capture: one entry for each that was attempted, successful or not.
import * as v from "valibot";
import { idTime } from "../platform/ids.ts";

export const captureStatuses = ["success", "failed"] as const;

export const CaptureLogSchema = v.object({
  id: v.number(),
  user_id: v.number(),
  api_key_id: v.number(),
  url: v.string(),
  options: v.record(v.string(), v.unknown()),
  format: v.string(),
  status: v.picklist(captureStatuses),
  http_status_code: v.nullable(v.number()),
  error_message: v.nullable(v.string()),
  response_time_ms: v.number(),
  file_size_bytes: v.number(),
  cached: v.boolean(),
  ip_address: v.string(),
  created_at: v.string(),
  api_key: v.object({ id: v.number(), label: v.string(), key_prefix: v.string() }),
});

export type CaptureLog = v.InferOutput<typeof CaptureLogSchema>;

/** Everything of an entry but what follows from its id. */
export type CaptureEvent = Omit<CaptureLog, "id" | "created_at">;

export function createCaptureLog(id: number, event: CaptureEvent): CaptureLog {
  return { id, ...event, created_at: microsecondTimestamp(idTime(id)) };
}

/** When the capture with this id began, in parts of the UTC calendar, each with its leading zeros. */
export function logTime(id: number) {
  const timestamp = new Date(idTime(id)).toISOString();
  return {
    month: timestamp.slice(0, 7),
    date: timestamp.slice(0, 10),
    day: timestamp.slice(8, 10),
    hour: timestamp.slice(11, 13),
    minute: timestamp.slice(14, 16),
  };
}

/** The interface's timestamps have six digits after the second; JavaScript's clock knows three of them. */
function microsecondTimestamp(time: number): string {
  return new Date(time).toISOString().replace("Z", "000Z");
}
