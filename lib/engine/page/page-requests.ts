// Tracks the requests of a page and its workers: open ones, failed ones, and the responses of its documents.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { BrowserSession } from "../browser/browser.ts";
import type { EgressFailure } from "../egress/egress-dial.ts";
import { withoutCredentials } from "../errors/target-report.ts";
import { enableNetworkEvents, lowerCaseNames } from "./network-events.ts";

/** Types of requests that stay open as long as the page likes; no wait includes them. */
const LONG_LIVED_TYPES = new Set<string>(["WebSocket", "EventSource", "Ping", "Preflight", "CSPViolationReport"]);

/** A script that requests a URL this often is polling; no wait includes its further requests. */
const POLLING_MIN_REQUESTS = 10;
const POLLING_TYPES = new Set<string>(["Fetch", "XHR"]);

const MAX_FAILURES = 1_000;

/** True for errors caused by our own request blocking. */
export const isBlockedByClient = (netError: string) => netError.startsWith("net::ERR_BLOCKED_BY_CLIENT");

/** What a page does in real time, also while its clock is virtual. */
export type RealTimeUse = "web-socket" | "event-source" | "media" | "worker";

/** A failed request: its URL without credentials, and the error status or Chromium's error. */
export interface FailedRequest {
  readonly url: string;
  readonly reason: string;
}

/** The server's response for a document. */
export interface DocumentResponse {
  readonly url: string;
  readonly status: number;
  /** By lower-case name, as the server sent them; repeated headers are joined by line breaks. */
  readonly headers: Readonly<Record<string, string>>;
  /** The redirects that led here, in order. */
  readonly redirects: readonly Redirect[];
  /** Why the egress proxy itself responded instead of the server. */
  readonly egressFailure?: EgressFailure;
}

interface Redirect {
  readonly url: string;
  readonly status: number;
}

/** Receives events of the main frame's documents, by loader id, and of any change. */
export interface RequestListener {
  isMainFrame(frameId: string | undefined): boolean;
  /** Also called for each redirect. */
  documentRequested(id: string, url: string): void;
  /** Called again when more of the response becomes known. */
  documentResponded(id: string, response: DocumentResponse): void;
  documentFailed(id: string, netError: string): void;
  changed(): void;
}

/** The page's limits, the function that ends a page beyond them, and the proxy, which knows why it failed a request. */
export type RequestBounds = Pick<BrowserSession, "limits" | "exceedLimit" | "proxy">;

interface OpenRequest {
  readonly url: string;
  /** Loader id of the document whose style sheet is requested; undefined for other requests. */
  readonly styledDocument?: string;
  /** Redirects of a main-frame document; undefined for other requests. */
  readonly document?: { readonly redirects: readonly Redirect[] };
}

/** Chromium shows images of some other types as well, such as `application/octet-stream`. */
function isNoImage(mimeType: string): boolean {
  return /^text\/(?:html|plain|css)|json|javascript/.test(mimeType);
}

export class PageRequests {
  readonly #bounds: RequestBounds;
  readonly #listener: RequestListener;
  /** Requests without a response by id, oldest first, and the sequence numbers of the awaited ones. */
  readonly #requests = new Map<string, OpenRequest>();
  readonly #open = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  readonly #failures: FailedRequest[] = [];
  /** The newest document: its response, and its raw headers, which Chromium reports in a separate event. */
  #newest: { id: string; response?: DocumentResponse; extraInfo?: Protocol.Network.ResponseReceivedExtraInfoEvent } = {
    id: "",
  };
  readonly #realTimeUses = new Set<RealTimeUse>();
  /** Requests for the scripts of workers, which have no thread yet that the resource monitor could count. */
  readonly #startingWorkers = new Set<string>();
  readonly #pdfFrames = new Set<string>();
  readonly #brokenImages = new Set<string>();
  #total = 0;
  #started = 0;

  constructor(cdp: CDPSession, bounds: RequestBounds, listener: RequestListener) {
    this.#bounds = bounds;
    this.#listener = listener;
    this.#track(cdp);
    cdp.on("Network.requestWillBeSent", (event) => this.#countStartingWorkers(event));
  }

  /** Number of open, awaited requests. */
  get open(): number {
    return this.#open.size;
  }

  /** What the page has started so far that happens in real time. */
  get realTimeUses(): ReadonlySet<RealTimeUse> {
    return this.#realTimeUses;
  }

  /** Ids of the frames in the page whose document is a PDF. */
  get pdfFrames(): ReadonlySet<string> {
    return this.#pdfFrames;
  }

  /** URLs of requests for images whose responses are of another type. */
  get brokenImages(): ReadonlySet<string> {
    return this.#brokenImages;
  }

  /** Number of awaited requests started so far. */
  get started(): number {
    return this.#started;
  }

  /** Failed requests, oldest first. */
  get failures(): readonly FailedRequest[] {
    return this.#failures;
  }

  /** URLs of the open, awaited requests, oldest first, without credentials. */
  pending(): string[] {
    return [...this.#open.keys()].map((id) => withoutCredentials(this.#requests.get(id)?.url ?? ""));
  }

  /** True when all awaited requests after the first `started` ones have a response. */
  isAnsweredSince(started: number): boolean {
    return [...this.#open.values()].every((sequence) => sequence < started);
  }

  /** True while a style sheet of a document is loading, by the document's loader id. */
  awaitsStyleSheet(loaderId: string): boolean {
    return [...this.#requests.values()].some(({ styledDocument }) => styledDocument === loaderId);
  }

  /** Ends the requests for style sheets of a document that is replaced: Chromium reports no end of one that transforms it. */
  endStyleSheets(loaderId: string): void {
    for (const [id, { styledDocument }] of this.#requests) if (styledDocument === loaderId) this.#end(id);
  }

  #track(cdp: CDPSession): void {
    cdp.on("Network.requestWillBeSent", (event) => this.#request(event));
    cdp.on("Network.responseReceivedExtraInfo", (event) => this.#addRawHeaders(event));
    cdp.on("Network.responseReceived", (event) => this.#respond(event));
    cdp.on("Network.loadingFinished", ({ requestId }) => this.#end(requestId));
    cdp.on("Network.loadingFailed", ({ requestId, errorText }) => {
      const request = this.#requests.get(requestId);
      if (!request) return;
      if (request.document) this.#listener.documentFailed(requestId, errorText);
      this.#fail(request.url, errorText);
      this.#end(requestId);
    });
    cdp.on("Network.webSocketCreated", () => {
      this.#realTimeUses.add("web-socket");
    });
    cdp.on("sessionattached", (worker) => {
      this.#realTimeUses.add("worker");
      this.#track(worker);
      enableNetworkEvents(worker).catch(() => undefined); // it may have ended
    });
  }

  #request(event: Protocol.Network.RequestWillBeSentEvent): void {
    const { limits, exceedLimit } = this.#bounds;
    const { requestId, loaderId, frameId, type = "Other", request, redirectResponse } = event;
    if (type === "EventSource") this.#realTimeUses.add("event-source");
    if (type === "Media") this.#realTimeUses.add("media");
    if (++this.#total > limits.requests) exceedLimit("requests");
    const url = request.url + (request.urlFragment ?? "");
    const isDocument = requestId === loaderId && type === "Document" && this.#listener.isMainFrame(frameId);
    const redirect = redirectResponse && { url: redirectResponse.url, status: redirectResponse.status };
    const redirects = redirect ? [...(this.#requests.get(requestId)?.document?.redirects ?? []), redirect] : [];
    this.#open.delete(requestId); // a redirect counts as another request
    const styledDocument = type === "Stylesheet" ? { styledDocument: loaderId } : {};
    this.#requests.set(requestId, { url, ...styledDocument, ...(isDocument && { document: { redirects } }) });
    if (!LONG_LIVED_TYPES.has(type) && !this.#isPolling(url, type)) this.#open.set(requestId, this.#started++);
    if (isDocument) {
      if (redirects.length > limits.redirects) exceedLimit("redirects");
      this.#newest = { id: requestId };
      this.#listener.documentRequested(requestId, url);
    }
    this.#listener.changed();
  }

  /** Scripts of the page's documents have a loader. Those that a worker imports are of the worker's session. */
  #countStartingWorkers({ type, loaderId, requestId }: Protocol.Network.RequestWillBeSentEvent): void {
    if (type !== "Script" || loaderId !== "") return;
    this.#startingWorkers.add(requestId);
    if (this.#startingWorkers.size > this.#bounds.limits.workers) this.#bounds.exceedLimit("workers");
  }

  #respond({ requestId, type, frameId, response: received }: Protocol.Network.ResponseReceivedEvent): void {
    const { status, headers, mimeType } = received;
    const request = this.#requests.get(requestId);
    if (!request) return;
    if (status >= 400) this.#fail(request.url, String(status));
    else if (type === "Image" && isNoImage(mimeType) && this.#brokenImages.size < MAX_FAILURES)
      this.#brokenImages.add(withoutCredentials(request.url));
    if (type === "Document" && frameId !== undefined && !request.document) {
      if (mimeType === "application/pdf") this.#pdfFrames.add(frameId);
      else this.#pdfFrames.delete(frameId);
    }
    if (request.document && requestId === this.#newest.id) {
      const { redirects } = request.document;
      // Read now: a later request of the page for the same URL may fail.
      const egressFailure = this.#bounds.proxy.requestFailure(request.url, status);
      const response = { url: request.url, status, headers: lowerCaseNames(headers), redirects };
      this.#newest.response = { ...response, ...(egressFailure && { egressFailure }) };
      this.#reportResponse();
    }
    this.#listener.changed();
  }

  /** Comes before or after the response, and for each redirect. */
  #addRawHeaders(event: Protocol.Network.ResponseReceivedExtraInfoEvent): void {
    if (event.requestId !== this.#newest.id) return;
    this.#newest.extraInfo = event;
    this.#reportResponse();
  }

  /** Reports the response with its raw headers: the response event lacks those hidden from pages, such as cookies. */
  #reportResponse(): void {
    const { id, response, extraInfo } = this.#newest;
    if (!response) return;
    const matches = extraInfo?.statusCode === response.status;
    this.#listener.documentResponded(
      id,
      matches ? { ...response, headers: lowerCaseNames(extraInfo.headers) } : response,
    );
  }

  #fail(url: string, reason: string): void {
    if (isBlockedByClient(reason)) return;
    if (this.#failures.length < MAX_FAILURES) this.#failures.push({ url: withoutCredentials(url), reason });
  }

  #end(requestId: string): void {
    this.#startingWorkers.delete(requestId);
    this.#requests.delete(requestId);
    this.#open.delete(requestId);
    this.#listener.changed();
  }

  #isPolling(url: string, type: string): boolean {
    if (!POLLING_TYPES.has(type)) return false;
    const [urlWithoutQuery = ""] = url.split("?", 1);
    const count = (this.#counts.get(urlWithoutQuery) ?? 0) + 1;
    this.#counts.set(urlWithoutQuery, count);
    return count >= POLLING_MIN_REQUESTS;
  }
}
