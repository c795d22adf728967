// Whether the document in the browser is the page that was asked for.
import type { StatusRange } from "../../contract/options/waiting.ts";
import type { Capturing } from "../capturing.ts";
import { httpError, leftForBlank, navigationError } from "../failure.ts";

/**
 * Refuses a document that is not the page that was asked for: an address the proxy turned down, an error of the
 * network, `about:blank`, one of the `refused` statuses. Checked on arrival and again at the end, since a page may have gone elsewhere meanwhile.
 */
export function confirmDocument(
  { session, activity }: Capturing,
  refused: readonly StatusRange[],
  errorText?: string,
): void {
  const { document } = activity;
  const { url, response } = document;
  const refusal = session.proxy.failureIn(response?.headers ?? {});
  const netError = errorText ?? document.netError ?? "";
  const status = refusal === undefined ? (response?.status ?? 0) : 0;
  const answeredEmpty = netError.includes("ERR_HTTP_RESPONSE_CODE_FAILURE"); // an error status without a body
  if (refusal !== undefined || (netError !== "" && !answeredEmpty)) {
    const tunnel = netError.includes("ERR_TUNNEL_CONNECTION_FAILED") ? session.proxy.tunnelFailure(url) : undefined;
    const egress = refusal ?? tunnel;
    throw navigationError({ url, netError, status, ...(egress && { egress }) });
  }
  if (document.isBlank) throw leftForBlank();
  if (isWithin(refused, status)) throw httpError(url, status);
}

export function isWithin(ranges: readonly StatusRange[], status: number): boolean {
  return ranges.some(({ from, to }) => status >= from && status <= to);
}
