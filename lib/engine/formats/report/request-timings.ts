// Records when each request of a page started and ended, for the report of its capture.
import type { CDPSession, Protocol } from "puppeteer-core";
import { isBlockedByClient } from "../../page/page-requests.ts";
import { addressWithoutQuery, truncate } from "../../page/record-text.ts";

export interface RequestTiming {
  /** Without credentials and query. */
  readonly url: string;
  readonly type: string;
  readonly startedAt: number;
  endedAt: number | null;
  statusCode: number | null;
  bytes: number;
  failed: string | null;
  isBlocked: boolean;
}

export interface TlsDetails {
  readonly protocol: string;
  readonly issuer: string;
  /** Seconds since 1970. */
  readonly validTo: number;
}

export interface RequestTimings {
  /** The first requests, in the order in which they started; of the others only the numbers are kept. */
  readonly requests: readonly RequestTiming[];
  readonly count: number;
  /** TLS of the last document of the page; undefined where it came without. */
  readonly tls: TlsDetails | undefined;
}

const MAX_REQUESTS = 3_000;

/** Starts recording; the returned object grows with the page's requests. Times are on the clock of `performance.now()`. */
export function recordTimings(cdp: CDPSession): RequestTimings {
  const requests: RequestTiming[] = [];
  const open = new Map<string, RequestTiming>();
  const record: { requests: RequestTiming[]; count: number; tls: TlsDetails | undefined } = {
    requests,
    count: 0,
    tls: undefined,
  };
  const start = (id: string, url: string, type: string) => {
    record.count++;
    if (requests.length >= MAX_REQUESTS) return;
    const timing = { url: addressWithoutQuery(url), type: type.toLowerCase(), startedAt: performance.now() };
    const request = { ...timing, endedAt: null, statusCode: null, bytes: 0, failed: null, isBlocked: false };
    requests.push(request);
    open.set(id, request);
  };
  const end = (id: string, bytes: number) => {
    const request = open.get(id);
    open.delete(id);
    if (request) Object.assign(request, { endedAt: performance.now(), bytes });
  };
  cdp.on("Network.requestWillBeSent", ({ requestId, request, type = "Other", redirectResponse }) => {
    if (!/^https?:/i.test(request.url)) return;
    const before = open.get(requestId);
    if (redirectResponse && before) {
      before.statusCode = redirectResponse.status;
      end(requestId, redirectResponse.encodedDataLength);
    }
    start(requestId, request.url, type);
  });
  cdp.on("Network.responseReceived", ({ requestId, type, response }) => {
    const request = open.get(requestId);
    if (request) request.statusCode = response.status;
    if (type === "Document") record.tls = tlsDetails(response) ?? record.tls;
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => end(requestId, encodedDataLength));
  cdp.on("Network.loadingFailed", ({ requestId, errorText, blockedReason }) => {
    const request = open.get(requestId);
    if (request)
      Object.assign(request, {
        failed: truncate(errorText, 200),
        isBlocked: isBlockedByClient(errorText) || blockedReason !== undefined,
      });
    end(requestId, request?.bytes ?? 0);
  });
  return record;
}

function tlsDetails({ securityDetails }: Protocol.Network.Response): TlsDetails | undefined {
  if (!securityDetails) return undefined;
  const { protocol, issuer, validTo } = securityDetails;
  return { protocol: truncate(protocol, 50), issuer: truncate(issuer, 200), validTo };
}
