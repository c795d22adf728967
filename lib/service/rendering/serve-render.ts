// The function `renderer`: captures a page for another function, to which it streams the result. Its role can write its log alone.
import { once } from "node:events";
import type { Writable } from "node:stream";
import { type ApiError, toApiError } from "../../contract/errors/api-error.ts";
import { type Phase, PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import type { PictureWork } from "../mcp/picture-limits.ts";
import { logError } from "../platform/log.ts";
import { addHostToLogContext, withLogContext } from "../platform/log-context.ts";
import {
  encodeError,
  encodeOutputs,
  encodePhase,
  encodeSingleResult,
  encodeThumbnails,
  encodeUploaded,
  MAX_REPORTED_PHASES,
  type Measurements,
  measurements,
} from "./render-response.ts";
import type { CreateRenderer, RenderContext, Rendered, Renderer, RequestedRendering } from "./renderer.ts";
import { getObject, putParts } from "./transfer-parts.ts";

/** The outputs that are captured. A renderer of the version before tells them apart by their names. */
type CaptureWork = { readonly outputs: readonly (RequestedRendering & { readonly name: string })[] };

/** The work of a caller of the version before, for one result, which has it alone in the response. */
type SingleWork = RequestedRendering;

export type RenderWork = CaptureWork | SingleWork | PictureWork;

/** The event: captures, by a function that has admitted them, or a stored image from which pictures are made. */
export interface RenderCall {
  /** What is rendered, or a presigned address of its JSON where that is too long for an event. */
  readonly work: RenderWork | string;
  /** Id of the log of the capture. */
  readonly request_id: number;
  /** Whom the capture is for. */
  readonly tenant_id: string;
  /** Milliseconds from the start of the request to this call. */
  readonly elapsed_ms: number;
  /** Presigned addresses for the parts of a response that is too long for the stream. */
  readonly uploads: readonly string[];
  /** Present if the caller reads the phases that the capture reaches. One of the version before doesn't. */
  readonly phases?: true;
}

/** Longest response in the stream: Lambda slows down what follows. */
export const MAX_STREAMED_BYTES = 6_000_000;
/** Bytes that are written at a time. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Captures the page, and responds with the results or an `ApiError`, then with the thumbnails, for which the caller's response doesn't
 * wait. The response is complete before this resolves: Chromium is killed, and that of the next capture launched, after it.
 */
export function serveRender(call: RenderCall, response: Writable, createRenderer: CreateRenderer): Promise<void> {
  const { request_id, tenant_id } = call;
  return withLogContext({ request_id, account_id: Number(tenant_id) }, () => respond(call, response, createRenderer));
}

async function respond(call: RenderCall, response: Writable, createRenderer: CreateRenderer): Promise<void> {
  const { request_id: requestId } = call;
  const work: RenderWork = typeof call.work === "string" ? JSON.parse(String(await getObject(call.work))) : call.work;
  if ("link" in work) {
    const { createPictures } = await import("./serve-pictures.ts");
    return end(await createPictures(work), response);
  }
  const requested = "outputs" in work ? work.outputs : [work];
  addHostToLogContext(requested[0]?.options.url); // all outputs are of one page
  // A cold start of this function doesn't count towards the timeout, nor does that of the function that calls.
  const startedAt = performance.now() - call.elapsed_ms;
  const clock = new PhaseClock(undefined, call.phases && { onStarted: sendPhases(response) });
  await using renderer = createRenderer();
  const context = { requestId, tenantId: call.tenant_id, startedAt, clock };
  const { chunks, rendered } = await render(requested, { renderer, context, isSingle: "options" in work }).catch(
    (thrown) => {
      const error = toApiError(thrown);
      logFault(error);
      return { chunks: encodeError(error, measured(context)), rendered: [] };
    },
  );
  renderer.kill();
  const renderedAt = performance.now();
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  if (bytes <= MAX_STREAMED_BYTES) await send(chunks, response);
  else {
    await putParts(chunks, call.uploads);
    await send([encodeUploaded({ bytes, uploadMs: performance.now() - renderedAt })], response);
  }
  await end(await makeThumbnails(rendered), response);
}

/** Sends each phase when it is reached. A client that reads slowly only gets them later: they are short and few. */
function sendPhases(response: Writable): (phase: Phase) => void {
  let [last, count]: [Phase | undefined, number] = [undefined, 0];
  return (phase) => {
    if (phase === last || count === MAX_REPORTED_PHASES) return;
    last = phase;
    count++;
    response.write(encodePhase(phase));
  };
}

interface RenderParts {
  readonly renderer: Renderer;
  readonly context: RenderContext;
  /** True for a caller of the version before, which requests one result. */
  readonly isSingle: boolean;
}

interface RenderedResponse {
  readonly chunks: Buffer[];
  /** The results in it. */
  readonly rendered: readonly Rendered[];
}

/** The response with what was captured. */
async function render(
  requested: readonly RequestedRendering[],
  { renderer, context, isSingle }: RenderParts,
): Promise<RenderedResponse> {
  const captured = await renderer.capture(requested, context);
  const [first] = captured.outputs;
  if (isSingle && first && "error" in first) throw first.error;
  for (const output of captured.outputs) if ("error" in output) logFault(output.error);
  const rendered = captured.outputs.flatMap((output) => ("error" in output ? [] : [output.capture]));
  const measurements = measured(context);
  const chunks = isSingle
    ? rendered.flatMap((result) => encodeSingleResult(result, measurements))
    : encodeOutputs(captured, measurements);
  return { chunks, rendered };
}

let hasMeasured = false;

/** What is measured of a capture until now. The first one of this execution environment says so. */
function measured({ clock, startedAt }: RenderContext): Measurements {
  const isFirst = !hasMeasured;
  hasMeasured = true;
  return { ...measurements(clock, startedAt), ...(isFirst && { isFirst }) };
}

/** What follows the results: the thumbnail of each that has one. One that can't be made is left out. */
async function makeThumbnails(rendered: readonly Rendered[]): Promise<Buffer[]> {
  if (rendered.every(({ thumbnail }) => thumbnail === undefined)) return [];
  const thumbnails: (Buffer | undefined)[] = [];
  for (const { thumbnail } of rendered) {
    const made = thumbnail?.().catch((error) => logError("thumbnail not made", error));
    thumbnails.push((await made) ?? undefined);
  }
  return encodeThumbnails(thumbnails);
}

/** The cause of an error that is ours stays here: no byte of it is for the function that called. */
function logFault(error: ApiError): void {
  if (error.blame === "us") logError("rendering failed", error);
}

/** Sends a short response as one chunk: each chunk takes time at every hop. */
async function send(chunks: readonly Buffer[], response: Writable): Promise<void> {
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  const sent = bytes <= CHUNK_BYTES ? [Buffer.concat(chunks)] : chunks;
  for (const chunk of sent)
    for (let offset = 0; offset < chunk.length; offset += CHUNK_BYTES)
      if (!response.write(chunk.subarray(offset, offset + CHUNK_BYTES))) await once(response, "drain");
}

/** Sends the last chunks. Resolves when the response is complete. */
async function end(chunks: readonly Buffer[], response: Writable): Promise<void> {
  await send(chunks, response);
  response.end();
  await once(response, "finish");
}
