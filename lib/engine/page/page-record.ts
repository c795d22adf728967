// Records what a page writes to its console and asks of the network, from before it is opened.
import type { CDPSession, ConsoleMessage, Protocol } from "puppeteer-core";
import type { EgressFailure } from "../../egress/egress-dial.ts";
import type { EgressProxy } from "../../egress/egress-proxy.ts";
import type { BrowserSession } from "../browser/browser.ts";
import { withoutCredentials } from "../errors/target-report.ts";
import { BLOCKED_WEB_SOCKET } from "../injected/web-sockets.ts";
import { consoleText } from "../outputs/metadata/console-text.ts";
import { lowerCased } from "./network-reports.ts";
import { pageWithConsole } from "./page-reports.ts";
import { isBlockedByClient } from "./page-requests.ts";

export interface ConsoleEntry {
  /** `log`, `warn`, `error`, … as the console method is called; `exception` for an error nobody caught. */
  readonly type: string;
  readonly text: string;
  /** Where it was written, null when that is not known. */
  readonly url: string | null;
  readonly line: number | null;
}

export interface RequestEntry {
  readonly url: string;
  readonly method: string;
  /** Chromium's kind, lower case: `document`, `image`, `fetch`, `websocket`, … */
  readonly type: string;
  /** Null while there is no answer. */
  readonly status_code: number | null;
  /** Bytes received, headers included and as compressed as they came. */
  readonly bytes: number;
  /** Why there is no answer: Chromium's name such as `net::ERR_FAILED`, or the rule that blocked it. */
  readonly failed: string | null;
}

export interface RequestSummary {
  readonly count: number;
  readonly failed: number;
  readonly bytes: number;
  readonly by_type: Readonly<Record<string, number>>;
  /** The first ones, in the order in which they began. */
  readonly list: readonly RequestEntry[];
}

export interface PageRecord {
  /** The first messages, oldest first. */
  readonly console: readonly ConsoleEntry[];
  /** All messages, also those that are not kept. */
  readonly consoleCount: number;
  readonly requests: RequestSummary;
}

/** Begins a record of a page that is followed; what it holds grows with what the page does, up to a bound. */
export async function recordPage(
  session: Pick<BrowserSession, "page" | "cdp" | "proxy">,
  wanted: { console: boolean; requests: boolean },
): Promise<PageRecord> {
  const messages = wanted.console ? await recordConsole(session) : { kept: [], count: 0 };
  const requests = wanted.requests ? recordRequests(session) : undefined;
  return {
    console: messages.kept,
    get consoleCount() {
      return messages.count;
    },
    get requests() {
      return requests?.() ?? { count: 0, failed: 0, bytes: 0, by_type: {}, list: [] };
    },
  };
}

const MAX_MESSAGES = 500;
const MAX_TEXT = 2_000; // a stack trace fits
const MAX_ADDRESS = 2_000;
const MAX_LISTED = 1_000; // of requests; the heaviest pages make about that many
const MAX_OPEN = 10_000; // followed at a time; Chromium keeps the ones beyond waiting anyway

async function recordConsole(
  session: Pick<BrowserSession, "page" | "cdp">,
): Promise<{ kept: ConsoleEntry[]; count: number }> {
  const page = await pageWithConsole(session);
  const record = { kept: [] as ConsoleEntry[], count: 0 };
  const keep = (entry: () => ConsoleEntry) => {
    record.count++;
    if (record.kept.length < MAX_MESSAGES) record.kept.push(entry());
  };
  page.on("console", (message) => {
    keep(() => ({ type: message.type(), text: cut(textOf(message), MAX_TEXT), ...placeOf(message) }));
    for (const value of message.args()) void value.dispose().catch(() => undefined); // they would live as long as the page
  });
  page.on("pageerror", (error) => {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    keep(() => ({ type: "exception", text: cut(text, MAX_TEXT), url: null, line: null }));
  });
  return record;
}

function textOf(message: ConsoleMessage): string {
  const values = message.args().map((value) => value.remoteObject());
  return values.length > 0 ? consoleText(values) : message.text(); // Chromium's own messages have no values
}

function placeOf(message: ConsoleMessage): { url: string | null; line: number | null } {
  const { url, lineNumber } = message.location();
  return { url: url ? address(url) : null, line: lineNumber === undefined ? null : lineNumber + 1 };
}

type Open = { -readonly [K in keyof RequestEntry]: RequestEntry[K] };

function recordRequests({
  cdp,
  proxy,
}: {
  readonly cdp: CDPSession;
  readonly proxy: EgressProxy;
}): () => RequestSummary {
  const list: Open[] = [];
  const open = new Map<string, Open>();
  const byType = new Map<string, number>();
  const totals = { count: 0, failed: 0, bytes: 0 };

  const begin = (id: string, entry: Open) => {
    totals.count++;
    byType.set(entry.type, (byType.get(entry.type) ?? 0) + 1);
    if (list.length < MAX_LISTED) list.push(entry);
    if (open.size < MAX_OPEN) open.set(id, entry);
  };
  const end = (id: string, bytes: number, reason: string | null) => {
    const entry = open.get(id);
    open.delete(id);
    if (!entry) return;
    const failed = entry.failed ?? reason;
    Object.assign(entry, { bytes, failed });
    totals.bytes += bytes;
    if (failed !== null && failed !== KEPT_OUT) totals.failed++;
  };
  const answered = (id: string, { status, headers }: { status: number; headers: object }, bytes = 0) => {
    const entry = open.get(id);
    if (!entry) return;
    const egress = proxy.failureIn(lowerCased(headers));
    Object.assign(entry, egress ? { failed: reasonOf[egress] } : { status_code: status, bytes });
  };

  cdp.on("Network.requestWillBeSent", ({ requestId, request, type, redirectResponse }) => {
    if (!/^https?:/i.test(request.url)) return; // data: and blob: never leave the page
    if (redirectResponse) {
      answered(requestId, redirectResponse);
      end(requestId, redirectResponse.encodedDataLength, null);
    }
    begin(requestId, opened(request.url, request.method, type));
  });
  cdp.on("Network.webSocketCreated", ({ requestId, url }) => {
    if (url !== BLOCKED_WEB_SOCKET) begin(requestId, opened(url, "GET", "WebSocket"));
  });
  cdp.on("Network.responseReceived", ({ requestId, response }) =>
    answered(requestId, response, response.encodedDataLength),
  );
  cdp.on("Network.webSocketHandshakeResponseReceived", ({ requestId, response }) => answered(requestId, response));
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => end(requestId, encodedDataLength, null));
  cdp.on("Network.loadingFailed", ({ requestId, errorText, blockedReason, canceled }) => {
    const { url = "", status_code = null, bytes = 0 } = open.get(requestId) ?? {};
    const isUnread = canceled === true && status_code !== null; // the page took the answer and not its body
    const egress = errorText.includes("ERR_TUNNEL_CONNECTION_FAILED") ? proxy.tunnelFailure(url) : undefined;
    const refused = isBlockedByClient(errorText) ? KEPT_OUT : blockedReason && `blocked: ${blockedReason}`;
    const reason = egress ? reasonOf[egress] : refused || errorText;
    end(requestId, bytes, isUnread ? null : cut(reason, MAX_TEXT));
  });
  cdp.on("Network.webSocketFrameError", ({ requestId, errorMessage }) =>
    end(requestId, 0, cut(errorMessage, MAX_TEXT)),
  );
  return () => ({ ...totals, by_type: Object.fromEntries(byType), list: list.map((entry) => ({ ...entry })) });
}

/** Of what the capture keeps out of the page, which is no failure. */
const KEPT_OUT = "blocked";

/** What the egress proxy knows better than Chromium. Refusals do not say which rule. */
const reasonOf: Readonly<Record<EgressFailure, string>> = {
  refused: "blocked: address not allowed",
  unresolved: "net::ERR_NAME_NOT_RESOLVED",
  unreachable: "net::ERR_CONNECTION_FAILED",
  "proxy-not-allowed": "net::ERR_PROXY_CONNECTION_FAILED",
  "proxy-unreachable": "net::ERR_PROXY_CONNECTION_FAILED",
  "proxy-credentials": "net::ERR_PROXY_AUTH_REQUESTED",
  "proxy-refused": "net::ERR_TUNNEL_CONNECTION_FAILED",
};

function opened(url: string, method: string, type: Protocol.Network.ResourceType = "Other"): Open {
  return {
    url: address(url),
    method: cut(method, 100),
    type: type.toLowerCase(),
    status_code: null,
    bytes: 0,
    failed: null,
  };
}

function address(url: string): string {
  return cut(withoutCredentials(url), MAX_ADDRESS);
}

function cut(text: string, most: number): string {
  return (text.length > most ? `${text.slice(0, most - 1)}…` : text).toWellFormed();
}
