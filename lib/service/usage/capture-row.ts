// A capture of the log as lists, searches, and exports answer it.
import type { ResponseBody } from "../http/response-fields.ts";
import type { CaptureLog } from "./capture-log.ts";
import type { CaptureLogResponse } from "./responses.ts";

export type CaptureRow = ResponseBody<typeof CaptureLogResponse>;

export interface RowView {
  readonly baseUrl: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns the row of a log: the address of its thumbnail, until that expires, in place of where it is stored. */
export function captureRow({ thumbnail, ...log }: CaptureLog, { baseUrl, now }: RowView): CaptureRow {
  const isAvailable = thumbnail !== null && thumbnail.expires_at > now;
  return { ...log, thumbnail_url: isAvailable ? `${baseUrl}/api/v1/usage/${log.id}/thumbnail` : null };
}
