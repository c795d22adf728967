// Where the thumbnail of a capture is stored.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { internalPrefixes } from "./lifetime-class.ts";

export const StoredThumbnailSchema = v.object({
  key: v.string(),
  /** Milliseconds since 1970. */
  expires_at: v.number(),
});

export type StoredThumbnail = v.InferOutput<typeof StoredThumbnailSchema>;

export const THUMBNAIL_MIME_TYPE = "image/webp";

const { name, days } = internalPrefixes.thumbnails;

/** True for the key of a thumbnail, among those of other objects. */
export function isThumbnailKey(key: string): boolean {
  return key.startsWith(`${name}/`);
}

/** Returns the place of a new thumbnail, with an unguessable key. `now` is milliseconds since 1970. */
export function newThumbnailPlace(now: number): StoredThumbnail {
  return { key: `${name}/${randomBytes(16).toString("base64url")}.webp`, expires_at: now + days * 24 * 60 * 60 * 1000 };
}
