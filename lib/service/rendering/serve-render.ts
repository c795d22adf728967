// The function `renderer`: captures a page for another function, to which it streams the result. Its role can write its log alone.
import { once } from "node:events";
import type { Writable } from "node:stream";
import { ApiError, internalError } from "../../contract/errors/api-error.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { logError } from "../platform/log.ts";
import { errorResponse, measurements, resultResponse, uploadedResponse } from "./render-response.ts";
import type { CreateRenderer } from "./renderer.ts";
import { getObject, putParts } from "./transfer-parts.ts";

/** The event: a capture, by a function that has admitted it. */
export interface RenderCall {
  /** The options, or a presigned address of their JSON where they are too long for an event. */
  readonly options: EngineOptions | string;
  /** Id of the log of the capture. */
  readonly request_id: number;
  /** Whom the capture is for. */
  readonly tenant_id: string;
  /** Milliseconds from the start of the request to this call. */
  readonly elapsed_ms: number;
  /** Presigned addresses for the parts of a response that is too long for the stream. */
  readonly uploads: readonly string[];
}

/** Longest response in the stream: Lambda slows down what follows. */
export const MAX_STREAMED_BYTES = 6_000_000;
/** Bytes that are written at a time. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Captures the page, and responds with the result or its `ApiError`. The response is complete before this resolves: Chromium is killed,
 * and that of the next capture launched, after it.
 */
export async function serveRender(call: RenderCall, response: Writable, createRenderer: CreateRenderer): Promise<void> {
  const { request_id: requestId } = call;
  const options = typeof call.options === "string" ? JSON.parse(String(await getObject(call.options))) : call.options;
  // A cold start of this function takes nothing of the timeout, as that of the function that calls takes nothing of it.
  const startedAt = performance.now() - call.elapsed_ms;
  const clock = new PhaseClock();
  await using renderer = createRenderer();
  const chunks = await renderer.capture(options, { requestId, tenantId: call.tenant_id, startedAt, clock }).then(
    (capture) => resultResponse(capture, measurements(clock, startedAt)),
    (thrown) => {
      const error = thrown instanceof ApiError ? thrown : internalError(thrown);
      // The cause of an error that is ours stays here: no byte of it is for the function that called.
      if (error.blame === "us") logError("rendering failed", error, { request_id: requestId });
      return errorResponse(error, measurements(clock, startedAt));
    },
  );
  renderer.kill();
  const renderedAt = performance.now();
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  if (bytes <= MAX_STREAMED_BYTES) await send(chunks, response);
  else {
    await putParts(chunks, call.uploads);
    await send([uploadedResponse({ bytes, uploadMs: performance.now() - renderedAt })], response);
  }
}

/** A short response is one chunk, of which each hop to the reader takes time. */
async function send(chunks: readonly Buffer[], response: Writable): Promise<void> {
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  const sent = bytes <= CHUNK_BYTES ? [Buffer.concat(chunks)] : chunks;
  for (const chunk of sent)
    for (let offset = 0; offset < chunk.length; offset += CHUNK_BYTES)
      if (!response.write(chunk.subarray(offset, offset + CHUNK_BYTES))) await once(response, "drain");
  response.end();
  await once(response, "finish");
}
