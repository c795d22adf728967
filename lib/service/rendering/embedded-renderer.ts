// The renderer in the same function: a browser that is started at most once, and only when there is something to render.

import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { type BrowserUse, browserUseFor } from "../../engine/browser/browser-use.ts";
import type { LazyBrowser, StartBrowser } from "../../engine/browser-launcher.ts";
import { type CaptureContext, capture } from "../../engine/pipeline/capture.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import {
  browserUseForOutputs,
  type CapturedOutputs,
  captureOutputs,
  type RequestedOutput,
} from "../../engine/pipeline/capture-outputs.ts";
import { emitEgressMetrics } from "../captures/capture-metrics.ts";
import { markCapture } from "../captures/mark-capture.ts";
import type { CreateRenderer, RenderContext, Renderer, Requested } from "./renderer.ts";

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
  prepare(requested: readonly Requested[]): void {
    this.#prepared ??= this.#startBrowser.prepare?.(browserUseForOutputs(requested));
  }

  async capture(options: EngineOptions, context: RenderContext): Promise<Capture> {
    const use = browserUseFor(options);
    return markCapture(await this.#withBrowser(use, context, (launched) => capture(options, launched)), options);
  }

  async captureOutputs(requested: readonly RequestedOutput[], context: RenderContext): Promise<CapturedOutputs> {
    const use = browserUseForOutputs(requested);
    const { loads, outputs } = await this.#withBrowser(use, context, (launched) => captureOutputs(requested, launched));
    const options = new Map(requested.map((output) => [output.name, output.options]));
    const marking = outputs.map(async (output) => {
      const marks = options.get(output.name);
      return "error" in output || !marks ? output : { ...output, capture: await markCapture(output.capture, marks) };
    });
    return { loads, outputs: await Promise.all(marking) };
  }

  /**
   * Runs captures in the ready Chromium, or in one that is launched for them. Emits how many requests of their pages were refused,
   * however they end.
   */
  async #withBrowser<T>(
    use: BrowserUse,
    { requestId, startedAt, clock }: RenderContext,
    run: (context: CaptureContext) => Promise<T>,
  ): Promise<T> {
    this.#browser ??= this.#startBrowser(Promise.resolve(use));
    const browser = this.#browser;
    try {
      return await run({ browser, startedAt, clock });
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
