// What is kept of a stored capture in an item of a table.
import * as v from "valibot";
import { type StoredCapture, StoredCaptureSchema } from "./stored-capture.ts";

export const PackedCaptureSchema = v.union([v.object({ inline: v.string() }), v.object({ object: v.string() })]);

/** What is kept of a stored capture as an attribute of an item: its JSON, or where that is in the bucket. */
export type PackedCapture = v.InferOutput<typeof PackedCaptureSchema>;

/** The stored capture of what `pack` made, or undefined when it has been swept. */
export async function unpackCapture(bucket: string, packed: unknown): Promise<StoredCapture | undefined> {
  const parsed = v.parse(PackedCaptureSchema, packed);
  const json = "inline" in parsed ? parsed.inline : await readObject(bucket, parsed.object);
  return json === undefined ? undefined : v.parse(StoredCaptureSchema, JSON.parse(json));
}

/** Few are so large, and most functions that unpack one can do without S3. */
async function readObject(bucket: string, key: string): Promise<string | undefined> {
  const { getResult } = await import("./result-store.ts");
  return (await getResult(bucket, key))?.toString();
}
