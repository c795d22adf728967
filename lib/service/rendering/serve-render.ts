// The function `renderer`: captures a page for another function, to which it streams the result. Its role can write its log alone.
import { once } from "node:events";
import type { Writable } from "node:stream";
import { ApiError, internalError } from "../../contract/errors/api-error.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import type { RequestedOutput } from "../../engine/pipeline/capture-outputs.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { logError } from "../platform/log.ts";
import { errorResponse, measurements, outputsResponse, resultResponse, uploadedResponse } from "./render-response.ts";
import type { CreateRenderer, RenderContext, Renderer } from "./renderer.ts";
import { getObject, putParts } from "./transfer-parts.ts";

/** What is captured: one result, or several outputs of one page. */
export type RenderWork = { readonly options: EngineOptions } | { readonly outputs: readonly RequestedOutput[] };

/** The event: captures, by a function that has admitted them. */
export interface RenderCall {
  /** What is captured, or a presigned address of its JSON where that is too long for an event. */
  readonly work: RenderWork | string;
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
 * Captures the page, and responds with the results or an `ApiError`. The response is complete before this resolves: Chromium is killed,
 * and that of the next capture launched, after it.
 */
export async function serveRender(call: RenderCall, response: Writable, createRenderer: CreateRenderer): Promise<void> {
  const { request_id: requestId } = call;
  const work: RenderWork = typeof call.work === "string" ? JSON.parse(String(await getObject(call.work))) : call.work;
  // A cold start of this function doesn't count towards the timeout, nor does that of the function that calls.
  const startedAt = performance.now() - call.elapsed_ms;
  const clock = new PhaseClock();
  await using renderer = createRenderer();
  const context = { requestId, tenantId: call.tenant_id, startedAt, clock };
  const chunks = await render(work, { renderer, context }).catch((thrown) => {
    const error = thrown instanceof ApiError ? thrown : internalError(thrown);
    logFault(error, requestId);
    return errorResponse(error, measurements(clock, startedAt));
  });
  renderer.kill();
  const renderedAt = performance.now();
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  if (bytes <= MAX_STREAMED_BYTES) await send(chunks, response);
  else {
    await putParts(chunks, call.uploads);
    await send([uploadedResponse({ bytes, uploadMs: performance.now() - renderedAt })], response);
  }
}

interface RenderParts {
  readonly renderer: Renderer;
  readonly context: RenderContext;
}

/** The response with what was captured. */
async function render(work: RenderWork, { renderer, context }: RenderParts): Promise<Buffer[]> {
  const { clock, startedAt, requestId } = context;
  if ("options" in work) {
    const captured = await renderer.capture(work.options, context);
    return resultResponse(captured, measurements(clock, startedAt));
  }
  const captured = await renderer.captureOutputs(work.outputs, context);
  for (const output of captured.outputs) if ("error" in output) logFault(output.error, requestId);
  return outputsResponse(captured, measurements(clock, startedAt));
}

/** The cause of an error that is ours stays here: no byte of it is for the function that called. */
function logFault(error: ApiError, requestId: number): void {
  if (error.blame === "us") logError("rendering failed", error, { request_id: requestId });
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
