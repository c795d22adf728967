// What a page is doing: whether its document has loaded, what it was answered, and which requests are still open.
import type { HTTPRequest, HTTPResponse, Page } from "puppeteer-core";

/** Kinds of requests that are open for as long as the page likes, so that nobody waits for them. */
const ENDLESS = new Set(["websocket", "eventsource", "ping", "preflight", "cspviolationreport"]);

export class PageActivity {
  /** True once the load event of the newest document has fired. */
  loaded = false;
  /** True once the newest document has been parsed. */
  parsed = false;
  /** The request for the newest document of the main frame, with how it was answered. */
  document: { readonly url: string; readonly response?: HTTPResponse; readonly netError?: string } | undefined;

  readonly #open = new Set<HTTPRequest>();
  readonly #watchers = new Set<() => void>();

  constructor(page: Page) {
    const isDocument = (request: HTTPRequest) => request.isNavigationRequest() && request.frame() === page.mainFrame();
    page.on("request", (request) => {
      if (isDocument(request)) this.expectDocument(request.url());
      if (!ENDLESS.has(request.resourceType())) this.#open.add(request);
      this.#changed();
    });
    page.on("response", (response) => {
      if (isDocument(response.request())) this.document = { url: response.url(), response };
      this.#changed();
    });
    page.on("requestfinished", (request) => this.#closed(request));
    page.on("requestfailed", (request) => {
      if (isDocument(request)) {
        this.document = { ...this.document, url: request.url(), netError: request.failure()?.errorText ?? "" };
      }
      this.#closed(request);
    });
    page.on("domcontentloaded", () => {
      this.parsed = true;
      this.#changed();
    });
    page.on("load", () => {
      this.loaded = true;
      this.#changed();
    });
  }

  /** A new document is on its way: nothing that is known of the last one counts any more. */
  expectDocument(url: string): void {
    this.loaded = false;
    this.parsed = false;
    this.document = { url };
  }

  /** Addresses of the requests that have not been answered, oldest first. */
  pending(): string[] {
    return [...this.#open].map((request) => request.url());
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
      const timer = setTimeout(() => settle(false), allowance);
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

  #closed(request: HTTPRequest): void {
    this.#open.delete(request);
    this.#changed();
  }

  #changed(): void {
    for (const check of [...this.#watchers]) check();
  }
}
