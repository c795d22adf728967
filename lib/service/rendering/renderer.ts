// What renders a capture: the engine in the same function, or the function `renderer`, in which Chromium has nothing to steal.
import type { ApiError } from "../../contract/errors/api-error.ts";
import type { Captured, RequestedOutput } from "../../engine/pipeline/capture.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import type { PhaseClock } from "../../engine/pipeline/phase-clock.ts";

/** An output that is to be rendered. */
export interface RequestedRendering extends RequestedOutput {
  /** Whether its thumbnail will be stored. */
  readonly thumbnail: boolean;
}

/**
 * A rendered capture. Small pictures of it come from where Chromium ran: a page that has broken out chooses the bytes of its result, so
 * nothing that can reach tables or secrets decodes them.
 */
export interface Rendered extends Omit<Capture, "firstFrame"> {
  /** The picture of its report, as WebP. */
  readonly reportPicture?: Buffer;
  /** Resolves to the thumbnail, as WebP, or to undefined where none could be made. Call it when the response is sent. Absent without a picture, and where none was requested. */
  readonly thumbnail?: () => Promise<Buffer | undefined>;
}

/** An output that was rendered, or the error with which a capture of it alone fails. */
export type RenderedOutput = { readonly capture: Rendered } | { readonly error: ApiError };

export interface RenderedOutputs extends Pick<Captured, "loads"> {
  /** In the order of the request. */
  readonly outputs: readonly RenderedOutput[];
}

export interface RenderContext {
  /** Id of the log of the capture. */
  readonly requestId: number;
  /** Whom the capture is for. Where tenants are isolated, no sandbox of the renderer serves two of them. */
  readonly tenantId: string;
  /** Monotonic time in milliseconds at which the request started; its timeout counts from here. */
  readonly startedAt: number;
  readonly clock: PhaseClock;
  /** True if the phases of the clock are read while the capture runs. @default false */
  readonly reportsPhases?: boolean;
}

/** The renderer of one request. Disposing resolves when nothing is left of it in this function, and never rejects. */
export interface Renderer extends AsyncDisposable {
  /** Starts what captures that may still be refused need. What is not used stays for the next request. */
  prepare(requested: readonly RequestedOutput[]): void;
  /**
   * Captures outputs of one page. Each output that fails has its error in its place, also if all of them fail. Throws an `ApiError` if
   * the rendering fails as a whole, for example because the renderer is lost.
   */
  capture(requested: readonly RequestedRendering[], context: RenderContext): Promise<RenderedOutputs>;
  /** Ends the page, however long the response takes. Does not wait, and leaves thumbnails to be received. */
  kill(): void;
}

export type CreateRenderer = () => Renderer;

/** Captures one result. Throws the `ApiError` with which it fails. */
export async function renderOne(
  renderer: Renderer,
  requested: RequestedRendering,
  context: RenderContext,
): Promise<Rendered> {
  const { outputs } = await renderer.capture([requested], context);
  const [outcome] = outputs;
  if (!outcome) throw new Error("The output has no outcome.");
  if ("error" in outcome) throw outcome.error;
  return outcome.capture;
}
