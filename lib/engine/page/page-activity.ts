// What a page is doing: whether its document has loaded, what it was answered, and which requests are still open.
import type { BrowserSession } from "../browser/browser.ts";
import { mainFrame } from "./main-frame.ts";
import { reportNetwork } from "./network-reports.ts";
import { type DocumentResponse, type FailedRequest, PageRequests } from "./page-requests.ts";

/** A document of the main frame, from its request on. */
export interface MainDocument {
  url: string;
  response?: DocumentResponse;
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
  /** True for `about:blank` in place of the page: the only document that arrives without a request. */
  isBlank: boolean;
}

const blankDocument = (url: string): MainDocument => ({
  url,
  arrived: false,
  parsed: false,
  loaded: false,
  painted: false,
  contentPainted: false,
  isBlank: false,
});

/** What is followed: a page by its session, and what it may do. */
export type TrackedPage = Pick<BrowserSession, "cdp" | "limits" | "exceed">;

/** Follows a page from now on. */
export async function trackPage(followed: TrackedPage): Promise<PageActivity> {
  const { cdp } = followed;
  const activity = new PageActivity(followed);
  await Promise.all([
    cdp.send("Page.enable"),
    cdp.send("Page.setLifecycleEventsEnabled", { enabled: true }),
    reportNetwork(cdp),
    mainFrame(cdp), // known from now on
  ]);
  return activity;
}

export class PageActivity {
  readonly #documents = new Map<string, MainDocument>();
  readonly #requests: PageRequests;
  #departures = 0;
  readonly #watchers = new Set<() => void>();
  #mainFrameId: string | undefined;
  /** Ids (Chromium calls them loaders) of the newest document asked for and of the newest one that arrived. */
  #newest = "";
  #newestSince = 0;
  #arrived = "";

  constructor({ cdp, limits, exceed }: TrackedPage) {
    this.#requests = new PageRequests(
      cdp,
      { limits, exceed },
      {
        isMainFrame: (frameId) => frameId === this.#mainFrameId,
        documentAsked: (id, url) => this.#ask(id, url),
        documentAnswered: (id, response) => Object.assign(this.#documentOf(id), { response }),
        documentFailed: (id, netError) => this.#fail(id, netError),
        changed: () => this.#changed(),
      },
    );
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
    return this.#requests.failures;
  }

  /** How many requests there have been that are waited for, for `untilAnswered`. */
  get begun(): number {
    return this.#requests.begun;
  }

  /** The newest document. */
  get document(): MainDocument {
    return this.#documentOf(this.#newest);
  }

  /** Changes whenever the page goes to another document. */
  get documentId(): string {
    return this.#newest;
  }

  /** When the page went to that document, on the clock of `performance.now()`. */
  get documentSince(): number {
    return this.#newestSince;
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
  #ask(id: string, url: string): void {
    this.#become(id);
    Object.assign(this.#documentOf(id), { url });
  }

  /** Also told when a document is opened for writing, which loads it anew. */
  #arrive(id: string): void {
    const isBlank = this.#newest !== "" && (!this.#documents.has(id) || this.#documentOf(id).isBlank);
    Object.assign(this.#documentOf(id), blankDocument(this.#documentOf(id).url), { arrived: true, isBlank });
    this.#arrived = id;
    if (this.#newest === "" || isBlank) this.#become(id);
  }

  #become(id: string): void {
    if (id === this.#newest) return;
    this.#newest = id;
    this.#newestSince = performance.now();
  }

  /** A download or an answer without content leaves the page where it was, if there was one. */
  #fail(id: string, netError: string): void {
    this.#documentOf(id).netError = netError;
    const before = this.#documentOf(this.#arrived);
    if (netError === "net::ERR_ABORTED" && this.#newest === id && before.response) this.#newest = this.#arrived;
  }

  /** Addresses of the requests that have not been answered, oldest first, without credentials. */
  pending(): string[] {
    return this.#requests.pending();
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
      const calm = await this.until(() => this.#requests.open <= open, expiry - performance.now());
      if (!calm) return false;
      const left = expiry - performance.now();
      const disturbed = await this.until(() => this.#requests.open > open, Math.min(quiet, left));
      if (!disturbed) return left >= quiet;
    }
  }

  /** Resolves when the requests that began after the first `begun` ones are answered, or after `allowance` milliseconds. */
  async untilAnswered(begun: number, allowance: number): Promise<void> {
    await this.until(() => this.#requests.isAnsweredSince(begun), allowance);
  }

  #changed(): void {
    for (const check of [...this.#watchers]) check();
  }
}
