// Errors of the captured page: failed navigations, HTTP errors, exceeded limits and bot challenges.

import { ApiError, type TargetReport } from "../../contract/errors/api-error.ts";
import type { CaptureLimits, PageLimit } from "../../contract/options/capture-limits.ts";
import { type Format, type FormatKind, formatKind } from "../../contract/options/formats.ts";
import type { EgressFailure } from "../egress/egress-dial.ts";
import { hostName, targetReport, truncateReport } from "./target-report.ts";

/** A failed navigation. */
export interface NavigationFailure {
  readonly url: string;
  /** Chromium's name, such as `net::ERR_CONNECTION_REFUSED`. */
  readonly netError: string;
  /** Status of the response; 0 or undefined when there was none. */
  readonly status?: number;
  /** The cause according to the egress proxy; Chromium reports every proxy failure as the same error. */
  readonly egress?: EgressFailure;
}

/** The error of a blocked address or scheme. It does not name the rule, so that callers cannot map the internal network (SSRF). */
export function urlNotAllowed(url: string | null): ApiError {
  return new ApiError(
    "URL_NOT_ALLOWED",
    "This address is not allowed. You can capture only public http and https addresses.",
    {
      target: targetReport(url),
    },
  );
}

/** The error of a navigation that reached no page. */
export function navigationError(failure: NavigationFailure): ApiError {
  const { url, netError, egress } = failure;
  const host = hostName(url);
  const target = targetReport(url, netError, failure.status || null);
  if (
    egress === "refused" ||
    /ERR_(UNSAFE_|UNKNOWN_URL_SCHEME|INVALID_URL|DISALLOWED_URL|ACCESS_DENIED)/.test(netError)
  ) {
    return urlNotAllowed(url);
  }
  if (egress === "unresolved" || netError.includes("ERR_NAME_NOT_RESOLVED")) {
    const message = `The name ${host} could not be resolved. Check the spelling of the address.`;
    return new ApiError("TARGET_NAME_NOT_RESOLVED", message, {
      target: targetReport(url, "net::ERR_NAME_NOT_RESOLVED"),
    });
  }
  if (egress === "unreachable") {
    const message = `Could not connect to ${host}: the connection was refused, was reset or got no response.`;
    return new ApiError("TARGET_UNREACHABLE", message, { target: targetReport(url, "net::ERR_CONNECTION_FAILED") });
  }
  const proxyProblem = egress && proxyProblems[egress];
  if (proxyProblem !== undefined) {
    return new ApiError("PROXY_FAILED", proxyProblem, { details: { proxy: [proxyProblem] }, target });
  }
  if (/ERR_(CERT|SSL|BAD_SSL)_?/.test(netError)) {
    const message = `The TLS connection to ${host} failed (${netError}). Its certificate or configuration is not valid.`;
    return new ApiError("TARGET_TLS_ERROR", message, { target });
  }
  if (netError.includes("ERR_ABORTED")) {
    const message = "The server responded with a download or with no content, not with a page that can be captured.";
    return new ApiError("TARGET_UNREACHABLE", message, { target });
  }
  return new ApiError("TARGET_UNREACHABLE", `The page at ${host} could not be loaded (${netError}).`, { target });
}

/** Messages about the caller's own proxy. They never include its address, which may contain a password. */
const proxyProblems: Partial<Record<EgressFailure, string>> = {
  "proxy-not-allowed": "The address of the 'proxy' is not allowed. Use a proxy with a public address.",
  "proxy-unreachable": "Could not connect to the 'proxy'. Check its address and port.",
  "proxy-credentials": "The 'proxy' rejected the user name and password. Check them.",
  "proxy-refused": "The 'proxy' refused or failed to connect to the host of the page.",
};

/** What the error of a page that exceeded a limit depends on. */
export interface LimitedCapture {
  readonly limits: CaptureLimits;
  readonly javascript: boolean;
  readonly format: Format;
}

/** The error of a page whose browser was killed because the page exceeded a limit. */
export function limitExceeded(
  limit: PageLimit,
  { limits, javascript, format }: LimitedCapture,
  target: TargetReport,
): ApiError {
  if (limit === "redirects") {
    return navigationError({ url: target.final_url ?? "", netError: "net::ERR_TOO_MANY_REDIRECTS" });
  }
  const allows = limits[limit];
  const { exceeded, help: helpFor } = limitTexts[limit];
  const fullHelp = typeof helpFor === "string" ? helpFor : helpFor[formatKind(format)];
  const help = javascript ? fullHelp : fullHelp.replace(/,? or set javascript=false/, "");
  return new ApiError("TARGET_TOO_LARGE", `The page ${exceeded(allows.toLocaleString("en"))}. ${help}`, {
    details: { limit: [limit] },
    figures: { allows },
    target,
  });
}

/** What helps, by the kind of the result. */
type HelpByFormat = Readonly<Record<FormatKind, string>>;

const scaledHelp = "Capture a smaller page or a part of it, lower device_scale_factor, or set javascript=false.";

/**
 * Chromium lays out all pages of a PDF regardless of the page ranges. The help for PDFs is measured with tables of 12 columns: of 12,000
 * rows, which are divided, 5,000 take 1.3 instead of 1.9 GB, and half the scale 1.6 GB; a table of 8,000 rows that stays whole takes 2.1
 * instead of 4.1 GB at half the scale.
 */
const memoryHelp: HelpByFormat = {
  image: scaledHelp,
  video: scaledHelp,
  pdf:
    "Leave out table rows with hide_selectors, print a part of the page with selector, lower pdf_scale, or choose larger paper. " +
    "Fewer pages with pdf_page_ranges take as much memory.",
  document: "Capture a smaller page, or set javascript=false.",
};

const limitTexts: Record<
  Exclude<PageLimit, "redirects">,
  { exceeded: (allows: string) => string; help: string | HelpByFormat }
> = {
  page_megabytes: {
    exceeded: (allows) => `loads more than ${allows} MB, the limit of a capture`,
    help: "Block what the capture does not need with block_resources=media or block_requests.",
  },
  requests: {
    exceeded: (allows) => `makes more than ${allows} requests, the limit of a capture`,
    help: "Block what the capture does not need with block_requests or block_ads.",
  },
  dom_nodes: {
    exceeded: (allows) => `has more than ${allows} DOM nodes, the limit of a capture`,
    help: "Capture a smaller page, or set javascript=false.",
  },
  workers: {
    exceeded: (allows) => `runs more than ${allows} workers at the same time, the limit of a capture`,
    help: "Block the script that starts them with block_requests, or set javascript=false.",
  },
  memory_megabytes: {
    exceeded: (allows) => `uses more than ${allows} MB of memory, the limit of a capture`,
    help: memoryHelp,
  },
  report_megabytes: {
    exceeded: (allows) => `makes the browser send more than ${allows} MB of DevTools events, the limit of a capture`,
    help: "Block requests with long URLs or large bodies with block_requests, or set javascript=false.",
  },
};

/** The error of a page that crashed each browser in which it was tried. */
export function pageCrashed(target: TargetReport, cause: unknown): ApiError {
  const message =
    "The page crashed the browser, in two attempts. Set javascript=false, or block the script that crashes it with block_requests.";
  return new ApiError("PAGE_CRASHED", message, { target, cause });
}

/** The error of a page whose scripts removed the root element of its document. */
export function rootElementRemoved(url: string | null): ApiError {
  const message =
    "The page removed its own root element, so there is nothing to capture. Set javascript=false to capture it without scripts.";
  return new ApiError("TARGET_UNREACHABLE", message, { target: targetReport(url) });
}

/** The error of a page that cannot be captured deterministically; `why` completes "because …". */
export function notDeterministic(why: string, pending: readonly string[] = []): ApiError {
  const message =
    `The page cannot be captured deterministically, because ${why}. ` +
    "Block that with block_requests or block_resources, or capture without 'deterministic'.";
  const details = { deterministic: [`is not possible, because ${why}`] };
  return new ApiError("NOT_DETERMINISTIC", message, {
    details: { ...details, ...(pending.length > 0 && { pending: pending.slice(0, MAX_PENDING).map(truncateReport) }) },
  });
}

/** URLs in the details of an error. */
const MAX_PENDING = 10;

/** The error of a page that navigated itself to `about:blank`. */
export function navigatedToBlank(): ApiError {
  const message =
    "The page navigated to about:blank, so there is nothing to capture. " +
    "Set javascript=false to capture it without scripts, or check what 'scripts' and 'click' do.";
  return new ApiError("TARGET_UNREACHABLE", message, { target: targetReport("about:blank") });
}

/** The error of a page whose server responded with a status that fails the capture: by default, or by the caller's own rule. `retryAfter` is in seconds. */
export function httpError(
  url: string,
  status: number,
  { isOwnRule = false, retryAfter }: { readonly isOwnRule?: boolean; readonly retryAfter?: number | undefined } = {},
): ApiError {
  const fix = isOwnRule
    ? `Your fail_on_status includes it; leave ${status} out of it to capture the page.`
    : "Set ignore_host_errors=true to capture its error page.";
  const message = `The page at ${hostName(url)} responded with status ${status}. ${fix}`;
  const target = { ...targetReport(url, null, status), ...(retryAfter !== undefined && { retry_after: retryAfter }) };
  return new ApiError("TARGET_HTTP_ERROR", message, { target });
}

/** A bot challenge that did not let the visit through. */
export interface BlockedPage {
  /** The vendor. */
  readonly challenge: string;
  readonly url: string;
  readonly status: number | null;
  /** Options that may help and were not set. */
  readonly untried: readonly string[];
  /** True when the caller's own `fail_on_status` conflicts with `ignore_host_errors`. */
  readonly isOwnRule: boolean;
}

/** The error of a page behind a bot challenge that did not let the visit through. */
export function pageBlocked({ challenge, url, status, untried, isOwnRule }: BlockedPage): ApiError {
  const help = untried.length > 0 ? ` These may help: ${untried.join(", ")}.` : "";
  const message =
    `The page at ${hostName(url)} is behind a bot challenge (${challenge}) that did not let this visit through.${help} ` +
    `Set ignore_host_errors=true${isOwnRule ? " in place of fail_on_status" : ""} to capture the challenge page itself.`;
  return new ApiError("TARGET_BLOCKED", message, {
    details: { wall: [challenge] },
    target: targetReport(url, null, status),
  });
}
