// What a page is doing: whether its document has loaded, what it was answered, and which requests are still open.
import type { HTTPRequest, HTTPResponse } from "puppeteer-core";
import type { BrowserSession } from "../browser/browser.ts";
import { withoutCredentials } from "../failure.ts";

/** Kinds of requests that are open for as long as the page likes, so that nobody waits for them. */
const ENDLESS = new Set(["websocket", "eventsource", "ping", "preflight", "cspviolationreport"]);

/** A script that asks for the same address over and over is polling: from this time on nobody waits for it. */
const POLLING_TIMES = 10;
const POLLING_KINDS = new Set(["fetch", "xhr"]);

const MAX_FAILURES = 1_000;

/** True for how Chromium calls it that the capture keeps a request from the page: no failure of the page. */
export const isKeptOut = (netError: string) => netError.startsWith("net::ERR_BLOCKED_BY_CLIENT");

/** A request that brought nothing: its address without credentials, and the error status or Chromium's name of the error. */
export interface FailedRequest {
  readonly url: string;
  readonly reason: string;
}

/** A document of the main frame, from its request on. */
export interface MainDocument {
  url: string;
  response?: HTTPResponse;
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

/** What is followed; `cdp` is a session of the page, on which nobody else follows its lifecycle. */
export type FollowedPage = Pick<BrowserSession, "page" | "cdp" | "limits" | "exceed">;

/** Follows a page from now on. */
export async function followPage(followed: FollowedPage): Promise<PageActivity> {
  const { cdp } = followed;
  const activity = new PageActivity(followed);
  await Promise.all([cdp.send("Page.enable"), cdp.send("Page.setLifecycleEventsEnabled", { enabled: true })]);
  return activity;
}

export class PageActivity {
  readonly #documents = new Map<string, MainDocument>();
  /** Requests that have not been answered, with the number of requests before each. */
  readonly #open = new Map<HTTPRequest, number>();
  readonly #asked = new Map<string, number>();
  readonly #failures: FailedRequest[] = [];
  #begun = 0;
  #departures = 0;
  readonly #watchers = new Set<() => void>();
  #mainFrameId: string | undefined;
  /** Ids (Chromium calls them loaders) of the newest document asked for and of the newest one that arrived. */
  #newest = "";
  #arrived = "";

  constructor({ page, cdp, limits, exceed }: FollowedPage) {
    const isDocument = (request: HTTPRequest) => request.isNavigationRequest() && request.frame() === page.mainFrame();
    let made = 0;
    page.on("request", (request) => {
      if (++made > limits.requests) exceed("requests");
      if (isDocument(request) && request.redirectChain().length > limits.redirects) exceed("redirects");
      if (isDocument(request)) this.#begin(loaderOf(request), request.url());
      if (!ENDLESS.has(request.resourceType()) && !this.#isPolling(request)) this.#open.set(request, this.#begun++);
      this.#changed();
    });
    page.on("response", (response) => {
      const request = response.request();
      if (response.status() >= 400) this.#failed(request.url(), String(response.status()));
      if (isDocument(request)) Object.assign(this.#documentOf(loaderOf(request)), { url: response.url(), response });
      this.#changed();
    });
    page.on("requestfinished", (request) => this.#closed(request));
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      if (isDocument(request)) this.#fail(loaderOf(request), reason);
      this.#failed(request.url(), reason);
      this.#closed(request);
    });
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
    return [...this.#open.keys()].map((request) => withoutCredentials(request.url()));
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
    await this.until(() => [...this.#open.values()].every((number) => number < begun), allowance);
  }

  #isPolling(request: HTTPRequest): boolean {
    if (!POLLING_KINDS.has(request.resourceType())) return false;
    const [address = ""] = request.url().split("?", 1);
    const times = (this.#asked.get(address) ?? 0) + 1;
    this.#asked.set(address, times);
    return times >= POLLING_TIMES;
  }

  #failed(url: string, reason: string): void {
    if (isKeptOut(reason)) return;
    if (this.#failures.length < MAX_FAILURES) this.#failures.push({ url: withoutCredentials(url), reason });
  }

  #closed(request: HTTPRequest): void {
    this.#open.delete(request);
    this.#changed();
  }

  #changed(): void {
    for (const check of [...this.#watchers]) check();
  }
}

/** The id of the document a navigation leads to, which is that of its request; puppeteer keeps it out of its types. */
function loaderOf(request: HTTPRequest): string {
  return (request as unknown as { id: string }).id;
}
