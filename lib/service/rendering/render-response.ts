// The response of the function `renderer`: a head of JSON with its length before it, then the bytes of the result. A long response is
// in objects of the bucket, and a head in the stream says so: Lambda streams what follows the first 6 MB at 2 MB a second.
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html
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
import { MAX_WORKS, type PhaseClock, phases } from "../../engine/pipeline/phase-clock.ts";
import { ByteReader, UnreadableResponse } from "./byte-reader.ts";

/** Longest head in bytes. The text of a page can be part of its metadata. */
const MAX_HEAD_BYTES = 32_000_000;
/** Most bytes of the first frame of a video, which come on top of the limit of a result. */
const MAX_FIRST_FRAME_BYTES = 40_000_000;
const LENGTH_BYTES = 4;

/** Longest response for a result of `resultBytes`. */
export const maxResponseBytes = (resultBytes: number): number =>
  LENGTH_BYTES + MAX_HEAD_BYTES + MAX_FIRST_FRAME_BYTES + resultBytes;

const size = v.pipe(v.number(), v.integer(), v.minValue(0));
const milliseconds = v.pipe(v.number(), v.finite());
const phase = v.picklist(phases);

/** What the renderer has measured, in milliseconds after the start of the request. */
const Measured = {
  works: v.pipe(
    v.array(
      v.object({
        phase,
        name: v.pipe(v.string(), v.maxLength(200)),
        from: milliseconds,
        to: milliseconds,
        awaited: v.exactOptional(v.string()),
        outcome: v.exactOptional(v.picklist(["met", "capped", "gave_up"])),
      }),
    ),
    v.maxLength(MAX_WORKS),
  ),
  /** How phases went, in words that are safe in a header. */
  descriptions: v.array(v.tuple([phase, v.pipe(v.string(), v.regex(/^[a-z ]{1,40}$/))])),
  endedAt: milliseconds,
};
const MeasuredSchema = v.object(Measured);
export type Measurements = v.InferOutput<typeof MeasuredSchema>;

const ErrorSchema = v.object({
  kind: v.literal("error"),
  ...Measured,
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
  ...Measured,
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

/** The response is in the objects whose addresses came with the call, one after the other. */
const UploadedSchema = v.object({ kind: v.literal("uploaded"), uploadMs: milliseconds, bytes: size });
export type Uploaded = v.InferOutput<typeof UploadedSchema>;

const Head = v.variant("kind", [ErrorSchema, ResultSchema, UploadedSchema]);
type ErrorHead = v.InferOutput<typeof ErrorSchema>;
type ResultHead = v.InferOutput<typeof ResultSchema>;

function encodeHead(head: object): Buffer {
  const json = JSON.stringify(head); // what is undefined is left out
  const encoded = Buffer.allocUnsafe(LENGTH_BYTES + Buffer.byteLength(json));
  encoded.writeUInt32BE(encoded.length - LENGTH_BYTES);
  encoded.write(json, LENGTH_BYTES);
  return encoded;
}

/** What a clock has measured since `startedAt`. */
export function measurements(clock: PhaseClock, startedAt: number): Measurements {
  const works = clock.works().map(({ startedAt: from, endedAt, ...work }) => ({
    ...work,
    from: from - startedAt,
    to: endedAt - startedAt,
  }));
  return {
    works: works as Measurements["works"],
    descriptions: clock.descriptions(),
    endedAt: performance.now() - startedAt,
  };
}

export function errorResponse(error: ApiError, measured: Measurements): Buffer[] {
  const { code, message, blame, details, figures, target, problems } = error;
  return [encodeHead({ kind: "error", ...measured, code, message, blame, details, figures, target, problems })];
}

/** The head of a result, and its bytes, which aren't copied. */
export function resultResponse(
  { body, firstFrame, slices, mimeType: _, attempt: __, ...facts }: Capture,
  measured: Measurements,
): Buffer[] {
  const head = encodeHead({
    kind: "result",
    ...measured,
    ...facts,
    bodyBytes: body.length,
    firstFrameBytes: firstFrame?.length,
    slices: slices.map(({ body: bytes, ...slice }) => ({ ...slice, bytes: bytes.length })),
  });
  return [head, body, ...(firstFrame ? [firstFrame] : []), ...slices.map((slice) => slice.body)];
}

export const uploadedResponse = (uploaded: Omit<Uploaded, "kind">): Buffer =>
  encodeHead({ kind: "uploaded", ...uploaded });

export interface ResponseReading {
  /** Most bytes of the result with its slices. */
  readonly maxBytes: number;
  /** Called once, before an error is thrown, too. `renderedAt` is when the response arrived, without its upload, in this function's time. */
  onMeasured(measured: Measurements, renderedAt: number): void;
  /** Reads a response that was uploaded. */
  readUploaded(uploaded: Uploaded, renderedAt: number): Promise<Buffer>;
}

/**
 * Reads a response up to the last byte of its result. Throws the `ApiError` that it holds, and `UnreadableResponse` for one that ends
 * early or isn't valid.
 */
export async function readResponse(chunks: AsyncIterable<Uint8Array>, reading: ResponseReading): Promise<Capture> {
  const streamed = new ByteReader(chunks);
  const first = await readHead(streamed);
  if (first.kind !== "uploaded") return readCapture(first, { input: streamed, renderedAt: performance.now() }, reading);
  if (first.bytes > maxResponseBytes(reading.maxBytes))
    throw new UnreadableResponse(`A response of ${first.bytes} bytes is too long.`);
  const renderedAt = performance.now() - Math.max(0, first.uploadMs);
  const input = new ByteReader(oneChunk(await reading.readUploaded(first, renderedAt)));
  const head = await readHead(input);
  if (head.kind === "uploaded") throw new UnreadableResponse("An uploaded response refers to another one.");
  return readCapture(head, { input, renderedAt }, reading);
}

async function* oneChunk(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}

async function readHead(input: ByteReader): Promise<v.InferOutput<typeof Head>> {
  const length = (await input.read(LENGTH_BYTES)).readUInt32BE();
  if (length > MAX_HEAD_BYTES) throw new UnreadableResponse(`A head of ${length} bytes is too long.`);
  const json = await input.read(length);
  try {
    return v.parse(Head, JSON.parse(json.toString()));
  } catch (cause) {
    throw new UnreadableResponse("The head is not valid.", { cause });
  }
}

async function readCapture(
  head: ErrorHead | ResultHead,
  { input, renderedAt }: { readonly input: ByteReader; readonly renderedAt: number },
  { maxBytes, onMeasured }: ResponseReading,
): Promise<Capture> {
  onMeasured(head, renderedAt);
  if (head.kind === "error") throw new ApiError(head.code, head.message, extras(head));
  const { bodyBytes, firstFrameBytes = 0, slices } = head;
  const total = slices.reduce((sum, { bytes }) => sum + bytes, bodyBytes);
  if (total > maxBytes || firstFrameBytes > MAX_FIRST_FRAME_BYTES)
    throw new UnreadableResponse(`A result of ${total} bytes is too large.`);
  const body = await input.read(bodyBytes);
  const firstFrame = head.firstFrameBytes === undefined ? undefined : await input.read(firstFrameBytes);
  const read = [];
  for (const { bytes, ...slice } of slices) read.push({ ...slice, body: await input.read(bytes) });
  const { finalUrl, statusCode, warnings, problems, quality, report, beginFrameUnavailable, format } = head;
  return {
    ...{ finalUrl, statusCode, warnings, problems, quality, report, beginFrameUnavailable, format },
    mimeType: mimeTypes[format],
    metadata: head.metadata as Capture["metadata"],
    body,
    ...(firstFrame && { firstFrame }),
    attempt: undefined, // part of the report
    slices: read,
  };
}

function extras({ blame, details, figures, target, problems }: ErrorHead) {
  return {
    blame,
    problems,
    ...(details && { details }),
    ...(figures && { figures }),
    ...(target && { target }),
  };
}
