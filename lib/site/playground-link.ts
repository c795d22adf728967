// Links that open the playground with the options of a request: `#o=` and base64url of deflated JSON, which no server sees.
import { deflateRawSync } from "node:zlib";
import type { SampleRequest } from "./samples/http-request.ts";
import { BASE_PATH } from "./site-files.ts";
import { FRAGMENT_PREFIX } from "./web/shared/share-link.ts";

/** The playground reads texts as the API does, so values can be those of a query. */
export function playgroundLink(options: Readonly<Record<string, unknown>>): string {
  return `${BASE_PATH}/playground${FRAGMENT_PREFIX}${deflateRawSync(JSON.stringify(options)).toString("base64url")}`;
}

/** The options of a request that captures; undefined for another request, and for one with variables of the shell. */
export function requestedOptions({ url, body }: SampleRequest): Record<string, unknown> | undefined {
  const [address = "", query = ""] = url.split("?");
  if (!address.endsWith("/api/v1/screenshot")) return undefined;
  const pairs = body?.kind === "form" ? body.fields : [...new URLSearchParams(query)];
  const options = body?.kind === "json" ? (JSON.parse(body.text) as Record<string, unknown>) : gathered(pairs);
  return JSON.stringify(options).includes("$") || Object.keys(options).length === 0 ? undefined : options;
}

/** Repeated parameters become lists. */
function gathered(pairs: readonly (readonly [name: string, value: string])[]): Record<string, unknown> {
  return Object.fromEntries(
    [...Map.groupBy(pairs, ([name]) => name)].map(([name, all]) => {
      const values = all.map(([, value]) => value);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
