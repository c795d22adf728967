// The response of the function `renderer`: a head of JSON with its length before it, then the bytes of the results. A long response is
// in objects of the bucket, and a head in the stream says so: Lambda streams what follows the first 6 MB at 2 MB a second.
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html
//
// A page that breaks out of Chromium can write anything here, so a reader takes nothing that is larger than its limits, and no value
// that it has not checked.

import { isIP } from "node:net";
import * as v from "valibot";
import { ApiError } from "../../contract/errors/api-error.ts";
import { ErrorCodeSchema, TargetSchema } from "../../contract/errors/error-response.ts";
import { MAX_PDF_PAGES } from "../../contract/options/capture-limits.ts";
import { formatKind, formats, imageFormats, mimeTypes } from "../../contract/options/formats.ts";
import { MAX_OUTPUTS } from "../../contract/options/output-limits.ts";
import { type CaptureReport, ReportSchema } from "../../contract/problems/capture-report.ts";
import { MAX_PROBLEMS, ProblemSchema } from "../../contract/problems/problem.ts";
import { imageSignature } from "../../engine/formats/image-signature.ts";
import { MAX_REPORT_PICTURE_BYTES, MAX_THUMBNAIL_BYTES } from "../../engine/formats/thumbnail-limits.ts";
import { MAX_WORKS, type Phase, type PhaseClock, phases } from "../../engine/pipeline/phase-clock.ts";
import { CaptureMetadataResponse } from "../captures/metadata-responses.ts";
import { ByteReader, UnreadableResponse } from "./byte-reader.ts";
import type { Rendered, RenderedOutput, RenderedOutputs, RequestedRendering } from "./renderer.ts";
import { encodeHead, LENGTH_BYTES, readResponseHead } from "./response-head.ts";

/** Longest head in bytes. The text of a page can be part of its metadata. */
const MAX_HEAD_BYTES = 32_000_000;
/** Longest head of what follows the results. */
const MAX_THUMBNAILS_HEAD_BYTES = 1_000;

/** Longest response for a result of `resultBytes`, without thumbnails, which are always in the stream. */
export const maxResponseBytes = (resultBytes: number): number =>
  LENGTH_BYTES + MAX_HEAD_BYTES + MAX_OUTPUTS * MAX_REPORT_PICTURE_BYTES + resultBytes;

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
  /** Whether it is the first response of its execution environment: AWS bills the start of that. */
  isFirst: v.exactOptional(v.boolean()),
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

/** The address of the page's host is one, or none: what people read of a report must not be a text of the page. */
const hasAddress = ({ connection: { address } }: CaptureReport) => address === null || isIP(address) !== 0;

const ResultFacts = {
  kind: v.literal("result"),
  format: v.picklist(formats),
  finalUrl: v.nullable(v.string()),
  statusCode: v.nullable(v.pipe(v.number(), v.integer())),
  warnings: v.array(v.string()),
  problems: v.pipe(v.array(ProblemSchema), v.maxLength(MAX_PROBLEMS)),
  quality: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  report: v.exactOptional(v.pipe(ReportSchema, v.check(hasAddress))),
  metadata: CaptureMetadataResponse,
  beginFrameUnavailable: v.exactOptional(v.string()),
  bodyBytes: size,
  pages: v.exactOptional(v.pipe(size, v.maxValue(MAX_PDF_PAGES))),
  reportPictureBytes: v.exactOptional(v.pipe(size, v.maxValue(MAX_REPORT_PICTURE_BYTES))),
  slices: v.array(v.object({ format: v.picklist(imageFormats), top: size, height: size, bytes: size })),
};
const ResultFactsSchema = v.object(ResultFacts);

/** The outputs of one page, in the order in which they were requested. */
const OutputsSchema = v.object({
  kind: v.literal("outputs"),
  ...Measured,
  loads: size,
  outputs: v.pipe(v.array(v.variant("kind", [ErrorFactsSchema, ResultFactsSchema])), v.maxLength(MAX_OUTPUTS)),
});

/** The response is in the objects whose addresses came with the call, one after the other. */
const UploadedSchema = v.object({ kind: v.literal("uploaded"), uploadMs: milliseconds, bytes: size });
export type Uploaded = v.InferOutput<typeof UploadedSchema>;

/** What follows the results: the length of the thumbnail of each, in their order. */
const ThumbnailsSchema = v.object({
  kind: v.literal("thumbnails"),
  bytes: v.pipe(v.array(v.nullable(v.pipe(size, v.maxValue(MAX_THUMBNAIL_BYTES)))), v.maxLength(MAX_OUTPUTS)),
});

/** Before the head, where the call asks for it: the phase that the renderer has reached. */
const PhaseSchema = v.object({ kind: v.literal("phase"), phase });
/** Phases that a response names, and a reader takes. */
export const MAX_REPORTED_PHASES = 100;

const Head = v.variant("kind", [ErrorSchema, OutputsSchema, UploadedSchema]);
const FirstHead = v.variant("kind", [PhaseSchema, ErrorSchema, OutputsSchema, UploadedSchema]);
type ErrorFacts = v.InferOutput<typeof ErrorFactsSchema>;
type ResultFacts = v.InferOutput<typeof ResultFactsSchema>;

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

export const encodeError = (error: ApiError, measured: Measurements): Buffer[] => [
  encodeHead({ ...errorFacts(error), ...measured }),
];

/** The head of a result alone, and its bytes, for a caller of the version before. */
export const encodeSingleResult = (rendered: Rendered, measured: Measurements): Buffer[] => [
  encodeHead({ ...resultFacts(rendered), ...measured }),
  ...resultBytes(rendered),
];

/** The head of outputs, and the bytes of each result, which aren't copied. */
export function encodeOutputs({ loads, outputs }: RenderedOutputs, measured: Measurements): Buffer[] {
  const facts = outputs.map((output) => ("error" in output ? errorFacts(output.error) : resultFacts(output.capture)));
  const head = encodeHead({ kind: "outputs", ...measured, loads, outputs: facts });
  return [head, ...outputs.flatMap((output) => ("error" in output ? [] : resultBytes(output.capture)))];
}

function errorFacts({ code, message, blame, details, figures, target, problems }: ApiError): object {
  return { kind: "error", code, message, blame, details, figures, target, problems };
}

function resultFacts(rendered: Rendered): object {
  const { body, reportPicture, thumbnail: _, slices, mimeType: __, browserAttempt: ___, ...facts } = rendered;
  return {
    kind: "result",
    ...facts,
    bodyBytes: body.length,
    reportPictureBytes: reportPicture?.length,
    slices: slices.map(({ body: bytes, ...slice }) => ({ ...slice, bytes: bytes.length })),
  };
}

function resultBytes({ body, reportPicture, slices }: Rendered): Buffer[] {
  return [body, ...(reportPicture ? [reportPicture] : []), ...slices.map((slice) => slice.body)];
}

/** The thumbnails of results, in their order, as they follow them. */
export const encodeThumbnails = (thumbnails: readonly (Buffer | undefined)[]): Buffer[] => [
  encodeHead({ kind: "thumbnails", bytes: thumbnails.map((thumbnail) => thumbnail?.length ?? null) }),
  ...thumbnails.filter((thumbnail) => thumbnail !== undefined),
];

export const encodePhase = (reached: Phase): Buffer => encodeHead({ kind: "phase", phase: reached });

export const encodeUploaded = (uploaded: Omit<Uploaded, "kind">): Buffer =>
  encodeHead({ kind: "uploaded", ...uploaded });

export interface ResponseReading {
  /** Most bytes of the results with their slices, all of them together. */
  readonly maxBytes: number;
  /** Called for each phase that the renderer reaches, if the call asks for it. */
  onPhase?(phase: Phase): void;
  /** Called once, before an error is thrown, too. `renderedAt` is when the response arrived, without its upload, in this function's time. */
  onMeasured(measured: Measurements, renderedAt: number): void;
  /** Reads a response that was uploaded. */
  readUploaded(uploaded: Uploaded, renderedAt: number): Promise<Buffer>;
}

/**
 * Reads a response with these outputs, up to the last byte of their results. An output that failed has its error in its place. Throws the
 * `ApiError` of a response that is one, and `UnreadableResponse` for one that ends early or isn't valid.
 */
export async function readOutputs(
  requested: readonly Pick<RequestedRendering, "thumbnail">[],
  chunks: AsyncIterable<Uint8Array>,
  reading: ResponseReading,
): Promise<RenderedOutputs> {
  const { head, input, streamed } = await openResponse(chunks, reading);
  if (head.outputs.length !== requested.length)
    throw new UnreadableResponse(`The response doesn't have the ${requested.length} outputs.`);
  const results = head.outputs.filter((facts) => facts.kind === "result");
  assertSizes(results, reading);
  const thumbnails = new FollowingThumbnails(streamed, results.length);
  const outputs: RenderedOutput[] = [];
  for (const [index, facts] of head.outputs.entries()) {
    if (facts.kind === "error") {
      outputs.push({ error: toApiError(facts) });
      continue;
    }
    const rendered = await readResult(facts, input);
    const isWanted = requested[index]?.thumbnail;
    outputs.push({ capture: isWanted ? thumbnails.attach(rendered, results.indexOf(facts)) : rendered });
  }
  return { loads: head.loads, outputs };
}

/** The thumbnails behind the results in the stream. They are read at once, when the first one is asked for. */
class FollowingThumbnails {
  readonly #input: ByteReader;
  readonly #count: number;
  #reading: Promise<readonly (Buffer | undefined)[]> | undefined;

  constructor(input: ByteReader, count: number) {
    this.#input = input;
    this.#count = count;
  }

  /** A result with the thumbnail at `index`, if it has a picture. Reading it throws `UnreadableResponse` for what is no thumbnail. */
  attach(rendered: Rendered, index: number): Rendered {
    const kind = formatKind(rendered.format);
    if (kind !== "image" && kind !== "video") return rendered;
    const thumbnail = async () => {
      this.#reading ??= readThumbnails(this.#input, this.#count);
      return (await this.#reading)[index];
    };
    return { ...rendered, thumbnail };
  }
}

async function readThumbnails(input: ByteReader, count: number): Promise<readonly (Buffer | undefined)[]> {
  const { bytes } = await readResponseHead(input, ThumbnailsSchema, MAX_THUMBNAILS_HEAD_BYTES);
  if (bytes.length !== count) throw new UnreadableResponse(`There are ${bytes.length} thumbnails of ${count} results.`);
  const thumbnails: (Buffer | undefined)[] = [];
  for (const length of bytes) thumbnails.push(length === null ? undefined : await input.read(length));
  if (thumbnails.some((thumbnail) => thumbnail && !isWebp(thumbnail)))
    throw new UnreadableResponse("There is a thumbnail that is no WebP.");
  return thumbnails;
}

/** By its signature alone: pictures are stored without being decoded. */
const isWebp = (picture: Buffer) => imageSignature(picture) === "webp";

interface OpenResponse {
  readonly head: v.InferOutput<typeof OutputsSchema>;
  /** Where the bytes of the results follow. */
  readonly input: ByteReader;
  /** The stream, also of a response that was uploaded. */
  readonly streamed: ByteReader;
}

/** Reads the head, and calls `onMeasured`. Throws the `ApiError` of a response that is one. */
async function openResponse(chunks: AsyncIterable<Uint8Array>, reading: ResponseReading): Promise<OpenResponse> {
  const streamed = new ByteReader(chunks);
  const { head, input, renderedAt } = await findHead(streamed, reading);
  if (head.kind === "uploaded") throw new UnreadableResponse("An uploaded response refers to another one.");
  reading.onMeasured(head, renderedAt);
  if (head.kind === "error") throw toApiError(head);
  return { head, input, streamed };
}

/** The head of the response, in the stream or where that refers to. */
async function findHead(streamed: ByteReader, { maxBytes, readUploaded, onPhase }: ResponseReading) {
  const first = await readPastPhases(streamed, onPhase);
  if (first.kind !== "uploaded") return { head: first, input: streamed, renderedAt: performance.now() };
  if (first.bytes > maxResponseBytes(maxBytes))
    throw new UnreadableResponse(`A response of ${first.bytes} bytes is too long.`);
  const renderedAt = performance.now() - Math.max(0, first.uploadMs);
  const input = new ByteReader(oneChunk(await readUploaded(first, renderedAt)));
  return { head: await readResponseHead(input, Head, MAX_HEAD_BYTES), input, renderedAt };
}

/** The first head that is no phase. Throws `UnreadableResponse` after too many phases. */
async function readPastPhases(streamed: ByteReader, onPhase: ResponseReading["onPhase"]) {
  for (let count = 0; count <= MAX_REPORTED_PHASES; count++) {
    const head = await readResponseHead(streamed, FirstHead, MAX_HEAD_BYTES);
    if (head.kind !== "phase") return head;
    onPhase?.(head.phase);
  }
  throw new UnreadableResponse("The response has too many phases.");
}

async function* oneChunk(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}

/** Throws `UnreadableResponse` for results that are larger than allowed, all of them together, before any of them is read. */
function assertSizes(results: readonly ResultFacts[], { maxBytes }: ResponseReading): void {
  let total = 0;
  for (const { bodyBytes, slices } of results) total += slices.reduce((sum, { bytes }) => sum + bytes, bodyBytes);
  if (total > maxBytes) throw new UnreadableResponse(`A result of ${total} bytes is too large.`);
}

async function readResult(facts: ResultFacts, input: ByteReader): Promise<Rendered> {
  const { bodyBytes, reportPictureBytes, slices, pages } = facts;
  const body = await input.read(bodyBytes);
  const reportPicture = reportPictureBytes === undefined ? undefined : await input.read(reportPictureBytes);
  const read = [];
  for (const { bytes, ...slice } of slices) read.push({ ...slice, body: await input.read(bytes) });
  const { finalUrl, statusCode, warnings, problems, quality, report, beginFrameUnavailable, format } = facts;
  return {
    ...{ finalUrl, statusCode, warnings, problems, quality, report, beginFrameUnavailable, format },
    mimeType: mimeTypes[format],
    metadata: facts.metadata,
    body,
    ...(pages !== undefined && { pages }),
    ...(reportPicture && isWebp(reportPicture) && { reportPicture }),
    browserAttempt: undefined, // part of the report
    slices: read,
  };
}

function toApiError({ code, message, blame, details, figures, target, problems }: ErrorFacts): ApiError {
  const extras = { ...(details && { details }), ...(figures && { figures }), ...(target && { target }) };
  return new ApiError(code, message, { blame, problems, ...extras });
}
