// Why a page could not be captured: Chromium's and the proxy's words turned into the errors a caller reads.

import type { EgressFailure } from "../../egress/egress-dial.ts";
import { ApiError, type TargetReport } from "../../errors/api-error.ts";
import type { CaptureLimits, PageLimit } from "../../options/capture-limits.ts";
import type { Area } from "../outputs/screenshot/area.ts";

/** How an attempt to open an address went wrong. */
export interface NavigationFailure {
  readonly url: string;
  /** Chromium's name, such as `net::ERR_CONNECTION_REFUSED`. */
  readonly netError: string;
  /** Status of the answer; 0 or undefined if there was none. */
  readonly status?: number;
  /** What the egress proxy knows better than Chromium, to which a failed proxy request is one and the same. */
  readonly egress?: EgressFailure;
}

/** The refusal of an address or scheme. It does not say which rule, so that nobody can map what is behind it. */
export function urlNotAllowed(url: string | null): ApiError {
  return new ApiError(
    "URL_NOT_ALLOWED",
    "This address is not allowed. Only public http and https addresses can be captured.",
    {
      target: report(url),
    },
  );
}

/** The error of a navigation that did not arrive at a page. */
export function navigationError(failure: NavigationFailure): ApiError {
  const { url, netError, egress } = failure;
  const host = hostOf(url);
  const target = report(url, netError, failure.status || null);
  if (
    egress === "refused" ||
    /ERR_(UNSAFE_|UNKNOWN_URL_SCHEME|INVALID_URL|DISALLOWED_URL|ACCESS_DENIED)/.test(netError)
  ) {
    return urlNotAllowed(url);
  }
  if (egress === "unresolved" || netError.includes("ERR_NAME_NOT_RESOLVED")) {
    const message = `The name ${host} could not be resolved. Check the spelling of the address.`;
    return new ApiError("TARGET_NAME_NOT_RESOLVED", message, { target: report(url, "net::ERR_NAME_NOT_RESOLVED") });
  }
  if (egress === "unreachable") {
    const message = `No connection to ${host} could be made: it refused, reset or did not answer.`;
    return new ApiError("TARGET_UNREACHABLE", message, { target: report(url, "net::ERR_CONNECTION_FAILED") });
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
    const message = "The address answered with a download or with no content, not with a page that can be shown.";
    return new ApiError("TARGET_UNREACHABLE", message, { target });
  }
  return new ApiError("TARGET_UNREACHABLE", `The page at ${host} could not be loaded (${netError}).`, { target });
}

/** What is told of the caller's own proxy; its address holds a password and is not repeated. */
const proxyProblems: Partial<Record<EgressFailure, string>> = {
  "proxy-not-allowed": "The address of the 'proxy' is not allowed. Only proxies on public addresses can be used.",
  "proxy-unreachable": "The 'proxy' could not be reached, or did not answer. Check its address and port.",
  "proxy-credentials": "The 'proxy' refused the user name and password. Check them.",
  "proxy-refused": "The 'proxy' refused to connect to the page's host, or could not.",
};

/** The error of a page that went beyond a limit and was ended. */
export function limitExceeded(limit: PageLimit, limits: CaptureLimits, target: TargetReport): ApiError {
  if (limit === "redirects") {
    return navigationError({ url: target.final_url ?? "", netError: "net::ERR_TOO_MANY_REDIRECTS" });
  }
  const allows = limits[limit];
  const { tooMuch, help } = excesses[limit];
  return new ApiError("TARGET_TOO_LARGE", `The page ${tooMuch(allows.toLocaleString("en"))}. ${help}`, {
    details: { limit: [limit] },
    figures: { allows },
    target,
  });
}

const excesses: Record<Exclude<PageLimit, "redirects">, { tooMuch: (allows: string) => string; help: string }> = {
  page_megabytes: {
    tooMuch: (allows) => `loads more than the ${allows} MB that a capture may`,
    help: "Keep out what the picture does not need, with block_resources=media or block_requests.",
  },
  requests: {
    tooMuch: (allows) => `makes more than the ${allows} requests that a capture may`,
    help: "Keep out what the picture does not need, with block_requests or block_ads.",
  },
  dom_nodes: {
    tooMuch: (allows) => `has more than the ${allows} nodes that a capture may`,
    help: "Capture a page that is divided into several, or without scripts (javascript=false).",
  },
  memory_megabytes: {
    tooMuch: (allows) => `uses more than the ${allows} MB of memory that a capture may`,
    help: "Capture a smaller page or part, lower device_scale_factor, or keep its scripts out with javascript=false.",
  },
  report_megabytes: {
    tooMuch: (allows) => `makes the browser report more than the ${allows} MB that a capture may`,
    help: "Keep out what has long addresses or carries much, with block_requests, or its scripts, with javascript=false.",
  },
};

/** The error of a page whose scripts have removed even the root of its document. */
export function documentGone(url: string | null): ApiError {
  const message =
    "The page has taken its own document away, so that nothing is left to capture. Capture it without scripts (javascript=false).";
  return new ApiError("TARGET_UNREACHABLE", message, { target: report(url) });
}

/** The error of a page that has gone to `about:blank` by itself. */
export function leftForBlank(): ApiError {
  const message =
    "The page left for the empty document about:blank, so that nothing is left to capture. " +
    "Capture it without scripts (javascript=false), or check what 'scripts' and 'click' do.";
  return new ApiError("TARGET_UNREACHABLE", message, { target: report("about:blank") });
}

/** The error of a page whose server answered 4xx or 5xx. */
export function httpError(url: string, status: number): ApiError {
  const message =
    `The page at ${hostOf(url)} answered with status ${status}. ` +
    "Set ignore_host_errors=true to capture its error page.";
  return new ApiError("TARGET_HTTP_ERROR", message, { target: report(url, null, status) });
}

/** A wall against robots, with the address and status at which it stands. */
export interface Blocked {
  /** Whose it is. */
  readonly wall: string;
  readonly url: string;
  readonly status: number | null;
  /** What may help and was not tried. */
  readonly untried: readonly string[];
}

/** The error of a page that a wall against robots does not let through. */
export function pageBlocked({ wall, url, status, untried }: Blocked): ApiError {
  const help = untried.length > 0 ? ` What may help, without any promise: ${untried.join(", ")}.` : "";
  const message =
    `The page at ${hostOf(url)} is behind a wall against robots (${wall}), which did not let this visit through.${help} ` +
    "Set ignore_host_errors=true to capture the wall itself.";
  return new ApiError("TARGET_BLOCKED", message, { details: { wall: [wall] }, target: report(url, null, status) });
}

export interface TimeoutReport {
  readonly phase: string;
  /** What was being waited for, to follow those words; may be empty. */
  readonly awaited: string;
  /** Addresses of the requests that were not answered. */
  readonly pending: readonly string[];
  /** True where what is painted could be had instead. */
  readonly canBePartial: boolean;
}

/** The error of a capture that ran out of time: it names the phase and what was still being waited for. */
export function captureTimeout(
  { phase, awaited, pending, canBePartial }: TimeoutReport,
  target: TargetReport,
): ApiError {
  const shown = pending.slice(0, 10).map(shortened);
  const more = pending.length > shown.length ? [`and ${pending.length - shown.length} more`] : [];
  const waiting = pending.length > 0 ? ` ${pending.length} request(s) were still pending, see details.` : "";
  return new ApiError(
    "CAPTURE_TIMEOUT",
    `The capture ran out of time in the phase '${phase}'${awaited && `, waiting for ${awaited}`}.${waiting} ` +
      `Raise timeout${canBePartial ? ", wait for less with wait_until, or set on_timeout=capture" : " or wait for less with wait_until"}.`,
    { details: { phase: [phase], pending: [...shown, ...more] }, target },
  );
}

/** The warning of a capture that was taken all the same when its time was up. */
export function notReady(awaited: string, pending: readonly string[]): string {
  const still = pending.length > 0 ? ` Still pending: ${firstElement(pending)}.` : "";
  return `The page was captured before it was ready: time was up while waiting for ${awaited}.${still}`;
}

/** The first of some requests, and how many more there are. */
export function firstElement([first, ...more]: readonly string[]): string {
  if (first === undefined) return "nothing on the network";
  return more.length > 0 ? `${shortened(first)} and ${more.length} more` : shortened(first);
}

/** The error of selectors that nothing visible matched; `option` is where the caller named them. */
export function selectorNotFound(
  option: string,
  missing: readonly string[],
  waitedMs: number,
  hidden: boolean,
): ApiError {
  const seconds = Number((waitedMs / 1000).toFixed(1));
  const found = hidden ? "only hidden elements matched" : "no element matched";
  const names = missing.map((selector) => `'${shortened(selector)}'`);
  return new ApiError(
    "SELECTOR_NOT_FOUND",
    `${capitalised(found)} the selector ${names.join(" or ")} of '${option}'. Check it against the page.`,
    { details: { [option]: names.map((name) => `${found} ${name} within ${seconds} s`) } },
  );
}

/** The error of a rectangle of which the page has no pixel. */
export function outsidePage(area: Area, page: { readonly width: number; readonly height: number }): ApiError {
  const details = {
    ...(area.x >= page.width && { clip_x: [`must be less than the page's width of ${page.width} pixels`] }),
    ...(area.y >= page.height && { clip_y: [`must be less than the page's height of ${page.height} pixels`] }),
  };
  return new ApiError(
    "SELECTOR_NOT_FOUND",
    `The rectangle lies outside of the page, which is ${page.width} × ${page.height} CSS pixels. Lower ${Object.keys(details).join(" and ")}.`,
    { details },
  );
}

/** The error of an element that lies `where` the page cannot be scrolled to, such as "to the left of" it. */
export function elementOffPage(option: string, selector: string, where: string): ApiError {
  const problem = `the element that matches '${shortened(selector)}' lies wholly ${where} the page`;
  const message =
    `${capitalised(problem)}, where nothing can be captured ('${option}'). ` +
    "Move it into the page with 'styles', open it with 'click', or select another element.";
  return new ApiError("SELECTOR_NOT_FOUND", message, { details: { [option]: [problem] } });
}

/** The refusal of a selector that is no CSS. */
export function invalidSelector(option: string, selector: string): ApiError {
  const message = `Option '${option}' is not a valid CSS selector: '${shortened(selector)}'.`;
  return new ApiError("VALIDATION_ERROR", message, {
    details: { [option]: [`is not a valid CSS selector: '${shortened(selector)}'`] },
  });
}

/** The error of one of the caller's scripts, counted from 0. */
export function scriptFailed(index: number, why: string): ApiError {
  const message = `The script at position ${index + 1} of 'scripts' failed: ${why}.`;
  return new ApiError("SCRIPT_FAILED", message, { details: { scripts: [`script ${index + 1}: ${why}`] } });
}

/** The error of a style sheet of the caller's that did not come. */
export function styleFailed(href: string): ApiError {
  const address = withoutCredentials(href);
  const message = `The style sheet ${shortened(address)} of 'styles' could not be loaded. Check its address.`;
  return new ApiError("STYLE_FAILED", message, { details: { styles: [`could not load ${shortened(address)}`] } });
}

/** The error of an expression that was waited for in vain. */
export function expressionFailed(why: string): ApiError {
  return new ApiError("EXPRESSION_FAILED", `Waiting for 'wait_for_expression' was in vain: ${why}.`, {
    details: { wait_for_expression: [why] },
  });
}

/** The failure a caller asked for by a rule. */
export function contentRuleFailed(option: string, why: string): ApiError {
  const short = shortened(why);
  return new ApiError("CONTENT_RULE_FAILED", `The rule '${option}' matched: ${short}.`, {
    details: { [option]: [short] },
  });
}

/** True for the many ways Chromium and puppeteer say that the page navigated while it was being asked something. */
export function isContextLost(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return /context was destroyed|Cannot find context|detached|Inspected target navigated|uniqueContextId not found|Argument should belong/i.test(
    message,
  );
}

/** What is known of a target, its address without credentials and cut where it is longer than anybody reads. */
export function report(url: string | null, netError: string | null = null, status: number | null = null): TargetReport {
  const address = url && withoutCredentials(url).slice(0, ADDRESS_MAX_CHARACTERS).toWellFormed();
  return { http_status_code: status, net_error: netError, final_url: address };
}

/** A page can lead to an address of two million characters, and a failure is kept in places that take 400 KB. */
const ADDRESS_MAX_CHARACTERS = 4_000;

/** The address without user name and password. */
export function withoutCredentials(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed?.username && !parsed?.password) return url;
  parsed.username = "";
  parsed.password = "";
  return parsed.href;
}

function hostOf(url: string): string {
  return shortened(URL.parse(url)?.host ?? url);
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 197)}...` : text;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
