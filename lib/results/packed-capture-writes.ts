// Packs stored captures for items of tables, and deletes what was packed.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { lifetimeClass } from "./expiry.ts";
import { type PackedCapture, PackedSchema, unpack } from "./packed-capture.ts";
import { deleteResult, putResult } from "./result-store.ts";
import type { StoredCapture } from "./stored-capture.ts";
import { deleteCapture } from "./stored-capture-store.ts";

/** An item of a table has 400 KB, and metadata can have megabytes. */
const MAX_INLINE_CHARACTERS = 60_000;

/** Packs a stored capture, into the bucket where it is large. */
export async function pack(bucket: string, stored: StoredCapture): Promise<PackedCapture> {
  const json = JSON.stringify(stored);
  if (json.length <= MAX_INLINE_CHARACTERS) return { inline: json };
  const lifetimeSeconds = (stored.expires_at - Date.now()) / 1000;
  const object = `${lifetimeClass(lifetimeSeconds).name}/${randomBytes(24).toString("base64url")}.facts`;
  await putResult(bucket, object, Buffer.from(json), { mimeType: "application/json", disposition: "inline" });
  return { object };
}

/** Deletes what `pack` made, with the stored capture itself. What is gone already is no error. */
export async function deletePacked(bucket: string, packed: unknown): Promise<void> {
  const parsed = v.parse(PackedSchema, packed);
  const stored = await unpack(bucket, parsed);
  if (stored) await deleteCapture(bucket, stored);
  if ("object" in parsed) await deleteResult(bucket, parsed.object);
}
