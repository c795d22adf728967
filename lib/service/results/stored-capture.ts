// The metadata of a stored capture, from which it is served again, and the signed links to it.
import * as v from "valibot";
import { formats } from "../../contract/options/formats.ts";
import { ProblemsSchema } from "../../contract/problems/problem.ts";
import { optionalVariable } from "../platform/environment.ts";
import { resultLink } from "./result-link.ts";
import { StoredReportSchema } from "./stored-report.ts";
import { StoredThumbnailSchema } from "./stored-thumbnail.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Everything but the bytes, which are objects in the bucket. Names as in the stored JSON. */
export const StoredCaptureSchema = v.object({
  key: v.string(),
  format: v.picklist(formats),
  mime_type: v.string(),
  size_bytes: count,
  final_url: v.nullable(v.string()),
  status_code: v.nullable(v.number()),
  warnings: v.array(v.string()),
  /** Absent in captures that were stored before there were problems. */
  problems: v.optional(ProblemsSchema),
  quality: v.optional(v.number()),
  /** Number of pages of a PDF, where it is stated. */
  pages: v.optional(count),
  metadata: v.record(v.string(), v.unknown()),
  /** Where its report is stored, if it has one. */
  report: v.optional(StoredReportSchema),
  /** Where its thumbnail is stored, if it has one. */
  thumbnail: v.optional(StoredThumbnailSchema),
  slices: v.array(v.object({ key: v.string(), top: count, height: count, size_bytes: count })),
  /** URL of the copy in the customer's storage, if there is one. */
  storage_location: v.optional(v.string()),
  /** Why the customer's storage may not have its copy, although bytes of it were sent. */
  storage_error: v.optional(v.object({ code: v.string(), message: v.string() })),
  /** When its links expire and its objects may be deleted, in milliseconds since 1970; a whole second. */
  expires_at: v.number(),
});

export type StoredCapture = v.InferOutput<typeof StoredCaptureSchema>;

/** The keys of all objects of a stored capture. */
export function objectKeys({ key, slices, report, thumbnail }: StoredCapture): string[] {
  const others = [report, thumbnail].flatMap((object) => (object ? [object.key] : []));
  return [key, ...slices.map((slice) => slice.key), ...others];
}

/** A signed link to a stored object, and when it expires, in milliseconds since 1970. */
export interface ResultLink {
  readonly url: string;
  readonly expiresAt: number;
}

/** A signed link to one slice of a full-page image; `top` and `height` are image pixels. */
export interface SliceLink {
  readonly url: string;
  readonly top: number;
  readonly height: number;
  readonly sizeBytes: number;
}

/** Returns the signed links to a stored capture and its slices. They begin with the address of CloudFront where there is one. */
export function createLinks(
  { key, slices, expires_at: expiresAt }: StoredCapture,
  { baseUrl, secret }: { baseUrl: string; secret: string },
): { readonly link: ResultLink; readonly slices: readonly SliceLink[] } {
  const origin = optionalVariable("LINK_BASE_URL") ?? baseUrl;
  const linkTo = (object: string) => resultLink({ baseUrl: origin, key: object, expiresAt, secret });
  return {
    link: { url: linkTo(key), expiresAt },
    slices: slices.map((slice) => ({
      url: linkTo(slice.key),
      top: slice.top,
      height: slice.height,
      sizeBytes: slice.size_bytes,
    })),
  };
}
