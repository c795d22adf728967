// The requests of a page and of its workers: which are open, which brought nothing, and what came for its documents.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { BrowserSession } from "../browser/browser.ts";
import { withoutCredentials } from "../errors/target-report.ts";
import { lowerCased, reportNetwork } from "./network-reports.ts";

/** Kinds of requests that are open for as long as the page likes, so that nobody waits for them. */
const ENDLESS = new Set<string>(["WebSocket", "EventSource", "Ping", "Preflight", "CSPViolationReport"]);

/** A script that asks for the same address over and over is polling: from this time on nobody waits for it. */
const POLLING_TIMES = 10;
const POLLING_KINDS = new Set<string>(["Fetch", "XHR"]);

const MAX_FAILURES = 1_000;

/** True for how Chromium calls it that the capture keeps a request from the page: no failure of the page. */
export const isBlockedByClient = (netError: string) => netError.startsWith("net::ERR_BLOCKED_BY_CLIENT");

/** A request that brought nothing: its address without credentials, and the error status or Chromium's name of the error. */
export interface FailedRequest {
  readonly url: string;
  readonly reason: string;
}

/** What the server of a document answered. */
export interface DocumentResponse {
  readonly url: string;
  readonly status: number;
  /** By names in lower case, as the server sent them; what came several times is joined by line breaks. */
  readonly headers: Readonly<Record<string, string>>;
  /** What was answered before, under other addresses, in order. */
  readonly redirects: readonly Redirect[];
}

interface Redirect {
  readonly url: string;
  readonly status: number;
}

/** Whoever wants to know of the page's documents, by their ids, and of any change. */
export interface RequestListener {
  isMainFrame(frameId: string | undefined): boolean;
  /** Also told of each redirect. */
  documentAsked(id: string, url: string): void;
  /** Told again where more becomes known of an answer. */
  documentAnswered(id: string, answer: DocumentResponse): void;
  documentFailed(id: string, netError: string): void;
  changed(): void;
}

/** What a page may do, and its end when it does more. */
export type RequestBounds = Pick<BrowserSession, "limits" | "exceed">;

interface OpenRequest {
  readonly url: string;
  /** What has become of a document of the main frame; undefined for anything else. */
  readonly document?: { readonly redirects: readonly Redirect[] };
}

export class PageRequests {
  readonly #bounds: RequestBounds;
  readonly #listener: RequestListener;
  /** By their ids, oldest first: all that have no answer, and the numbers of those that are waited for. */
  readonly #requests = new Map<string, OpenRequest>();
  readonly #open = new Map<string, number>();
  readonly #asked = new Map<string, number>();
  readonly #failures: FailedRequest[] = [];
  /** Of the newest document: what it was answered, and the headers as they were sent, of which Chromium tells apart. */
  #newest: { id: string; answer?: DocumentResponse; sent?: Protocol.Network.ResponseReceivedExtraInfoEvent } = {
    id: "",
  };
  #made = 0;
  #begun = 0;

  constructor(cdp: CDPSession, bounds: RequestBounds, listener: RequestListener) {
    this.#bounds = bounds;
    this.#listener = listener;
    this.#follow(cdp);
  }

  /** How many are waited for. */
  get open(): number {
    return this.#open.size;
  }

  /** How many there have been that were waited for. */
  get begun(): number {
    return this.#begun;
  }

  /** Those that brought nothing, oldest first. */
  get failures(): readonly FailedRequest[] {
    return this.#failures;
  }

  /** Addresses of those that are waited for, oldest first, without credentials. */
  pending(): string[] {
    return [...this.#open.keys()].map((id) => withoutCredentials(this.#requests.get(id)?.url ?? ""));
  }

  /** True when those that began after the first `begun` ones are answered. */
  isAnsweredSince(begun: number): boolean {
    return [...this.#open.values()].every((number) => number < begun);
  }

  #follow(cdp: CDPSession): void {
    cdp.on("Network.requestWillBeSent", (event) => this.#ask(event));
    cdp.on("Network.responseReceivedExtraInfo", (event) => this.#learnHeaders(event));
    cdp.on("Network.responseReceived", ({ requestId, response }) => this.#answer(requestId, response));
    cdp.on("Network.loadingFinished", ({ requestId }) => this.#end(requestId));
    cdp.on("Network.loadingFailed", ({ requestId, errorText }) => {
      const request = this.#requests.get(requestId);
      if (!request) return;
      if (request.document) this.#listener.documentFailed(requestId, errorText);
      this.#fail(request.url, errorText);
      this.#end(requestId);
    });
    cdp.on("sessionattached", (worker) => {
      this.#follow(worker);
      reportNetwork(worker).catch(() => undefined); // it may be gone again
    });
  }

  #ask(event: Protocol.Network.RequestWillBeSentEvent): void {
    const { limits, exceed } = this.#bounds;
    const { requestId, loaderId, frameId, type = "Other", request, redirectResponse } = event;
    if (++this.#made > limits.requests) exceed("requests");
    const url = request.url + (request.urlFragment ?? "");
    const isDocument = requestId === loaderId && type === "Document" && this.#listener.isMainFrame(frameId);
    const hop = redirectResponse && { url: redirectResponse.url, status: redirectResponse.status };
    const redirects = hop ? [...(this.#requests.get(requestId)?.document?.redirects ?? []), hop] : [];
    this.#open.delete(requestId); // a redirect is another request
    this.#requests.set(requestId, { url, ...(isDocument && { document: { redirects } }) });
    if (!ENDLESS.has(type) && !this.#isPolling(url, type)) this.#open.set(requestId, this.#begun++);
    if (isDocument) {
      if (redirects.length > limits.redirects) exceed("redirects");
      this.#newest = { id: requestId };
      this.#listener.documentAsked(requestId, url);
    }
    this.#listener.changed();
  }

  #answer(requestId: string, { status, headers }: Protocol.Network.Response): void {
    const request = this.#requests.get(requestId);
    if (!request) return;
    if (status >= 400) this.#fail(request.url, String(status));
    if (request.document && requestId === this.#newest.id) {
      const { redirects } = request.document;
      this.#newest.answer = { url: request.url, status, headers: lowerCased(headers), redirects };
      this.#tellAnswer();
    }
    this.#listener.changed();
  }

  /** Comes before the answer or after it, and for each redirect. */
  #learnHeaders(event: Protocol.Network.ResponseReceivedExtraInfoEvent): void {
    if (event.requestId !== this.#newest.id) return;
    this.#newest.sent = event;
    this.#tellAnswer();
  }

  /** With all headers: the answer itself lacks those that are no business of a page, such as its cookies. */
  #tellAnswer(): void {
    const { id, answer, sent } = this.#newest;
    if (!answer) return;
    const isSent = sent?.statusCode === answer.status;
    this.#listener.documentAnswered(id, isSent ? { ...answer, headers: lowerCased(sent.headers) } : answer);
  }

  #fail(url: string, reason: string): void {
    if (isBlockedByClient(reason)) return;
    if (this.#failures.length < MAX_FAILURES) this.#failures.push({ url: withoutCredentials(url), reason });
  }

  #end(requestId: string): void {
    this.#requests.delete(requestId);
    this.#open.delete(requestId);
    this.#listener.changed();
  }

  #isPolling(url: string, type: string): boolean {
    if (!POLLING_KINDS.has(type)) return false;
    const [address = ""] = url.split("?", 1);
    const times = (this.#asked.get(address) ?? 0) + 1;
    this.#asked.set(address, times);
    return times >= POLLING_TIMES;
  }
}
