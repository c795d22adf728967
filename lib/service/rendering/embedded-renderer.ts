// The renderer in the same function: a browser that is started at most once, and only when there is something to render.

import { isImageFormat } from "../../contract/options/formats.ts";
import type { LazyBrowser, StartBrowser } from "../../engine/browser-launcher.ts";
import { makeReportPicture, makeThumbnail } from "../../engine/formats/thumbnail.ts";
import { browserUse, type Captured, capture, type RequestedOutput } from "../../engine/pipeline/capture.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
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
  RequestedRendering,
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
  prepare(requested: readonly RequestedOutput[]): void {
    this.#prepared ??= this.#startBrowser.prepare?.(browserUse(requested));
  }

  async capture(requested: readonly RequestedRendering[], context: RenderContext): Promise<RenderedOutputs> {
    const { loads, outputs } = await this.#capture(requested, context);
    const finishing = requested.map(async (output, index): Promise<RenderedOutput> => {
      const outcome = outputs[index];
      if (!outcome) throw new Error("An output has no outcome.");
      return "error" in outcome ? outcome : { capture: await finish(outcome.capture, output) };
    });
    return { loads, outputs: await Promise.all(finishing) };
  }

  /**
   * Captures in the ready Chromium, or in one that is launched for the outputs. Emits how many requests of their page were refused,
   * however they end.
   */
  async #capture(
    requested: readonly RequestedRendering[],
    { requestId, startedAt, clock }: RenderContext,
  ): Promise<Captured> {
    this.#browser ??= this.#startBrowser(Promise.resolve(browserUse(requested)));
    const browser = this.#browser;
    try {
      return await capture(requested, { browser, startedAt, clock });
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
async function finish(captured: Capture, { options, thumbnail }: RequestedRendering): Promise<Rendered> {
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
