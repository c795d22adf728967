// Tracks a page's main document and open requests through CDP events, and waits for conditions on them.
import type { BrowserSession } from "../browser/browser.ts";
import { mainFrame } from "./main-frame.ts";
import { enableNetworkEvents } from "./network-events.ts";
import { type DocumentResponse, type FailedRequest, PageRequests, type RealTimeUse } from "./page-requests.ts";

/** A document of the main frame, from its request on. */
export interface MainDocument {
  url: string;
  response?: DocumentResponse;
  /** Chromium's network error, if the document failed to load. */
  netError?: string;
  /** True once the navigation to it has committed. */
  arrived: boolean;
  /** True once it has been parsed. */
  parsed: boolean;
  /** True once its load event has fired. */
  loaded: boolean;
  /** True at first paint: anything beyond the default background. */
  painted: boolean;
  /** True at first contentful paint: text or an image, in any frame. */
  contentPainted: boolean;
  /** True for `about:blank` instead of the page: the only document that commits without a request. */
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

/** The clock of a page whose time passes only while something waits for it. */
export interface PageClock {
  /** Milliseconds. */
  readonly now: number;

  /** True when no wait may end by real time. */
  readonly isExact: boolean;

  /** Lets `ms` milliseconds pass, or fewer once `condition` holds. Resolves to whether it does. */
  pass(ms: number, condition: () => boolean): Promise<boolean>;
}

/** A page and its limits. */
export type TrackedPage = Pick<BrowserSession, "cdp" | "limits" | "exceedLimit" | "proxy">;

/** Starts tracking a page. */
export async function trackPage(page: TrackedPage): Promise<PageActivity> {
  const { cdp } = page;
  const activity = new PageActivity(page);
  await Promise.all([
    cdp.send("Page.enable"),
    cdp.send("Page.setLifecycleEventsEnabled", { enabled: true }),
    enableNetworkEvents(cdp),
    mainFrame(cdp), // caches the main frame's id
  ]);
  return activity;
}

export class PageActivity {
  readonly #documents = new Map<string, MainDocument>();
  readonly #requests: PageRequests;
  #startedNavigations = 0;
  readonly #watchers = new Set<() => void>();
  #mainFrameId: string | undefined;
  #clock: PageClock | undefined;
  #isTimed = false;
  /** Loader ids of the newest requested and the newest committed document. */
  #newest = "";
  #newestSince = 0;
  #arrived = "";

  constructor({ cdp, limits, exceedLimit, proxy }: TrackedPage) {
    this.#requests = new PageRequests(
      cdp,
      { limits, exceedLimit, proxy },
      {
        isMainFrame: (frameId) => frameId === this.#mainFrameId,
        documentRequested: (id, url) => this.#request(id, url),
        documentResponded: (id, response) => Object.assign(this.#documentOf(id), { response }),
        documentFailed: (id, netError) => this.#fail(id, netError),
        changed: () => this.#changed(),
      },
    );
    cdp.on("Page.lifecycleEvent", ({ frameId, loaderId, name }) => {
      this.#mainFrameId ??= frameId; // the first events are those of the empty page, which has no other frame
      const isContent = name === "firstContentfulPaint";
      if (name === "init") this.#requests.endStyleSheets(loaderId); // a document of the same loader before this one
      if (frameId !== this.#mainFrameId) {
        // Content of a frame is content of the page.
        if (isContent) this.document.contentPainted = true;
        return this.#changed();
      }
      if (isContent) this.#documentOf(loaderId).contentPainted = true;
      if (name === "init") this.#commit(loaderId);
      if (name === "DOMContentLoaded" && !this.#mayBeTransformed(loaderId)) this.#documentOf(loaderId).parsed = true;
      if (name === "load") Object.assign(this.#documentOf(loaderId), { parsed: true, loaded: true });
      if (name === "firstPaint") this.#documentOf(loaderId).painted = true;
      this.#changed();
    });
    const countNavigation = (frameId: string) => {
      if (frameId !== this.#mainFrameId) return;
      this.#startedNavigations++;
      this.#changed();
    };
    cdp.on("Page.frameRequestedNavigation", ({ frameId, disposition }) => {
      if (disposition === "currentTab") countNavigation(frameId);
    });
    cdp.on("Page.frameScheduledNavigation", ({ frameId, delay }) => {
      if (delay === 0) countNavigation(frameId); // a meta refresh, which starts its request a moment later
    });
  }

  /** How many navigations the page has started, at least. */
  get startedNavigations(): number {
    return this.#startedNavigations;
  }

  /** Failed requests, oldest first. */
  get failures(): readonly FailedRequest[] {
    return this.#requests.failures;
  }

  /** URLs of requests for images whose responses are of another type. */
  get brokenImages(): ReadonlySet<string> {
    return this.#requests.brokenImages;
  }

  /** Ids of the frames in the page whose document is a PDF. */
  get pdfFrames(): ReadonlySet<string> {
    return this.#requests.pdfFrames;
  }

  /** True for a page that has opened a stream of messages, loads media, has started a worker or checks for bots. */
  get followsRealTime(): boolean {
    return this.#isTimed || this.#requests.realTimeUses.size > 0;
  }

  /** What the page does that follows real time; a check for bots does not count. */
  get realTimeUses(): ReadonlySet<RealTimeUse> {
    return this.#requests.realTimeUses;
  }

  /** True while the page waits for something that happens in real time. */
  get needsRealTime(): boolean {
    return this.followsRealTime || this.#requests.open > 0 || !this.document.parsed;
  }

  /** Call it for a page that measures how much time passes: from now on none of it is skipped. */
  followRealTime(): void {
    this.#isTimed = true;
  }

  /** Number of awaited requests started so far; pass it to `untilAnswered`. */
  get requestsStarted(): number {
    return this.#requests.started;
  }

  /** The newest document. */
  get document(): MainDocument {
    return this.#documentOf(this.#newest);
  }

  /** Loader id of the newest document; changes with each navigation. */
  get documentId(): string {
    return this.#newest;
  }

  /** When that navigation started, on the clock of `performance.now()`. */
  get documentSince(): number {
    return this.#newestSince;
  }

  /** Call it before writing into or leaving the empty page: its load events no longer count. */
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

  /** A redirect keeps the loader id and changes the URL. */
  #request(id: string, url: string): void {
    this.#navigateTo(id);
    Object.assign(this.#documentOf(id), { url });
  }

  /** Also fires for `document.open()`, which loads the document again. */
  #commit(id: string): void {
    const isBlank = this.#newest !== "" && (!this.#documents.has(id) || this.#documentOf(id).isBlank);
    Object.assign(this.#documentOf(id), blankDocument(this.#documentOf(id).url), { arrived: true, isBlank });
    this.#arrived = id;
    if (this.#newest === "" || isBlank) this.#navigateTo(id);
  }

  /** True for XML that waits for a style sheet: one in XSLT replaces the document by its result, which is parsed then. */
  #mayBeTransformed(id: string): boolean {
    const type = this.#documentOf(id).response?.headers["content-type"] ?? "";
    return /[/+]xml\b/i.test(type) && this.#requests.awaitsStyleSheet(id);
  }

  #navigateTo(id: string): void {
    if (id === this.#newest) return;
    this.#newest = id;
    this.#newestSince = performance.now();
  }

  /** A download or a response without content leaves the page on its former document, if there was one. */
  #fail(id: string, netError: string): void {
    this.#documentOf(id).netError = netError;
    const before = this.#documentOf(this.#arrived);
    if (netError === "net::ERR_ABORTED" && this.#newest === id && before.response) this.#newest = this.#arrived;
  }

  /** URLs of the unanswered requests, oldest first, without credentials. */
  pending(): string[] {
    return this.#requests.pending();
  }

  /** From now on waits let the page's time pass: their timeouts are in that time, and in real time unless it is exact. */
  followClock(clock: PageClock): void {
    this.#clock = clock;
  }

  /** Resolves to true when `condition` holds, to false after `timeoutMs`. */
  async until(condition: () => boolean, timeoutMs: number): Promise<boolean> {
    if (condition()) return true;
    if (!this.#clock) return this.happens(condition, timeoutMs);
    const expiry = this.#clock.isExact ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
    await this.#clock.pass(timeoutMs, () => condition() || performance.now() >= expiry);
    return condition();
  }

  /** Like `until`, for work in the background: no time of the page passes for it, and the timeout is in real time. */
  happens(condition: () => boolean, timeoutMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    if (condition()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const finish = (isMet: boolean) => {
        clearTimeout(timer);
        this.#watchers.delete(check);
        resolve(isMet);
      };
      const check = () => {
        if (condition()) finish(true);
      };
      const isTimed = Number.isFinite(timeoutMs);
      const timer = isTimed ? setTimeout(() => finish(false), Math.max(0, timeoutMs)) : undefined;
      this.#watchers.add(check);
    });
  }

  /**
   * Resolves to true once at most `open` requests have been open for `quiet` milliseconds in a row, to false after
   * `timeoutMs`, or as soon as `isOver`.
   */
  async untilQuiet(
    { open, quiet }: { open: number; quiet: number },
    timeoutMs: number,
    isOver: () => boolean = () => false,
  ): Promise<boolean> {
    const now = () => this.#clock?.now ?? performance.now();
    const deadline = now() + timeoutMs;
    for (;;) {
      const isQuiet = await this.until(() => this.#requests.open <= open || isOver(), deadline - now());
      if (!isQuiet || isOver()) return false;
      const leftMs = deadline - now();
      const isDisturbed = () => this.#requests.open > open || isOver();
      const wait = Math.min(quiet, leftMs);
      const wasDisturbed = await (this.#clock?.pass(wait, isDisturbed) ?? this.happens(isDisturbed, wait));
      if (!wasDisturbed) return leftMs >= quiet;
    }
  }

  /** Resolves when the requests after the first `started` ones have a response, or after `timeoutMs`. */
  async untilAnswered(started: number, timeoutMs: number): Promise<void> {
    await this.until(() => this.#requests.isAnsweredSince(started), timeoutMs);
  }

  #changed(): void {
    for (const check of [...this.#watchers]) check();
  }
}
