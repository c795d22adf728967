// An output of a request as the API answers it, from its stored result: in a response, and in the status of a job.
import * as v from "valibot";
import { type Format, formatKind } from "../../contract/options/formats.ts";
import { captureOptionEntries } from "../../contract/options/groups/all.ts";
import { creditFor } from "../billing/quota.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { StoredCapture } from "../results/stored-capture.ts";
import type { CaptureFacts } from "./capture-result.ts";
import { MAX_CONTENT_BYTES } from "./content-limit.ts";
import type { OutputResult, OutputsResult } from "./output-responses.ts";

export type OutputJson = ResponseBody<typeof OutputResult>;

export interface OutputFacts {
  readonly name: string;
  /** The id of its log. */
  readonly requestId: number;
  /** The options of its capture as they were sent. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Signed link to the result. */
  readonly url: string;
  /** The result itself, for a short text. @default none */
  readonly content?: string | undefined;
}

/** Describes an output that has succeeded. */
export function describeStored(stored: StoredCapture, facts: OutputFacts): OutputJson {
  const { image_size: size, ...metadata } = stored.metadata as CaptureFacts["metadata"];
  const shown =
    isRequested(facts.options["metadata_image_size"]) && size ? { image_size: size, ...metadata } : metadata;
  const { pages, quality = 100, problems = [], warnings, storage_location, storage_error } = stored;
  return {
    name: facts.name,
    status: "success",
    request_id: facts.requestId,
    url: facts.url,
    mime_type: stored.mime_type,
    file_size_bytes: stored.size_bytes,
    ...(size && { width: size.width, height: size.height }),
    ...(pages !== undefined && { pages }),
    ...(Object.keys(shown).length > 0 && { metadata: shown }),
    ...(storage_location !== undefined && { storage_location }),
    ...(storage_error && { storage_error }),
    ...(warnings.length > 0 && { warnings }),
    ...(problems.length > 0 && { problems }),
    quality,
    ...(facts.content !== undefined && { content: facts.content }),
  };
}

function isRequested(metadataImageSize: unknown): boolean {
  const { success, output } = v.safeParse(captureOptionEntries.metadata_image_size, metadataImageSize);
  return success && output;
}

/** True for formats in UTF-8. An MHTML document has parts in other encodings. */
export function isUtf8Text(format: Format): boolean {
  return formatKind(format) === "document" && format !== "mhtml";
}

/** True for a text that is short enough to be part of the description. */
export function hasContent({ format, sizeBytes }: { readonly format: Format; readonly sizeBytes: number }): boolean {
  return isUtf8Text(format) && sizeBytes <= MAX_CONTENT_BYTES;
}

/** What outputs that have succeeded count as, each as one capture of its kind. Cached ones are free, and all with a key for tests. */
export function billedCredits(
  successes: readonly { readonly format: string; readonly fromCache: boolean }[],
  isTest: boolean,
): ResponseBody<typeof OutputsResult>["billed"] {
  const billed = isTest ? [] : successes.filter(({ fromCache }) => !fromCache).map(({ format }) => creditFor(format));
  const count = (kind: string) => billed.filter((credit) => credit === kind).length;
  return { screenshots: count("screenshots"), videos: count("videos") };
}
