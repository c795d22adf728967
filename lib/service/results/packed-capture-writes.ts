// Writes packed captures (claim check pattern): small ones inline in the DynamoDB item, large ones as an object in the
// bucket. Apart from the reader, which most functions can load without S3's client.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { lifetimeClass } from "./lifetime-class.ts";
import { type PackedCapture, PackedCaptureSchema } from "./packed-capture.ts";
import { deleteResult, putResult } from "./result-store.ts";
import type { StoredCapture } from "./stored-capture.ts";

/** A DynamoDB item is at most 400 KB, and metadata can have megabytes. */
const MAX_INLINE_CHARACTERS = 60_000;

/** Packs a stored capture, into the bucket when it is large for one of `captures` that share an item. */
export async function packCapture(bucket: string, stored: StoredCapture, captures = 1): Promise<PackedCapture> {
  const json = JSON.stringify(stored);
  if (json.length <= MAX_INLINE_CHARACTERS / captures) return { inline: json };
  const lifetimeSeconds = (stored.expires_at - Date.now()) / 1000;
  const object = `${lifetimeClass(lifetimeSeconds).name}/${randomBytes(24).toString("base64url")}.facts`;
  await putResult(bucket, object, Buffer.from(json), { mimeType: "application/json", disposition: "inline" });
  return { object };
}

/** Deletes the object of a packed capture, if it has one. Does nothing when it is already deleted. */
export async function deletePackedCapture(bucket: string, packed: unknown): Promise<void> {
  const object = packedObject(v.parse(PackedCaptureSchema, packed));
  if (object !== undefined) await deleteResult(bucket, object);
}

/** Returns the object key of a packed capture, or undefined when it is inline. */
export function packedObject(packed: PackedCapture): string | undefined {
  return "object" in packed ? packed.object : undefined;
}
