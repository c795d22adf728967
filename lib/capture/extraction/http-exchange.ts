// What the server of a page answered, and by which detours the page was reached.
import type { HTTPResponse } from "puppeteer-core";
import { withoutCredentials } from "../failure.ts";

export interface HttpExchange {
  readonly status_code: number;
  /** Names in lower case. What can only be sent in several headers, as cookies are, is a list. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly final_url: string;
  /** The addresses that led to the final one, in order. */
  readonly redirects: readonly { readonly url: string; readonly status_code: number }[];
}

/** Chromium bounds the headers of an answer to 256 KB and the redirects of a navigation to 20. */
export function httpExchange(response: HTTPResponse, { headers }: { headers: boolean }): HttpExchange {
  return {
    status_code: response.status(),
    ...(headers && { headers: separated(response.headers()) }),
    final_url: withoutCredentials(response.url()),
    redirects: response
      .request()
      .redirectChain()
      .map((hop) => ({ url: withoutCredentials(hop.url()), status_code: hop.response()?.status() ?? 0 })),
  };
}

/** Chromium joins the values of a header that came several times by line breaks. */
function separated(headers: Record<string, string>): Record<string, string | string[]> {
  const entries = Object.entries(headers).map(([name, value]): [string, string | string[]] => {
    const values = value.split("\n").map((part) => part.trim());
    return [name.toLowerCase(), name.toLowerCase() === "set-cookie" ? values : values.join(", ")];
  });
  return Object.fromEntries(entries);
}
