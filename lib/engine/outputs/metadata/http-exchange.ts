// What the server of a page answered, and by which detours the page was reached.

import { withoutCredentials } from "../../errors/target-report.ts";
import type { DocumentResponse } from "../../page/page-requests.ts";

export interface HttpExchange {
  readonly status_code: number;
  /** Names in lower case. What can only be sent in several headers, as cookies are, is a list. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly final_url: string;
  /** The addresses that led to the final one, in order. */
  readonly redirects: readonly { readonly url: string; readonly status_code: number }[];
}

/** Chromium bounds the headers of an answer to 256 KB and the redirects of a navigation to 19. */
export function httpExchange(answer: DocumentResponse, { headers }: { headers: boolean }): HttpExchange {
  return {
    status_code: answer.status,
    ...(headers && { headers: separated(answer.headers) }),
    final_url: withoutCredentials(answer.url),
    redirects: answer.redirects.map(({ url, status }) => ({ url: withoutCredentials(url), status_code: status })),
  };
}

/** Chromium joins the values of a header that came several times by line breaks. */
function separated(headers: DocumentResponse["headers"]): Record<string, string | string[]> {
  const entries = Object.entries(headers).map(([name, value]): [string, string | string[]] => {
    const values = value.split("\n").map((part) => part.trim());
    return [name, name === "set-cookie" ? values : values.join(", ")];
  });
  return Object.fromEntries(entries);
}
