// What a page is doing: whether its document has loaded, what it was answered, and which requests are still open.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { BrowserSession } from "../browser/browser.ts";
import { withoutCredentials } from "../failure.ts";
import { mainFrameOf } from "./isolated-world.ts";
import { lowerCased, reportNetwork } from "./network-reports.ts";

/** Kinds of requests that are open for as long as the page likes, so that nobody waits for them. */
const ENDLESS = new Set(["WebSocket", "EventSource", "Ping", "Preflight", "CSPViolationReport"]);

/** A script that asks for the same address over and over is polling: from this time on nobody waits for it. */
const POLLING_TIMES = 10;
const POLLING_KINDS = new Set(["Fetch", "XHR"]);

const MAX_FAILURES = 1_000;

/** True for how Chromium calls it that the capture keeps a request from the page: no failure of the page. */
export const isKeptOut = (netError: string) => netError.startsWith("net::ERR_BLOCKED_BY_CLIENT");

/** A request that brought nothing: its address without credentials, and the error status or Chromium's name of the error. */
export interface FailedRequest {
  readonly url: string;
  readonly reason: string;
}

/** What the server of a document answered. */
export interface DocumentAnswer {
  readonly url: string;
  readonly status: number;
  /** By names in lower case, as the server sent them; what came several times is joined by line breaks. */
  readonly headers: Readonly<Record<string, string>>;
  /** What was answered before, with other addresses, in order. */
  readonly redirects: readonly Redirect[];
}

interface Redirect {
  readonly url: string;
  readonly status: number;
}

/** A request that has not been answered. */
interface OpenRequest {
  readonly url: string;
  /** True where it asks for a document of the main frame, whose id it then has. */
  readonly isDocument: boolean;
  /** How many requests there were before it. */
  readonly number: number;
}

/** A document of the main frame, from its request on. */
export interface MainDocument {
  url: string;
  response?: DocumentAnswer;
  /** Chromium's name of the error because of which it did not come. */
  netError?: string;
  /** True once it is what the window holds. */
  arrived: boolean;
  /** True once it has been parsed. */
  parsed: boolean;
  /** True once its load event has fired. */
  loaded: boolean;
  /** True once anything but the plain ground has been painted. */
  painted: boolean;
  /** True once text or an image has been painted. */
  contentPainted: boolean;
}

const blankDocument = (url: string): MainDocument => ({
  url,
  arrived: false,
  parsed: false,
  loaded: false,
  painted: false,
  contentPainted: false,
});

/** What is followed: a page by its session, and what it may do. */
export type FollowedPage = Pick<BrowserSession, "cdp" | "limits" | "exceed">;

/** Follows a page from now on. */
export async function followPage(followed: FollowedPage): Promise<PageActivity> {
  const { cdp } = followed;
  const activity = new PageActivity(followed);
  await Promise.all([
    cdp.send("Page.enable"),
    cdp.send("Page.setLifecycleEventsEnabled", { enabled: true }),
    reportNetwork(cdp),
    mainFrameOf(cdp), // known from now on
  ]);
  return activity;
}

export class PageActivity {
  readonly #documents = new Map<string, MainDocument>();
  readonly #redirects = new Map<string, Redirect[]>();
  /** What was sent last for a document, of which Chromium tells in another event than of its answer. */
  readonly #sent = new Map<string, Protocol.Network.ResponseReceivedExtraInfoEvent>();
  /** By their ids, oldest first: all requests, and those that are waited for. */
  readonly #requests = new Map<string, OpenRequest>();
  readonly #open = new Map<string, OpenRequest>();
  readonly #asked = new Map<string, number>();
  readonly #failures: FailedRequest[] = [];
  #begun = 0;
  #departures = 0;
  readonly #watchers = new Set<() => void>();
  #mainFrameId: string | undefined;
  /** Ids (Chromium calls them loaders) of the newest document asked for and of the newest one that arrived. */
  #newest = "";
  #arrived = "";

  constructor({ cdp, limits, exceed }: FollowedPage) {
    this.#followRequests(cdp, { limits, exceed });
    cdp.on("Page.lifecycleEvent", ({ frameId, loaderId, name }) => {
      this.#mainFrameId ??= frameId; // the events begin with those of the empty page, which has no other frame
      const isContent = name === "firstContentfulPaint";
      if (frameId !== this.#mainFrameId) {
        // What a frame shows is part of what the page shows.
        if (isContent) this.document.contentPainted = true;
        return this.#changed();
      }
      if (isContent) this.#documentOf(loaderId).contentPainted = true;
      if (name === "init") this.#arrive(loaderId);
      if (name === "DOMContentLoaded") this.#documentOf(loaderId).parsed = true;
      if (name === "load") this.#documentOf(loaderId).loaded = true;
      if (name === "firstPaint") this.#documentOf(loaderId).painted = true;
      this.#changed();
    });
    const depart = (frameId: string) => {
      if (frameId !== this.#mainFrameId) return;
      this.#departures++;
      this.#changed();
    };
    cdp.on("Page.frameRequestedNavigation", ({ frameId, disposition }) => {
      if (disposition === "currentTab") depart(frameId);
    });
    cdp.on("Page.frameScheduledNavigation", ({ frameId, delay }) => {
      if (delay === 0) depart(frameId); // by a meta refresh, which requests it a moment later
    });
  }

  /** The requests of the page, and of all its workers. */
  #followRequests(cdp: CDPSession, bounds: Pick<FollowedPage, "limits" | "exceed">): void {
    cdp.on("Network.requestWillBeSent", (event) => this.#asks(event, bounds));
    cdp.on("Network.responseReceivedExtraInfo", (event) => this.#isSent(event));
    cdp.on("Network.responseReceived", ({ requestId, response }) => this.#isAnswered(requestId, response));
    cdp.on("Network.loadingFinished", ({ requestId }) => this.#closed(requestId));
    cdp.on("Network.loadingFailed", ({ requestId, errorText }) => {
      const request = this.#requests.get(requestId);
      if (!request) return;
      if (request.isDocument) this.#fail(requestId, errorText);
      this.#failed(request.url, errorText);
      this.#closed(requestId);
    });
    cdp.on("sessionattached", (worker) => {
      this.#followRequests(worker, bounds);
      reportNetwork(worker).catch(() => undefined); // it may be gone again
    });
  }

  #asks(
    { requestId, loaderId, frameId, type, request, redirectResponse }: Protocol.Network.RequestWillBeSentEvent,
    { limits, exceed }: Pick<FollowedPage, "limits" | "exceed">,
  ): void {
    const number = this.#begun++;
    if (this.#begun > limits.requests) exceed("requests");
    const url = request.url + (request.urlFragment ?? "");
    const isDocument = requestId === loaderId && type === "Document" && frameId === this.#mainFrameId;
    if (isDocument) {
      const before = redirectResponse ? [...(this.#redirects.get(requestId) ?? []), redirectResponse] : [];
      this.#redirects.set(
        requestId,
        before.map(({ url, status }) => ({ url, status })),
      );
      if (before.length > limits.redirects) exceed("redirects");
      this.#begin(requestId, url);
    }
    this.#open.delete(requestId); // a redirect is another request
    this.#requests.set(requestId, { url, isDocument, number });
    if (!ENDLESS.has(type ?? "") && !this.#isPolling(url, type)) this.#open.set(requestId, { url, isDocument, number });
    this.#changed();
  }

  #isSent(event: Protocol.Network.ResponseReceivedExtraInfoEvent): void {
    if (!this.#documents.has(event.requestId)) return;
    this.#sent.set(event.requestId, event);
    const document = this.#documentOf(event.requestId);
    if (document.response) document.response = this.#asSent(event.requestId, document.response);
  }

  #isAnswered(requestId: string, { status, headers }: Protocol.Network.Response): void {
    const request = this.#requests.get(requestId);
    if (!request) return;
    if (status >= 400) this.#failed(request.url, String(status));
    if (request.isDocument) {
      const redirects = this.#redirects.get(requestId) ?? [];
      const answer = { url: request.url, status, headers: lowerCased(headers), redirects };
      this.#documentOf(requestId).response = this.#asSent(requestId, answer);
    }
    this.#changed();
  }

  /** With all headers: the answer itself lacks those that are no business of a page, such as its cookies. */
  #asSent(requestId: string, answer: DocumentAnswer): DocumentAnswer {
    const sent = this.#sent.get(requestId);
    return sent?.statusCode === answer.status ? { ...answer, headers: lowerCased(sent.headers) } : answer;
  }

  /** How often the page has set out for another document, at least. */
  get departures(): number {
    return this.#departures;
  }

  /** The requests that brought nothing, oldest first. */
  get failures(): readonly FailedRequest[] {
    return this.#failures;
  }

  /** How many requests there have been, for `untilAnswered`. */
  get begun(): number {
    return this.#begun;
  }

  /** The newest document. */
  get document(): MainDocument {
    return this.#documentOf(this.#newest);
  }

  /** Changes whenever the page goes to another document. */
  get documentId(): string {
    return this.#newest;
  }

  /** The empty page is about to be written or left: that it has loaded counts no more. */
  expectDocument(url: string): void {
    this.#documents.set(this.#newest, blankDocument(url));
  }

  #documentOf(id: string): MainDocument {
    let document = this.#documents.get(id);
    if (!document) {
      document = blankDocument("about:blank");
      this.#documents.set(id, document);
    }
    return document;
  }

  /** A redirect is the same document under another address. */
  #begin(id: string, url: string): void {
    this.#newest = id;
    Object.assign(this.#documentOf(id), { url });
  }

  /** Also told when a document is opened for writing, which loads it anew. */
  #arrive(id: string): void {
    Object.assign(this.#documentOf(id), blankDocument(this.#documentOf(id).url), { arrived: true });
    this.#arrived = id;
    if (this.#newest === "") this.#newest = id;
  }

  /** A download or an answer without content leaves the page where it was, if there was one. */
  #fail(id: string, netError: string): void {
    this.#documentOf(id).netError = netError;
    const before = this.#documentOf(this.#arrived);
    if (netError === "net::ERR_ABORTED" && this.#newest === id && before.response) this.#newest = this.#arrived;
  }

  /** Addresses of the requests that have not been answered, oldest first, without credentials. */
  pending(): string[] {
    return [...this.#open.values()].map(({ url }) => withoutCredentials(url));
  }

  /** Resolves to true when `condition` holds, to false when `allowance` milliseconds have passed without it. */
  until(condition: () => boolean, allowance: number): Promise<boolean> {
    if (condition()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (held: boolean) => {
        clearTimeout(timer);
        this.#watchers.delete(check);
        resolve(held);
      };
      const check = () => {
        if (condition()) settle(true);
      };
      const timer = setTimeout(() => settle(false), Math.max(0, allowance));
      this.#watchers.add(check);
    });
  }

  /** Resolves to true once at most `open` requests have been open for `quiet` milliseconds in a row, else to false. */
  async untilQuiet({ open, quiet }: { open: number; quiet: number }, allowance: number): Promise<boolean> {
    const expiry = performance.now() + allowance;
    for (;;) {
      const calm = await this.until(() => this.#open.size <= open, expiry - performance.now());
      if (!calm) return false;
      const left = expiry - performance.now();
      const disturbed = await this.until(() => this.#open.size > open, Math.min(quiet, left));
      if (!disturbed) return left >= quiet;
    }
  }

  /** Resolves when the requests that began after the first `begun` ones are answered, or after `allowance` milliseconds. */
  async untilAnswered(begun: number, allowance: number): Promise<void> {
    await this.until(() => [...this.#open.values()].every(({ number }) => number < begun), allowance);
  }

  #isPolling(url: string, type: Protocol.Network.ResourceType | undefined): boolean {
    if (!POLLING_KINDS.has(type ?? "")) return false;
    const [address = ""] = url.split("?", 1);
    const times = (this.#asked.get(address) ?? 0) + 1;
    this.#asked.set(address, times);
    return times >= POLLING_TIMES;
  }

  #failed(url: string, reason: string): void {
    if (isKeptOut(reason)) return;
    if (this.#failures.length < MAX_FAILURES) this.#failures.push({ url: withoutCredentials(url), reason });
  }

  #closed(requestId: string): void {
    this.#requests.delete(requestId);
    this.#open.delete(requestId);
    this.#changed();
  }

  #changed(): void {
    for (const check of [...this.#watchers]) check();
  }
}
