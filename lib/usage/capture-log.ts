// The log of a capture: one entry for each that was attempted, successful or not.
import * as v from "valibot";
import { isSecret } from "../contract/capture-options.ts";
import { timeOfId } from "../contract/ids.ts";

export const statuses = ["success", "failed"] as const;

export const CaptureLogSchema = v.object({
  id: v.number(),
  user_id: v.number(),
  api_key_id: v.number(),
  url: v.string(),
  options: v.record(v.string(), v.unknown()),
  format: v.string(),
  status: v.picklist(statuses),
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
  return { id, ...event, created_at: microsecondTimestamp(timeOfId(id)) };
}

/** UTC day on which the capture with this id began, as `2026-01-31`. */
export function dayOf(id: number): string {
  return new Date(timeOfId(id)).toISOString().slice(0, 10);
}

const KEPT_CHARACTERS = 1_000;

/**
 * Options as they were sent, fit to be kept: secrets and passwords in addresses are replaced, and long text (`html` can have
 * millions of characters, an item of the table 400 KB) is cut with its length noted.
 */
export function loggableOptions(sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, isSecret(name) ? "REDACTED" : loggable(value)]),
  );
}

/** An address without its password. Text that is no address is returned as it is. */
export function withoutPassword(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed?.password) return url;
  parsed.password = "REDACTED";
  return parsed.href;
}

function loggable(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 100).map(loggable);
  if (typeof value !== "string") return value;
  const safe = withoutPassword(value);
  return safe.length > KEPT_CHARACTERS
    ? `${safe.slice(0, KEPT_CHARACTERS).toWellFormed()}... (${safe.length} characters in total)`
    : safe;
}

/** The interface's timestamps have six digits after the second; JavaScript's clock knows three of them. */
function microsecondTimestamp(time: number): string {
  return new Date(time).toISOString().replace("Z", "000Z");
}
