// The browser of one capture: started at most once, and only when there is something to render.

import type { BrowserUse } from "../../engine/browser/browser-use.ts";
import type { LazyBrowser, StartBrowser } from "../../engine/browser-launcher.ts";

export class CaptureBrowser implements AsyncDisposable {
  readonly #startBrowser: StartBrowser;
  #prepared: Promise<void> | undefined;
  #browser: LazyBrowser | undefined;

  constructor(startBrowser: StartBrowser) {
    this.#startBrowser = startBrowser;
  }

  /**
   * Launches Chromium while the capture is not admitted yet, unless one is ready. It is not the capture's before `start`, so a
   * capture that is refused leaves it to the next one.
   */
  prepare(use: BrowserUse): void {
    this.#prepared ??= this.#startBrowser.prepare?.(use);
  }

  /** Takes the ready Chromium or launches one for this use, unless that is done already. Returns without waiting for it. */
  start(use: BrowserUse): LazyBrowser {
    this.#browser ??= this.#startBrowser(Promise.resolve(use));
    return this.#browser;
  }

  /** Starts to kill Chromium, so that the page ends with its capture, however long the response takes. */
  kill(): void {
    this.#browser?.kill();
  }

  /** Resolves when Chromium has exited and that of the next capture is ready, which takes up to a second. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser?.[Symbol.asyncDispose]();
    await this.#prepared;
  }
}
