// The browser of one capture: started at most once, and only when there is something to render.

import { browserUseFor } from "../engine/browser/browser-use.ts";
import type { LazyBrowser, StartBrowser } from "../engine/browser-launcher.ts";
import type { CaptureOptions } from "../options/capture-options.ts";

export class CaptureBrowser implements AsyncDisposable {
  readonly #startBrowser: StartBrowser;
  #browser: LazyBrowser | undefined;

  constructor(startBrowser: StartBrowser) {
    this.#startBrowser = startBrowser;
  }

  /** Launches Chromium for these options, unless it is launched already. Returns without waiting for it. */
  start(options: CaptureOptions): LazyBrowser {
    this.#browser ??= this.#startBrowser(Promise.resolve(browserUseFor(options)));
    return this.#browser;
  }

  /** Resolves when Chromium has exited, which takes up to half a second. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser?.[Symbol.asyncDispose]();
  }
}
