// Reads packed captures (claim check pattern): the JSON of a stored capture inline in a DynamoDB item, or the key of an
// object that contains it.
import * as v from "valibot";
import { type StoredCapture, StoredCaptureSchema } from "./stored-capture.ts";

export const PackedCaptureSchema = v.union([v.object({ inline: v.string() }), v.object({ object: v.string() })]);

/** A stored capture as an item's attribute: its JSON, or the key of the object with it. */
export type PackedCapture = v.InferOutput<typeof PackedCaptureSchema>;

/** Unpacks a stored capture. Resolves to undefined when its object has expired. */
export async function unpackCapture(bucket: string, packed: unknown): Promise<StoredCapture | undefined> {
  const parsed = v.parse(PackedCaptureSchema, packed);
  const json = "inline" in parsed ? parsed.inline : await readObject(bucket, parsed.object);
  return json === undefined ? undefined : v.parse(StoredCaptureSchema, JSON.parse(json));
}

/** Loads S3's client on demand: few captures are so large. */
async function readObject(bucket: string, key: string): Promise<string | undefined> {
  const { readResult } = await import("./result-store.ts");
  return (await readResult(bucket, key))?.toString();
}
