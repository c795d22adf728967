// Records a page's requests: counts, bytes and failures of all, and a list of the first ones.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { EgressFailure } from "../egress/egress-dial.ts";
import type { EgressProxy } from "../egress/egress-proxy.ts";
import { BLOCKED_WEB_SOCKET } from "../injected/web-sockets.ts";
import { isBlockedByClient } from "./page-requests.ts";
import { cleanUrl, truncate } from "./record-text.ts";

export interface RequestEntry {
  readonly url: string;
  readonly method: string;
  /** Chromium's resource type in lower case: `document`, `image`, `fetch`, `websocket`, … */
  readonly type: string;
  /** Null while there is no response. */
  readonly status_code: number | null;
  /** Bytes received, with headers, as compressed. */
  readonly bytes: number;
  /** Why there is no response: Chromium's error such as `net::ERR_FAILED`, or the rule that blocked the request. */
  readonly failed: string | null;
}

export interface RequestSummary {
  readonly count: number;
  readonly failed: number;
  readonly bytes: number;
  readonly by_type: Readonly<Record<string, number>>;
  /** The first requests, in the order in which they started. */
  readonly list: readonly RequestEntry[];
}

const MAX_LISTED_REQUESTS = 1_000; // the heaviest pages make about that many
const MAX_OPEN_REQUESTS = 10_000; // tracked at a time; Chromium queues further ones anyway
const MAX_REASON_LENGTH = 2_000;
const MAX_METHOD_LENGTH = 100;

type MutableEntry = { -readonly [K in keyof RequestEntry]: RequestEntry[K] };

/** Starts recording requests; the returned function reads the record so far. */
export function recordRequests({
  cdp,
  proxy,
}: {
  readonly cdp: CDPSession;
  readonly proxy: EgressProxy;
}): () => RequestSummary {
  const list: MutableEntry[] = [];
  const open = new Map<string, MutableEntry>();
  const byType = new Map<string, number>();
  const totals = { count: 0, failed: 0, bytes: 0 };

  const start = (id: string, entry: MutableEntry) => {
    totals.count++;
    byType.set(entry.type, (byType.get(entry.type) ?? 0) + 1);
    if (list.length < MAX_LISTED_REQUESTS) list.push(entry);
    if (open.size < MAX_OPEN_REQUESTS) open.set(id, entry);
  };
  const end = (id: string, bytes: number, reason: string | null) => {
    const entry = open.get(id);
    open.delete(id);
    if (!entry) return;
    const failed = entry.failed ?? reason;
    Object.assign(entry, { bytes, failed });
    totals.bytes += bytes;
    if (failed !== null && failed !== BLOCKED_BY_CAPTURE) totals.failed++;
  };
  const respond = (id: string, { url, status }: { url: string; status: number }, bytes = 0) => {
    const entry = open.get(id);
    if (!entry) return;
    const egressFailure = proxy.requestFailure(url, status);
    Object.assign(entry, egressFailure ? { failed: failureReasons[egressFailure] } : { status_code: status, bytes });
  };

  cdp.on("Network.requestWillBeSent", ({ requestId, request, type, redirectResponse }) => {
    if (!/^https?:/i.test(request.url)) return; // data: and blob: URLs cause no network traffic
    if (redirectResponse) {
      respond(requestId, redirectResponse);
      end(requestId, redirectResponse.encodedDataLength, null);
    }
    start(requestId, newEntry(request.url, request.method, type));
  });
  cdp.on("Network.webSocketCreated", ({ requestId, url }) => {
    if (url !== BLOCKED_WEB_SOCKET) start(requestId, newEntry(url, "GET", "WebSocket"));
  });
  cdp.on("Network.responseReceived", ({ requestId, response }) =>
    respond(requestId, response, response.encodedDataLength),
  );
  cdp.on("Network.webSocketHandshakeResponseReceived", ({ requestId, response }) =>
    respond(requestId, { url: "", ...response }),
  );
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => end(requestId, encodedDataLength, null));
  cdp.on("Network.loadingFailed", ({ requestId, errorText, blockedReason, canceled }) => {
    const { url = "", status_code = null, bytes = 0 } = open.get(requestId) ?? {};
    const isUnread = canceled === true && status_code !== null; // the page got the response and did not read its body
    const egressFailure = errorText.includes("ERR_TUNNEL_CONNECTION_FAILED") ? proxy.tunnelFailure(url) : undefined;
    const blockedBy = isBlockedByClient(errorText) ? BLOCKED_BY_CAPTURE : blockedReason && `blocked: ${blockedReason}`;
    const reason = egressFailure ? failureReasons[egressFailure] : blockedBy || errorText;
    end(requestId, bytes, isUnread ? null : truncate(reason, MAX_REASON_LENGTH));
  });
  cdp.on("Network.webSocketFrameError", ({ requestId, errorMessage }) =>
    end(requestId, 0, truncate(errorMessage, MAX_REASON_LENGTH)),
  );
  return () => ({ ...totals, by_type: Object.fromEntries(byType), list: list.map((entry) => ({ ...entry })) });
}

/** Requests that the capture itself blocks; they do not count as failed. */
const BLOCKED_BY_CAPTURE = "blocked";

/** The egress proxy knows these causes better than Chromium. A refusal does not say which rule applied. */
const failureReasons: Readonly<Record<EgressFailure, string>> = {
  refused: "blocked: address not allowed",
  unresolved: "net::ERR_NAME_NOT_RESOLVED",
  unreachable: "net::ERR_CONNECTION_FAILED",
  "proxy-not-allowed": "net::ERR_PROXY_CONNECTION_FAILED",
  "proxy-unreachable": "net::ERR_PROXY_CONNECTION_FAILED",
  "proxy-credentials": "net::ERR_PROXY_AUTH_REQUESTED",
  "proxy-refused": "net::ERR_TUNNEL_CONNECTION_FAILED",
};

function newEntry(url: string, method: string, type: Protocol.Network.ResourceType = "Other"): MutableEntry {
  return {
    url: cleanUrl(url),
    method: truncate(method, MAX_METHOD_LENGTH),
    type: type.toLowerCase(),
    status_code: null,
    bytes: 0,
    failed: null,
  };
}
