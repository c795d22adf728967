// A page of capture logs, as the API answers it.

import type { ResponseBody } from "../http/response-fields.ts";
import type { CaptureRow } from "./capture-row.ts";
import type { UsagePage } from "./responses.ts";
import type { ListOptions } from "./usage-options.ts";

/** One page of a list of `total` captures. A page beyond the last is empty, with `from` and `to` null. */
export function usagePage(
  rows: readonly CaptureRow[],
  { total, options, baseUrl }: { total: number; options: ListOptions; baseUrl: string },
): ResponseBody<typeof UsagePage> {
  const { page, per_page } = options;
  const before = (page - 1) * per_page;
  return {
    current_page: page,
    data: rows,
    first_page_url: firstPageUrl(options, baseUrl),
    from: rows.length > 0 ? before + 1 : null,
    to: rows.length > 0 ? before + rows.length : null,
    last_page: Math.max(1, Math.ceil(total / per_page)),
    per_page,
    total,
  };
}

/** URL of the first page of the same list, with the same filters. */
function firstPageUrl({ page: _, per_page, ...filters }: ListOptions, baseUrl: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  if (per_page !== 25) query.set("per_page", String(per_page));
  query.set("page", "1");
  return `${baseUrl}/api/v1/usage?${query}`;
}
