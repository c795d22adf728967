// The function `renderer`: captures a page for another function, to which it streams the result. Its role can write its log alone.
import { once } from "node:events";
import type { Writable } from "node:stream";
import { ApiError, internalError } from "../../contract/errors/api-error.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { logError } from "../platform/log.ts";
import { errorFrame, measuredFrame, resultChunks, startedFrame } from "./render-frames.ts";
import type { CreateRenderer } from "./renderer.ts";

/** The event: a capture, by a function that has admitted it. */
export interface RenderCall {
  readonly options: EngineOptions;
  /** Id of the log of the capture. */
  readonly request_id: number;
  /** Milliseconds from the start of the request to this call. */
  readonly elapsed_ms: number;
}

/** Bytes that are written at a time. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Captures the page, and writes the phases as they start and end, then the result or its `ApiError`. The response is complete before
 * this resolves: Chromium is killed, and that of the next capture launched, after it.
 */
export async function serveRender(call: RenderCall, response: Writable, createRenderer: CreateRenderer): Promise<void> {
  const { options, request_id: requestId } = call;
  // A cold start of this function takes nothing of the timeout, as that of the function that calls takes nothing of it.
  const startedAt = performance.now() - call.elapsed_ms;
  const clock = new PhaseClock(undefined, {
    onStarted: (phase, at) => response.write(startedFrame(phase, at - startedAt)),
    onMeasured: (work) => response.write(measuredFrame(work, startedAt)),
  });
  await using renderer = createRenderer();
  let chunks: Buffer[];
  try {
    chunks = resultChunks(await renderer.capture(options, { requestId, startedAt, clock }));
  } catch (thrown) {
    const error = thrown instanceof ApiError ? thrown : internalError(thrown);
    // The cause of an error that is ours stays here: no byte of it is for the function that called.
    if (error.blame === "us") logError("rendering failed", error, { request_id: requestId });
    chunks = [errorFrame(error)];
  }
  renderer.kill();
  for (const chunk of chunks)
    for (let offset = 0; offset < chunk.length; offset += CHUNK_BYTES)
      if (!response.write(chunk.subarray(offset, offset + CHUNK_BYTES))) await once(response, "drain");
  response.end();
  await once(response, "finish");
}
