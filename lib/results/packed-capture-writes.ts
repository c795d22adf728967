// Packs stored captures for items of tables, and deletes what that put into the bucket.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { lifetimeClass } from "./expiry.ts";
import { type PackedCapture, PackedCaptureSchema } from "./packed-capture.ts";
import { deleteResult, putResult } from "./result-store.ts";
import type { StoredCapture } from "./stored-capture.ts";

/** An item of a table has 400 KB, and metadata can have megabytes. */
const MAX_INLINE_CHARACTERS = 60_000;

/** Packs a stored capture, into the bucket where it is large. */
export async function packCapture(bucket: string, stored: StoredCapture): Promise<PackedCapture> {
  const json = JSON.stringify(stored);
  if (json.length <= MAX_INLINE_CHARACTERS) return { inline: json };
  const lifetimeSeconds = (stored.expires_at - Date.now()) / 1000;
  const object = `${lifetimeClass(lifetimeSeconds).name}/${randomBytes(24).toString("base64url")}.facts`;
  await putResult(bucket, object, Buffer.from(json), { mimeType: "application/json", disposition: "inline" });
  return { object };
}

/** Deletes the object that `pack` made, if it made one. What is gone already is no error. */
export async function deletePackedCapture(bucket: string, packed: unknown): Promise<void> {
  const object = packedObject(v.parse(PackedCaptureSchema, packed));
  if (object !== undefined) await deleteResult(bucket, object);
}

/** Key of the object that `pack` made, undefined where it made none. */
export function packedObject(packed: PackedCapture): string | undefined {
  return "object" in packed ? packed.object : undefined;
}
