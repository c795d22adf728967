// The browser of one capture: started at most once, and only when there is something to render.

import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { browserUseFor } from "../../engine/browser/browser-use.ts";
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
  prepare(options: CaptureOptions): void {
    this.#prepared ??= this.#startBrowser.prepare?.(browserUseFor(options));
  }

  /** Takes the ready Chromium or launches one for these options, unless that is done already. Returns without waiting for it. */
  start(options: CaptureOptions): LazyBrowser {
    this.#browser ??= this.#startBrowser(Promise.resolve(browserUseFor(options)));
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
