// Capture log entries: one per attempted capture, successful or not.
import * as v from "valibot";
import { idTime } from "../platform/ids.ts";
import { StoredThumbnailSchema } from "../results/stored-thumbnail.ts";
import type { CaptureDetails } from "./capture-details.ts";

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
  asynchronous: v.boolean(),
  /** The id of the request with `outputs` that it is a part of, and its name there; null for a capture alone. */
  group_id: v.nullable(v.number()),
  output_name: v.nullable(v.string()),
  /** Origin of the webhook's URL, whose path and query can be secrets. */
  webhook_target: v.nullable(v.string()),
  /** Where its thumbnail is stored; null without one, and once it was deleted. */
  thumbnail: v.nullable(StoredThumbnailSchema),
  ip_address: v.string(),
  created_at: v.string(),
  api_key: v.object({ id: v.number(), label: v.string(), key_prefix: v.string() }),
});

export type CaptureLog = v.InferOutput<typeof CaptureLogSchema>;

/** An entry without the fields derived from its id. */
export type CaptureEvent = Omit<CaptureLog, "id" | "created_at"> & {
  /** What the log keeps for the page of this capture; lists leave it out. */
  readonly details?: Partial<CaptureDetails>;
};

export function createCaptureLog(id: number, event: CaptureEvent): CaptureLog {
  return { id, ...event, created_at: microsecondTimestamp(idTime(id)) };
}

/** The code of an `error_message`, which is `CODE: message`; undefined for null. */
export function errorCodeOf(errorMessage: string | null | undefined): string | undefined {
  return errorMessage?.split(":", 1)[0];
}

/** The parts of a start time, for the keys of items. */
export type LogTime = ReturnType<typeof logTime>;

/** Returns the start time of the capture with this id as zero-padded parts of the UTC calendar. */
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

/** The API's timestamps have microseconds; JavaScript's clock has milliseconds. */
function microsecondTimestamp(time: number): string {
  return new Date(time).toISOString().replace("Z", "000Z");
}
