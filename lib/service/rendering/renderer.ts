// What renders a capture: the engine in the same function, or the function `renderer`, in which Chromium has nothing to steal.
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import type { CapturedOutputs, RequestedOutput } from "../../engine/pipeline/capture-outputs.ts";
import type { PhaseClock } from "../../engine/pipeline/phase-clock.ts";

/** A capture whose options are known. */
export type Requested = Pick<RequestedOutput, "options">;

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
  capture(options: EngineOptions, context: RenderContext): Promise<Capture>;
  /** Captures several outputs of one page. One that fails has its error in its place. Throws where none could be captured. */
  captureOutputs(requested: readonly RequestedOutput[], context: RenderContext): Promise<CapturedOutputs>;
  /** Ends the page, however long the response takes. Does not wait. */
  kill(): void;
}

export type CreateRenderer = () => Renderer;
