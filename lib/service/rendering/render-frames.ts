// The response of the function `renderer` as a stream: frames of JSON with a length, and after the last one the bytes of the result.
//
// A page that breaks out of Chromium can write anything here, so a reader takes nothing that is larger than its limits, and no value
// that it has not checked.

import * as v from "valibot";
import { ApiError } from "../../contract/errors/api-error.ts";
import { ErrorCodeSchema, TargetSchema } from "../../contract/errors/error-response.ts";
import { formats, imageFormats, mimeTypes } from "../../contract/options/formats.ts";
import { ReportSchema } from "../../contract/problems/capture-report.ts";
import { MAX_PROBLEMS, ProblemSchema } from "../../contract/problems/problem.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import { type MeasuredWork, phases } from "../../engine/pipeline/phase-clock.ts";

/** Longest frame in bytes. The text of a page can be part of its metadata. */
const MAX_FRAME_BYTES = 32_000_000;
const MAX_FRAMES = 10_000;
const LENGTH_BYTES = 4;

const size = v.pipe(v.number(), v.integer(), v.minValue(0));
const milliseconds = v.pipe(v.number(), v.finite());
const phase = v.picklist(phases);

const StartedSchema = v.object({ kind: v.literal("started"), phase, at: milliseconds });

const MeasuredSchema = v.object({
  kind: v.literal("measured"),
  phase,
  name: v.pipe(v.string(), v.maxLength(200)),
  from: milliseconds,
  to: milliseconds,
  awaited: v.exactOptional(v.string()),
  outcome: v.exactOptional(v.picklist(["met", "capped", "gave_up"])),
});

const ErrorSchema = v.object({
  kind: v.literal("error"),
  code: ErrorCodeSchema,
  message: v.string(),
  blame: v.picklist(["caller", "target", "us"]),
  details: v.exactOptional(v.record(v.string(), v.array(v.string()))),
  figures: v.exactOptional(v.record(v.string(), v.nullable(v.union([v.string(), v.number()])))),
  target: v.exactOptional(TargetSchema),
  problems: v.pipe(v.array(ProblemSchema), v.maxLength(MAX_PROBLEMS)),
});

const ResultSchema = v.object({
  kind: v.literal("result"),
  format: v.picklist(formats),
  finalUrl: v.nullable(v.string()),
  statusCode: v.nullable(v.pipe(v.number(), v.integer())),
  warnings: v.array(v.string()),
  problems: v.pipe(v.array(ProblemSchema), v.maxLength(MAX_PROBLEMS)),
  quality: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  report: v.exactOptional(ReportSchema),
  metadata: v.record(v.string(), v.unknown()),
  beginFrameUnavailable: v.exactOptional(v.string()),
  bodyBytes: size,
  firstFrameBytes: v.exactOptional(size),
  slices: v.array(v.object({ format: v.picklist(imageFormats), top: size, height: size, bytes: size })),
});

const Frame = v.variant("kind", [StartedSchema, MeasuredSchema, ErrorSchema, ResultSchema]);
export type StartedFrame = v.InferOutput<typeof StartedSchema>;
export type MeasuredFrame = v.InferOutput<typeof MeasuredSchema>;
export type RenderFrame = v.InferOutput<typeof Frame>;

/** A frame before it is written: what is undefined is left out by JSON. */
type Unwritten<T> = { readonly [K in keyof T]: T[K] | undefined };

function encodeFrame(frame: Unwritten<RenderFrame>): Buffer {
  const json = Buffer.from(JSON.stringify(frame));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

/** The start of a piece of work, `at` milliseconds after the request. */
export const startedFrame = (started: MeasuredWork["phase"], at: number): Buffer =>
  encodeFrame({ kind: "started", phase: started, at });

/** A piece of work, whose times become milliseconds after the request at `startedAt`. */
export const measuredFrame = (
  { startedAt: from, endedAt, awaited, outcome, ...work }: MeasuredWork,
  startedAt: number,
): Buffer =>
  encodeFrame({
    kind: "measured",
    phase: work.phase,
    name: work.name,
    from: from - startedAt,
    to: endedAt - startedAt,
    awaited,
    outcome,
  } as RenderFrame);

export function errorFrame({ code, message, blame, details, figures, target, problems }: ApiError): Buffer {
  return encodeFrame({ kind: "error", code, message, blame, details, figures, target, problems } as RenderFrame);
}

/** The result: its frame, and its bytes. */
export function resultChunks({ body, firstFrame, slices, mimeType: _, attempt: __, ...facts }: Capture): Buffer[] {
  const frame = {
    kind: "result",
    ...facts,
    bodyBytes: body.length,
    firstFrameBytes: firstFrame?.length,
    slices: slices.map(({ body: bytes, ...slice }) => ({ ...slice, bytes: bytes.length })),
  };
  const parts = [body, ...(firstFrame ? [firstFrame] : []), ...slices.map((slice) => slice.body)];
  return [encodeFrame(frame as unknown as RenderFrame), ...parts];
}

export interface FrameListeners {
  onStarted(frame: StartedFrame): void;
  onMeasured(frame: MeasuredFrame): void;
}

/** The response is incomplete, or is none. */
export class UnreadableFrames extends Error {}

/**
 * Reads a response up to the last byte of its result, of which there may be `maxBytes`; twice as many with slices and first frame.
 * Throws the `ApiError` that the response holds, and `UnreadableFrames` for one that ends early or is no such response.
 */
export async function readRendered(
  chunks: AsyncIterable<Uint8Array>,
  listeners: FrameListeners,
  maxBytes: number,
): Promise<Capture> {
  const input = new ByteReader(chunks);
  for (let count = 0; count < MAX_FRAMES; count++) {
    const length = (await input.read(LENGTH_BYTES)).readUInt32BE();
    if (length > MAX_FRAME_BYTES) throw new UnreadableFrames(`A frame of ${length} bytes is too long.`);
    const frame = parseFrame(await input.read(length));
    if (frame.kind === "started") listeners.onStarted(frame);
    else if (frame.kind === "measured") listeners.onMeasured(frame);
    else if (frame.kind === "error") throw toApiError(frame);
    else return readResult(frame, input, maxBytes);
  }
  throw new UnreadableFrames("There are too many frames.");
}

function parseFrame(json: Buffer): RenderFrame {
  try {
    return v.parse(Frame, JSON.parse(json.toString()));
  } catch (cause) {
    throw new UnreadableFrames("A frame is not valid.", { cause });
  }
}

function toApiError({ code, message, kind: _, ...extras }: v.InferOutput<typeof ErrorSchema>): ApiError {
  return new ApiError(code, message, extras);
}

async function readResult(
  {
    kind: _,
    bodyBytes,
    firstFrameBytes,
    slices,
    report,
    beginFrameUnavailable,
    ...facts
  }: v.InferOutput<typeof ResultSchema>,
  input: ByteReader,
  maxBytes: number,
): Promise<Capture> {
  const total = bodyBytes + (firstFrameBytes ?? 0) + slices.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > 2 * maxBytes) throw new UnreadableFrames(`A result of ${total} bytes is too large.`);
  const body = await input.read(bodyBytes);
  const firstFrame = firstFrameBytes === undefined ? undefined : await input.read(firstFrameBytes);
  const read = [];
  for (const { bytes, ...slice } of slices) read.push({ ...slice, body: await input.read(bytes) });
  return {
    ...facts,
    mimeType: mimeTypes[facts.format],
    metadata: facts.metadata as Capture["metadata"],
    body,
    ...(firstFrame && { firstFrame }),
    attempt: undefined, // part of the report
    report,
    beginFrameUnavailable,
    slices: read,
  };
}

/** Reads an exact number of bytes at a time. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Throws `UnreadableFrames` when the stream ends before. */
  async read(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let missing = length;
    while (missing > this.#rest.length) {
      parts.push(this.#rest);
      missing -= this.#rest.length;
      const { value, done } = await this.#chunks.next();
      if (done) throw new UnreadableFrames("The response ended early.");
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    parts.push(this.#rest.subarray(0, missing));
    this.#rest = this.#rest.subarray(missing);
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, length);
  }
}
