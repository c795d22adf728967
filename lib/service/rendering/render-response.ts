// The response of the function `renderer`: a head of JSON with its length before it, then the bytes of the results. A long response is
// in objects of the bucket, and a head in the stream says so: Lambda streams what follows the first 6 MB at 2 MB a second.
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html
//
// A page that breaks out of Chromium can write anything here, so a reader takes nothing that is larger than its limits, and no value
// that it has not checked.

import * as v from "valibot";
import { ApiError } from "../../contract/errors/api-error.ts";
import { ErrorCodeSchema, TargetSchema } from "../../contract/errors/error-response.ts";
import { formats, imageFormats, mimeTypes } from "../../contract/options/formats.ts";
import { MAX_OUTPUTS } from "../../contract/options/outputs.ts";
import { ReportSchema } from "../../contract/problems/capture-report.ts";
import { MAX_PROBLEMS, ProblemSchema } from "../../contract/problems/problem.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import type { CapturedOutputs, OutputOutcome, RequestedOutput } from "../../engine/pipeline/capture-outputs.ts";
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

const ErrorFacts = {
  kind: v.literal("error"),
  code: ErrorCodeSchema,
  message: v.string(),
  blame: v.picklist(["caller", "target", "us"]),
  details: v.exactOptional(v.record(v.string(), v.array(v.string()))),
  figures: v.exactOptional(v.record(v.string(), v.nullable(v.union([v.string(), v.number()])))),
  target: v.exactOptional(TargetSchema),
  problems: v.pipe(v.array(ProblemSchema), v.maxLength(MAX_PROBLEMS)),
};
const ErrorFactsSchema = v.object(ErrorFacts);
const ErrorSchema = v.object({ ...ErrorFacts, ...Measured });

const ResultFacts = {
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
};
const ResultFactsSchema = v.object(ResultFacts);
const ResultSchema = v.object({ ...ResultFacts, ...Measured });

/** Several outputs of one page, in the order in which they were requested. */
const OutputsSchema = v.object({
  kind: v.literal("outputs"),
  ...Measured,
  loads: size,
  outputs: v.pipe(v.array(v.variant("kind", [ErrorFactsSchema, ResultFactsSchema])), v.maxLength(MAX_OUTPUTS)),
});

/** The response is in the objects whose addresses came with the call, one after the other. */
const UploadedSchema = v.object({ kind: v.literal("uploaded"), uploadMs: milliseconds, bytes: size });
export type Uploaded = v.InferOutput<typeof UploadedSchema>;

const Head = v.variant("kind", [ErrorSchema, ResultSchema, OutputsSchema, UploadedSchema]);
type Head = v.InferOutput<typeof Head>;
type ErrorFacts = v.InferOutput<typeof ErrorFactsSchema>;
type ResultFacts = v.InferOutput<typeof ResultFactsSchema>;

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

export const errorResponse = (error: ApiError, measured: Measurements): Buffer[] => [
  encodeHead({ ...errorFacts(error), ...measured }),
];

/** The head of a result, and its bytes, which aren't copied. */
export const resultResponse = (capture: Capture, measured: Measurements): Buffer[] => [
  encodeHead({ ...resultFacts(capture), ...measured }),
  ...resultBytes(capture),
];

/** The head of several outputs, and the bytes of each result. */
export function outputsResponse({ loads, outputs }: CapturedOutputs, measured: Measurements): Buffer[] {
  const facts = outputs.map((output) => ("error" in output ? errorFacts(output.error) : resultFacts(output.capture)));
  const head = encodeHead({ kind: "outputs", ...measured, loads, outputs: facts });
  return [head, ...outputs.flatMap((output) => ("error" in output ? [] : resultBytes(output.capture)))];
}

function errorFacts({ code, message, blame, details, figures, target, problems }: ApiError): object {
  return { kind: "error", code, message, blame, details, figures, target, problems };
}

function resultFacts({ body, firstFrame, slices, mimeType: _, attempt: __, ...facts }: Capture): object {
  return {
    kind: "result",
    ...facts,
    bodyBytes: body.length,
    firstFrameBytes: firstFrame?.length,
    slices: slices.map(({ body: bytes, ...slice }) => ({ ...slice, bytes: bytes.length })),
  };
}

function resultBytes({ body, firstFrame, slices }: Capture): Buffer[] {
  return [body, ...(firstFrame ? [firstFrame] : []), ...slices.map((slice) => slice.body)];
}

export const uploadedResponse = (uploaded: Omit<Uploaded, "kind">): Buffer =>
  encodeHead({ kind: "uploaded", ...uploaded });

export interface ResponseReading {
  /** Most bytes of the results with their slices, all of them together. */
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
export async function readCapture(chunks: AsyncIterable<Uint8Array>, reading: ResponseReading): Promise<Capture> {
  const { head, input } = await openResponse(chunks, reading);
  if (head.kind !== "result") throw new UnreadableResponse("The response has several outputs.");
  assertSizes([head], reading);
  return readResult(head, input);
}

/** Reads a response with these outputs, as `readCapture` does with one result. An output that failed has its error in its place. */
export async function readOutputs(
  requested: readonly Pick<RequestedOutput, "name">[],
  chunks: AsyncIterable<Uint8Array>,
  reading: ResponseReading,
): Promise<CapturedOutputs> {
  const { head, input } = await openResponse(chunks, reading);
  if (head.kind !== "outputs" || head.outputs.length !== requested.length)
    throw new UnreadableResponse(`The response doesn't have the ${requested.length} outputs.`);
  assertSizes(
    head.outputs.filter((facts) => facts.kind === "result"),
    reading,
  );
  const outputs: OutputOutcome[] = [];
  for (const [index, { name }] of requested.entries()) {
    const facts = head.outputs[index];
    if (facts?.kind === "result") outputs.push({ name, capture: await readResult(facts, input) });
    else if (facts) outputs.push({ name, error: toApiError(facts) });
  }
  return { loads: head.loads, outputs };
}

interface OpenResponse {
  readonly head: Exclude<Head, { readonly kind: "error" | "uploaded" }>;
  /** Where the bytes of the results follow. */
  readonly input: ByteReader;
}

/** Reads the head, and calls `onMeasured`. Throws the `ApiError` of a response that is one. */
async function openResponse(chunks: AsyncIterable<Uint8Array>, reading: ResponseReading): Promise<OpenResponse> {
  const { head, input, renderedAt } = await findHead(new ByteReader(chunks), reading);
  if (head.kind === "uploaded") throw new UnreadableResponse("An uploaded response refers to another one.");
  reading.onMeasured(head, renderedAt);
  if (head.kind === "error") throw toApiError(head);
  return { head, input };
}

/** The head of the response, in the stream or where that refers to. */
async function findHead(streamed: ByteReader, { maxBytes, readUploaded }: ResponseReading) {
  const first = await readHead(streamed);
  if (first.kind !== "uploaded") return { head: first, input: streamed, renderedAt: performance.now() };
  if (first.bytes > maxResponseBytes(maxBytes))
    throw new UnreadableResponse(`A response of ${first.bytes} bytes is too long.`);
  const renderedAt = performance.now() - Math.max(0, first.uploadMs);
  const input = new ByteReader(oneChunk(await readUploaded(first, renderedAt)));
  return { head: await readHead(input), input, renderedAt };
}

async function* oneChunk(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}

async function readHead(input: ByteReader): Promise<Head> {
  const length = (await input.read(LENGTH_BYTES)).readUInt32BE();
  if (length > MAX_HEAD_BYTES) throw new UnreadableResponse(`A head of ${length} bytes is too long.`);
  const json = await input.read(length);
  try {
    return v.parse(Head, JSON.parse(json.toString()));
  } catch (cause) {
    throw new UnreadableResponse("The head is not valid.", { cause });
  }
}

/** Throws `UnreadableResponse` for results that are larger than allowed, all of them together, before any of them is read. */
function assertSizes(results: readonly ResultFacts[], { maxBytes }: ResponseReading): void {
  let total = 0;
  let firstFrames = 0;
  for (const { bodyBytes, slices, firstFrameBytes = 0 } of results) {
    total += slices.reduce((sum, { bytes }) => sum + bytes, bodyBytes);
    firstFrames += firstFrameBytes;
  }
  if (total > maxBytes || firstFrames > MAX_FIRST_FRAME_BYTES)
    throw new UnreadableResponse(`A result of ${total} bytes is too large.`);
}

async function readResult(facts: ResultFacts, input: ByteReader): Promise<Capture> {
  const { bodyBytes, firstFrameBytes, slices } = facts;
  const body = await input.read(bodyBytes);
  const firstFrame = firstFrameBytes === undefined ? undefined : await input.read(firstFrameBytes);
  const read = [];
  for (const { bytes, ...slice } of slices) read.push({ ...slice, body: await input.read(bytes) });
  const { finalUrl, statusCode, warnings, problems, quality, report, beginFrameUnavailable, format } = facts;
  return {
    ...{ finalUrl, statusCode, warnings, problems, quality, report, beginFrameUnavailable, format },
    mimeType: mimeTypes[format],
    metadata: facts.metadata as Capture["metadata"],
    body,
    ...(firstFrame && { firstFrame }),
    attempt: undefined, // part of the report
    slices: read,
  };
}

function toApiError({ code, message, blame, details, figures, target, problems }: ErrorFacts): ApiError {
  const extras = { ...(details && { details }), ...(figures && { figures }), ...(target && { target }) };
  return new ApiError(code, message, { blame, problems, ...extras });
}
