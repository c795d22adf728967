// HTTP response metadata of the page: status, headers and redirects.

import { withoutCredentials } from "../../errors/target-report.ts";
import type { DocumentResponse } from "../../page/page-requests.ts";

export interface HttpExchange {
  readonly status_code: number;
  /** By lower-case name. `set-cookie`, which cannot be joined into one value, is a list. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly final_url: string;
  /** The URLs that redirected to the final one, in order. */
  readonly redirects: readonly { readonly url: string; readonly status_code: number }[];
}

/** Chromium limits response headers to 256 KB and redirects to 19. */
export function httpExchange(response: DocumentResponse, { headers }: { headers: boolean }): HttpExchange {
  return {
    status_code: response.status,
    ...(headers && { headers: splitHeaders(response.headers) }),
    final_url: withoutCredentials(response.url),
    redirects: response.redirects.map(({ url, status }) => ({ url: withoutCredentials(url), status_code: status })),
  };
}

/** Chromium joins repeated headers by line breaks. */
function splitHeaders(headers: DocumentResponse["headers"]): Record<string, string | string[]> {
  const entries = Object.entries(headers).map(([name, value]): [string, string | string[]] => {
    const values = value.split("\n").map((part) => part.trim());
    return [name, name === "set-cookie" ? values : values.join(", ")];
  });
  return Object.fromEntries(entries);
}
