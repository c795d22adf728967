// The renderer in the same function: a browser that is started at most once, and only when there is something to render.

import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { browserUseFor } from "../../engine/browser/browser-use.ts";
import type { LazyBrowser, StartBrowser } from "../../engine/browser-launcher.ts";
import { capture } from "../../engine/pipeline/capture.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import { emitEgressMetrics } from "../captures/capture-metrics.ts";
import { markCapture } from "../captures/mark-capture.ts";
import type { CreateRenderer, RenderContext, Renderer } from "./renderer.ts";

/** Renders with the browsers of this function. */
export const embeddedRenderer =
  (startBrowser: StartBrowser): CreateRenderer =>
  () =>
    new EmbeddedRenderer(startBrowser);

class EmbeddedRenderer implements Renderer {
  readonly #startBrowser: StartBrowser;
  #prepared: Promise<void> | undefined;
  #browser: LazyBrowser | undefined;

  constructor(startBrowser: StartBrowser) {
    this.#startBrowser = startBrowser;
  }

  /**
   * Launches Chromium while the capture is not admitted yet, unless one is ready. It is not the capture's before `capture`, so a
   * capture that is refused leaves it to the next one.
   */
  prepare(options: EngineOptions): void {
    this.#prepared ??= this.#startBrowser.prepare?.(browserUseFor(options));
  }

  /**
   * Captures the page in the ready Chromium or in one that is launched for these options, and marks it where they say so. Emits how many requests of the page were
   * refused, however the capture ends.
   */
  async capture(options: EngineOptions, { requestId, startedAt, clock }: RenderContext): Promise<Capture> {
    this.#browser ??= this.#startBrowser(Promise.resolve(browserUseFor(options)));
    const browser = this.#browser;
    try {
      return await markCapture(await capture(options, { browser, startedAt, clock }), options);
    } finally {
      emitEgressMetrics(requestId, browser.egressRefusals());
    }
  }

  /** Starts to kill Chromium. */
  kill(): void {
    this.#browser?.kill();
  }

  /** Resolves when Chromium has exited and that of the next capture is ready, which takes up to a second. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser?.[Symbol.asyncDispose]();
    await this.#prepared;
  }
}
