// Times of answers as OpenAPI shows them: one form in the whole API.
// https://www.rfc-editor.org/rfc/rfc3339#section-5.6
import type { JsonSchema } from "../../options/option.ts";

const inUtc = (digits: number) => `^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{${digits}}Z$`;

/** A time in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const timestamp = { type: "string", format: "date-time", pattern: inUtc(3) } satisfies JsonSchema;

export const timestampOrNull = { ...timestamp, type: ["string", "null"] } satisfies JsonSchema;

/** A time in UTC with microseconds, which the capture log alone has. */
export const microsecondTimestamp = { ...timestamp, pattern: inUtc(6) } satisfies JsonSchema;
