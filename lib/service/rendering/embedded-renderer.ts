// The renderer in the same function: a browser that is started at most once, and only when there is something to render.

import { isImageFormat } from "../../contract/options/formats.ts";
import { type BrowserUse, browserUseFor } from "../../engine/browser/browser-use.ts";
import type { LazyBrowser, StartBrowser } from "../../engine/browser-launcher.ts";
import { makeReportPicture, makeThumbnail } from "../../engine/outputs/thumbnail.ts";
import { type CaptureContext, capture } from "../../engine/pipeline/capture.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import { browserUseForOutputs, captureOutputs, type RequestedOutput } from "../../engine/pipeline/capture-outputs.ts";
import { emitEgressMetrics } from "../captures/capture-metrics.ts";
import { markCapture } from "../captures/mark-capture.ts";
import { logError } from "../platform/log.ts";
import type {
  CreateRenderer,
  RenderContext,
  Rendered,
  RenderedOutput,
  RenderedOutputs,
  Renderer,
  Requested,
  RequestedCapture,
} from "./renderer.ts";

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

  async capture(requested: RequestedCapture, context: RenderContext): Promise<Rendered> {
    const { options } = requested;
    const captured = await this.#withBrowser(browserUseFor(options), context, (launched) => capture(options, launched));
    return finish(captured, requested);
  }

  async captureOutputs(
    requested: readonly (RequestedOutput & RequestedCapture)[],
    context: RenderContext,
  ): Promise<RenderedOutputs> {
    const use = browserUseForOutputs(requested);
    const { loads, outputs } = await this.#withBrowser(use, context, (launched) => captureOutputs(requested, launched));
    const byName = new Map(requested.map((output) => [output.name, output]));
    const finishing = outputs.map(async (output): Promise<RenderedOutput> => {
      if ("error" in output) return output;
      const { name } = output;
      const wanted = byName.get(name);
      if (!wanted) throw new Error(`The output ${name} was not requested.`);
      return { name, capture: await finish(output.capture, wanted) };
    });
    return { loads, outputs: await Promise.all(finishing) };
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

/** Marks a capture as its options say, and adds its small pictures. */
async function finish(captured: Capture, { options, thumbnail }: RequestedCapture): Promise<Rendered> {
  const { firstFrame, ...marked } = await markCapture(captured, options);
  const { body, format, report } = marked;
  const image = isImageFormat(format) ? body : undefined;
  const reportPicture = report && image && (await makeReportPicture(image).catch(withoutPicture));
  const picture = image ?? firstFrame;
  return {
    ...marked,
    ...(reportPicture && { reportPicture }),
    ...(thumbnail && picture && { thumbnail: () => makeThumbnail(picture) }),
  };
}

/** A picture that can't be made is left out: the report is about the capture. */
function withoutPicture(error: unknown): undefined {
  logError("picture of a report not made", error);
}
