// Checks that the loaded document is the requested page.
import { isDeepStrictEqual } from "node:util";
import { parseRetryAfter } from "../../contract/errors/retry-after.ts";
import { ERROR_STATUSES, type StatusRange } from "../../contract/options/groups/waiting.ts";
import { httpError, navigatedToBlank, navigationError } from "../errors/target-errors.ts";
import type { CapturedPage } from "./captured-page.ts";
import type { MainDocument } from "./page-activity.ts";

/**
 * Throws when the document is not the requested page: a URL that the egress proxy refused, a network error,
 * `about:blank`, or one of the `refused` statuses. Called after the navigation and again at the end, because a page may
 * navigate.
 */
export function confirmDocument(
  { session, activity }: Pick<CapturedPage, "session" | "activity">,
  refused: readonly StatusRange[],
  errorText?: string,
): void {
  const { document } = activity;
  const { url, response } = document;
  const httpFailure = response?.egressFailure;
  const netError = errorText ?? document.netError ?? "";
  const status = httpFailure === undefined ? (response?.status ?? 0) : 0;
  if (httpFailure !== undefined || isNetworkFailure(netError)) {
    const tunnelFailure = netError.includes("ERR_TUNNEL_CONNECTION_FAILED")
      ? session.proxy.tunnelFailure(url)
      : undefined;
    const egress = httpFailure ?? tunnelFailure;
    throw navigationError({ url, netError, status, ...(egress && { egress }) });
  }
  if (document.isBlank) throw navigatedToBlank();
  if (!isWithin(refused, status)) return;
  const retryAfter = parseRetryAfter(response?.headers["retry-after"], Date.now());
  throw httpError(url, status, { isOwnRule: !isDeepStrictEqual(refused, ERROR_STATUSES), retryAfter });
}

/** Whether the network failed before the whole document arrived, for example halfway. */
export function hasFailed({ netError = "" }: MainDocument): boolean {
  return isNetworkFailure(netError);
}

function isNetworkFailure(netError: string): boolean {
  const isEmptyError = netError.includes("ERR_HTTP_RESPONSE_CODE_FAILURE"); // an error status without a body
  return netError !== "" && !isEmptyError;
}

export function isWithin(ranges: readonly StatusRange[], status: number): boolean {
  return ranges.some(({ from, to }) => status >= from && status <= to);
}
