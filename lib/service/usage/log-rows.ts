// Capture logs as rows of an export: CSV (RFC 4180) or NDJSON, one line for each log.
import type { CaptureRow } from "./capture-row.ts";
import { csvHeader, csvLine } from "./csv.ts";
import type { ExportType } from "./usage-options.ts";

export const exportMediaTypes = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson",
} as const satisfies Record<ExportType, string>;

const columns: Readonly<Record<string, (row: CaptureRow) => unknown>> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  status: ({ status }) => status,
  url: ({ url }) => url,
  format: ({ format }) => format,
  cached: ({ cached }) => cached,
  response_time_ms: ({ response_time_ms }) => response_time_ms,
  file_size_bytes: ({ file_size_bytes }) => file_size_bytes,
  http_status_code: ({ http_status_code }) => http_status_code,
  error_message: ({ error_message }) => error_message,
  api_key_id: ({ api_key_id }) => api_key_id,
  api_key_label: ({ api_key }) => api_key.label,
  ip_address: ({ ip_address }) => ip_address,
  options: ({ options }) => JSON.stringify(options),
  asynchronous: ({ asynchronous }) => asynchronous,
  webhook_target: ({ webhook_target }) => webhook_target,
};

/** Returns the first line of an export with its end; undefined without one. */
export function exportHeader(type: ExportType): string | undefined {
  return type === "csv" ? csvHeader(Object.keys(columns)) : undefined;
}

/** Returns the line of a capture, with its end. */
export function exportLine(row: CaptureRow, type: ExportType): string {
  return type === "csv" ? csvLine(Object.values(columns).map((valueIn) => valueIn(row))) : `${JSON.stringify(row)}\n`;
}

/** Yields the lines of an export, each with its end. */
export async function* exportLines(rows: AsyncIterable<CaptureRow>, type: ExportType): AsyncGenerator<string> {
  const header = exportHeader(type);
  if (header !== undefined) yield header;
  for await (const row of rows) yield exportLine(row, type);
}
