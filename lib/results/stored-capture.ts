// A capture that is stored: what is kept of it so that it can be answered again, and the links to it.
import * as v from "valibot";
import { formats } from "../options/formats.ts";
import { resultLink } from "./result-link.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Everything but the bytes, which are objects of the bucket. Its names are those of the stored JSON. */
export const StoredCaptureSchema = v.object({
  key: v.string(),
  format: v.picklist(formats),
  mime_type: v.string(),
  size_bytes: count,
  final_url: v.nullable(v.string()),
  status_code: v.nullable(v.number()),
  warnings: v.array(v.string()),
  metadata: v.record(v.string(), v.unknown()),
  slices: v.array(v.object({ key: v.string(), top: count, height: count, size_bytes: count })),
  /** Its address in the caller's own storage, where they asked for it. */
  storage_location: v.optional(v.string()),
  /** When its links end and its objects may be swept, in milliseconds since 1970; a whole second. */
  expires_at: v.number(),
});

export type StoredCapture = v.InferOutput<typeof StoredCaptureSchema>;

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

/** The links to a stored capture and to its slices. */
export function createLinks(
  { key, slices, expires_at: expiresAt }: StoredCapture,
  { baseUrl, secret }: { baseUrl: string; secret: string },
): { readonly link: ResultLink; readonly slices: readonly SliceLink[] } {
  const linkTo = (object: string) => resultLink({ baseUrl, key: object, expiresAt, secret });
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
