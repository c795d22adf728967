// A fake `Renderer` without Chromium: it requests the page once, without its resources, and answers with a picture of one colour or with
// the text of the page. Its errors, problems, and waits are those that the page orders; see `instructions.ts`.
import { setTimeout } from "node:timers/promises";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import type { EngineOptions } from "../../../lib/contract/options/engine-options.ts";
import { isImageFormat, isVideoFormat, mimeTypes } from "../../../lib/contract/options/formats.ts";
import { type Problem, quality } from "../../../lib/contract/problems/problem.ts";
import { problemKinds } from "../../../lib/contract/problems/problem-kinds.ts";
import { selectorNotFound } from "../../../lib/engine/errors/option-errors.ts";
import { targetReport } from "../../../lib/engine/errors/target-report.ts";
import { captureTimeout } from "../../../lib/engine/errors/timeout-errors.ts";
import { makeReportPicture, makeThumbnail } from "../../../lib/engine/formats/thumbnail.ts";
import { markCapture } from "../../../lib/service/captures/mark-capture.ts";
import type {
  RenderContext,
  Rendered,
  RenderedOutput,
  RenderedOutputs,
  Renderer,
  RequestedRendering,
} from "../../../lib/service/rendering/renderer.ts";
import { type FakeInstructions, readInstructions } from "./instructions.ts";
import { type LoadedPage, loadPage } from "./load-page.ts";
import { fakeMetadata } from "./metadata.ts";
import { emptyReport } from "./report.ts";
import { fakeResult, paintPicture, pictureSize, slicePicture } from "./results.ts";

export const createFakeRenderer = (): Renderer => new FakeRenderer();

class FakeRenderer implements Renderer {
  readonly #killed = new AbortController();

  prepare(): void {}

  async capture(requested: readonly RequestedRendering[], context: RenderContext): Promise<RenderedOutputs> {
    const [first] = requested;
    if (!first) throw new Error("There are no outputs.");
    const loading = await this.#load(first.options, context).catch((error) => {
      if (error instanceof ApiError) return error;
      throw error;
    });
    const outputs: RenderedOutput[] = [];
    for (const output of requested)
      outputs.push(
        loading instanceof ApiError
          ? { error: loading }
          : await context.clock.measure("capture", () => render(output, loading)),
      );
    return { loads: await countLoads(requested), outputs };
  }

  /** Requests the page and waits as it orders, within the timeout of the capture. */
  async #load(options: EngineOptions, { clock, startedAt }: RenderContext): Promise<FakePage> {
    const signal = this.#killed.signal;
    const work = clock.measure("navigate", async () => {
      const page = await loadPage(options, signal);
      const instructions = readInstructions(page.source);
      await setTimeout((options.delay ?? 0) * 1000 + (instructions.afterMs ?? 0), undefined, { signal });
      if (instructions.gate !== undefined) await fetch(instructions.gate, { signal });
      return { ...page, instructions };
    });
    const leftMs = startedAt + options.timeout * 1000 - performance.now();
    const timeout = setTimeout(Math.max(0, leftMs), undefined, { signal }).then(() => {
      const pending = options.url === undefined ? [] : [options.url];
      const report = { phase: "navigate", awaited: "the page", pending, advice: ["raise timeout"] };
      throw captureTimeout(report, targetReport(options.url ?? null));
    });
    timeout.catch(() => undefined);
    work.catch(() => undefined);
    return Promise.race([work, timeout]);
  }

  kill(): void {
    this.#killed.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill();
  }
}

/** How often Chromium would load the page. The plans of captures are most of the engine, so they are loaded for several outputs alone. */
async function countLoads(requested: readonly RequestedRendering[]): Promise<number> {
  if (requested.length === 1) return 1;
  const { planLoads } = await import("../../../lib/engine/pipeline/plan/plan-loads.ts");
  return planLoads(requested).length;
}

interface FakePage extends LoadedPage {
  readonly instructions: FakeInstructions;
}

async function render({ options, thumbnail }: RequestedRendering, page: FakePage): Promise<RenderedOutput> {
  const { error, message, problems = [] } = page.instructions;
  if (error !== undefined)
    return { error: new ApiError(error, message ?? `The page orders the error ${error}.`, { problems }) };
  const missing = missingSelectors(options, page);
  if (missing.length > 0)
    return { error: selectorNotFound("selector", missing, { waitedMs: 0, hidden: false, isFullWait: true }) };
  const { format } = options;
  const size = pictureSize(options, page.source);
  const report = options.metadata_report ? emptyReport(size) : undefined;
  const metadata = { ...fakeMetadata(options, page, size), ...(report && { report }) };
  const body = await fakeResult(options, page, { metadata, size });
  const rendered: Rendered = {
    body,
    format,
    ...(format === "pdf" && { pages: 1 }),
    mimeType: mimeTypes[format],
    finalUrl: page.finalUrl,
    statusCode: page.statusCode,
    warnings: [],
    problems,
    quality: quality(problems.map(penaltyOf)),
    browserAttempt: undefined,
    report,
    metadata,
    beginFrameUnavailable: undefined,
    slices: options.full_page_slices ? await slicePicture(options, page, size) : [],
  };
  const { firstFrame: _, ...marked } = await markCapture(rendered, options);
  const picture = isVideoFormat(format) ? await paintPicture(page.source, size, "png") : marked.body;
  const isVisual = mimeTypes[format].startsWith("image/") || isVideoFormat(format);
  const reportPicture = report && isImageFormat(format) ? await makeReportPicture(picture) : undefined;
  const shown = { ...marked, ...(reportPicture && { reportPicture }) };
  return { capture: { ...shown, ...(thumbnail && isVisual && { thumbnail: () => makeThumbnail(picture) }) } };
}

/** The selectors `#id` of the image that no `id="…"` of the page matches. */
function missingSelectors({ selector }: EngineOptions, { source }: LoadedPage): string[] {
  const selectors = selector === undefined ? [] : [selector].flat();
  return selectors.filter((each) => each.startsWith("#") && !source.includes(`id="${each.slice(1)}"`));
}

const penaltyOf = ({ code }: Problem) => ({ penalty: [problemKinds[code].penalty].flat()[0] ?? 0 });
