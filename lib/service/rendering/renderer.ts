// What renders a capture: the engine in the same function, or the function `renderer`, in which Chromium has nothing to steal.
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import type { PhaseClock } from "../../engine/pipeline/phase-clock.ts";

export interface RenderContext {
  /** Id of the log of the capture. */
  readonly requestId: number;
  /** Whom the capture is for. Where tenants are isolated, no sandbox of the renderer serves two of them. */
  readonly tenantId: string;
  /** Monotonic time in milliseconds at which the request started; its timeout counts from here. */
  readonly startedAt: number;
  readonly clock: PhaseClock;
}

/** The renderer of one capture. Disposing resolves when nothing is left of it in this function, and never rejects. */
export interface Renderer extends AsyncDisposable {
  /** Starts what a capture that may still be refused needs. What is not used stays for the next capture. */
  prepare(options: EngineOptions): void;
  /** Captures a page. Throws an `ApiError`. */
  capture(options: EngineOptions, context: RenderContext): Promise<Capture>;
  /** Ends the page, however long the response takes. Does not wait. */
  kill(): void;
}

export type CreateRenderer = () => Renderer;
