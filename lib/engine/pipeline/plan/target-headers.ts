// The request headers that a plan sends to the origin of the page.

import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import type { HeaderOption } from "../../../contract/options/groups/environment.ts";
import { basicAuthorization } from "../../egress/basic-authorization.ts";
import type { TargetHeaders } from "../../emulation/request-headers.ts";

/** The URL of the page, or the one that HTML is written at; undefined where the page has none. */
export function pageUrl({ url, base_url }: EngineOptions): string | undefined {
  return url ?? base_url;
}

/** Returns undefined where the caller has set none, or the page has no URL. */
export function targetHeaders(options: EngineOptions): TargetHeaders | undefined {
  const { http_auth_username: username, http_auth_password: password = "" } = options;
  const headers = combineHeaders(options.headers ?? []);
  const authorization = username === undefined ? options.authorization : basicAuthorization(username, password);
  const url = pageUrl(options);
  if (url === undefined || (headers.length === 0 && authorization === undefined)) return undefined;
  return { origin: new URL(url).origin, headers, ...(authorization !== undefined && { authorization }) };
}

/**
 * The headers without User-Agent, which is emulated for all requests. Chromium sends only the last header of a name, so the
 * values of a repeated one are joined to a list (RFC 9110, section 5.3).
 */
function combineHeaders(headers: readonly HeaderOption[]): HeaderOption[] {
  const byName = Map.groupBy(headers, ({ name }) => name.toLowerCase());
  byName.delete("user-agent");
  return [...byName.values()].map((lines) => ({
    name: lines[0]?.name ?? "",
    value: lines.map(({ value }) => value).join(", "),
  }));
}
