// What renders a capture: the engine in the same function, or the function `renderer`, in which Chromium has nothing to steal.
import type { ApiError } from "../../contract/errors/api-error.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import type { CapturedOutputs, RequestedOutput } from "../../engine/pipeline/capture-outputs.ts";
import type { PhaseClock } from "../../engine/pipeline/phase-clock.ts";

/** A capture whose options are known. */
export type Requested = Pick<RequestedOutput, "options">;

/** A capture that is to be rendered. */
export interface RequestedCapture extends Requested {
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
export type RenderedOutput = { readonly name: string } & (
  | { readonly capture: Rendered }
  | { readonly error: ApiError }
);

export interface RenderedOutputs extends Pick<CapturedOutputs, "loads"> {
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
}

/** The renderer of one request. Disposing resolves when nothing is left of it in this function, and never rejects. */
export interface Renderer extends AsyncDisposable {
  /** Starts what captures that may still be refused need. What is not used stays for the next request. */
  prepare(requested: readonly Requested[]): void;
  /** Captures a page. Throws an `ApiError`. */
  capture(requested: RequestedCapture, context: RenderContext): Promise<Rendered>;
  /** Captures several outputs of one page. One that fails has its error in its place. Throws where none could be captured. */
  captureOutputs(
    requested: readonly (RequestedOutput & RequestedCapture)[],
    context: RenderContext,
  ): Promise<RenderedOutputs>;
  /** Ends the page, however long the response takes. Does not wait, and leaves thumbnails to be received. */
  kill(): void;
}

export type CreateRenderer = () => Renderer;
