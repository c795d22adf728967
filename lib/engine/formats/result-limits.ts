// Result limits: the checks for every format and the `RESULT_TOO_LARGE` error they throw.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureLimits, ResultLimit } from "../../contract/options/capture-limits.ts";
import { type Format, formatKind } from "../../contract/options/formats.ts";
import type { Size } from "./screenshot/encoding.ts";

/** Kinds of results and their parts. */
export type ResultKind = "image" | "slices" | "video" | "pdf" | "document" | "base64" | "outputs";

/** Throws `RESULT_TOO_LARGE` for an image with more pixels than allowed, before memory is allocated for them. */
export function assertPixels({ width, height }: Size, limits: CaptureLimits): void {
  const pixels = width * height;
  if (pixels <= limits.image_megapixels * 1e6) return;
  throw tooLarge("image_megapixels", limits, {
    would: `The image would measure ${width} × ${height} pixels`,
    wouldBe: pixels / 1e6,
    help: "Lower device_scale_factor, image_width or image_height, or capture a smaller part.",
  });
}

/** Throws `RESULT_TOO_LARGE` for a PDF with more pages than allowed; `pages` may be a lower bound. */
export function assertPages(pages: number, limits: CaptureLimits): void {
  if (pages <= limits.pdf_pages) return;
  throw tooLarge("pdf_pages", limits, {
    would: `The PDF would have at least ${pages.toLocaleString("en")} pages`,
    wouldBe: pages,
    help: "Ask for some of them with pdf_page_ranges, for larger paper, or for a part of the page with selector.",
  });
}

/** Throws `RESULT_TOO_LARGE` for a result, or a part of it so far, with more bytes than allowed. */
export function assertBytes(bytes: number, kind: ResultKind, limits: CaptureLimits): void {
  if (bytes <= limits.result_megabytes * 1e6) return;
  const { name, help } = kinds[kind];
  const wouldBe = bytes / 1e6;
  throw tooLarge("result_megabytes", limits, {
    would: `${name} would have at least ${formatAmount(wouldBe)} MB`,
    wouldBe,
    help,
  });
}

/** A result to be stored or sent. */
export interface Deliverable {
  readonly body: Buffer;
  readonly format: Format;
  readonly slices: readonly { readonly body: Buffer }[];
}

/** Throws `RESULT_TOO_LARGE` when the result, with all its parts or as base64 text, is larger than allowed. */
export function assertDeliverable(
  { body, format, slices }: Deliverable,
  asBase64: boolean,
  limits: CaptureLimits,
): void {
  const slicesBytes = slices.reduce((sum, slice) => sum + slice.body.length, 0);
  assertBytes(body.length, formatKind(format), limits);
  assertBytes(body.length + slicesBytes, "slices", limits);
  if (asBase64) assertBytes(Math.ceil(body.length / 3) * 4, "base64", limits);
}

const kinds: Readonly<Record<ResultKind, { readonly name: string; readonly help: string }>> = {
  image: {
    name: "The image",
    help: "Choose jpeg or webp, lower image_quality or device_scale_factor, or capture a smaller part.",
  },
  slices: {
    name: "The image and its slices",
    help: "Lower full_page_slice_overlap_height, full_page_max_height or device_scale_factor, or choose jpeg or webp.",
  },
  video: {
    name: "The video",
    help: "Lower video_duration, video_fps or its size, or choose mp4, which is the smallest.",
  },
  pdf: {
    name: "The PDF",
    help: "Ask for fewer pages with pdf_page_ranges, or for a part with selector.",
  },
  document: { name: "The document", help: "Capture a smaller page, or as text or markdown." },
  outputs: { name: "This and the outputs before it", help: "Send some of the outputs in another request." },
  base64: { name: "The base64 text", help: "Leave response_type out, or store the result with response_type=json." },
};

const units: Readonly<Record<ResultLimit, string>> = {
  image_megapixels: "million pixels",
  pdf_pages: "pages",
  result_megabytes: "MB",
};

function tooLarge(
  limit: ResultLimit,
  limits: CaptureLimits,
  { would, wouldBe, help }: { would: string; wouldBe: number; help: string },
): ApiError {
  const allows = limits[limit];
  const message = `${would}, more than the ${allows.toLocaleString("en")} ${units[limit]} that are allowed. ${help}`;
  return new ApiError("RESULT_TOO_LARGE", message, {
    details: { limit: [limit] },
    figures: { allows, would_be: roundUp(wouldBe) },
  });
}

/** Rounds up to one decimal, so that an excess never reads as an allowed value. */
function roundUp(amount: number): number {
  return Math.ceil(amount * 10) / 10;
}

function formatAmount(amount: number): string {
  return roundUp(amount).toLocaleString("en");
}
