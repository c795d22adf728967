// Captures in the bucket, and what is kept of them in an item of a table.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { type Format, mimeTypes } from "../contract/formats.ts";
import { lifetimeClass } from "./expiry.ts";
import { deleteResult, getResult, putResult, resultKey } from "./result-store.ts";
import { type StoredCapture, StoredCaptureSchema } from "./stored-capture.ts";

/** What is to be stored. */
export interface StorableCapture {
  readonly body: Buffer;
  readonly format: Format;
  readonly mimeType: string;
  readonly finalUrl: string | null;
  readonly statusCode: number | null;
  readonly warnings: readonly string[];
  readonly metadata: object;
  readonly slices: readonly {
    readonly body: Buffer;
    readonly format: Format;
    readonly top: number;
    readonly height: number;
  }[];
}

/** Stores a capture for at least `lifetimeSeconds`. `disposition` is the Content-Disposition it is handed out with. */
export async function storeCapture(
  bucket: string,
  capture: StorableCapture,
  { lifetimeSeconds, disposition }: { lifetimeSeconds: number; disposition: string },
): Promise<StoredCapture> {
  const put = async ({ body, format }: Pick<StorableCapture, "body" | "format">) => {
    const key = resultKey(lifetimeSeconds, randomBytes(24), format);
    await putResult(bucket, key, body, { mimeType: mimeTypes[format], disposition });
    return key;
  };
  const [key = "", ...sliceKeys] = await Promise.all([capture, ...capture.slices].map(put));
  return {
    key,
    format: capture.format,
    mime_type: capture.mimeType,
    size_bytes: capture.body.length,
    final_url: capture.finalUrl,
    status_code: capture.statusCode,
    warnings: [...capture.warnings],
    metadata: { ...capture.metadata },
    slices: capture.slices.map(({ body, top, height }, index) => ({
      key: sliceKeys[index] ?? "",
      top,
      height,
      size_bytes: body.length,
    })),
    expires_at: Math.ceil(Date.now() / 1000 + lifetimeSeconds) * 1000,
  };
}

/** The bytes of a stored capture, or undefined when they have been deleted. */
export function readBody(bucket: string, { key }: StoredCapture): Promise<Buffer | undefined> {
  return getResult(bucket, key);
}

/** Deletes a stored capture with its slices. */
export async function deleteCapture(bucket: string, { key, slices }: StoredCapture): Promise<void> {
  await Promise.all([key, ...slices.map((slice) => slice.key)].map((each) => deleteResult(bucket, each)));
}

/** An item of a table has 400 KB, and metadata can have megabytes. */
const MAX_INLINE_CHARACTERS = 60_000;

const PackedSchema = v.union([v.object({ inline: v.string() }), v.object({ object: v.string() })]);

/** What is kept of a stored capture as an attribute of an item: its JSON, or where that is in the bucket. */
export type PackedCapture = v.InferOutput<typeof PackedSchema>;

/** Packs a stored capture, into the bucket where it is large. */
export async function pack(bucket: string, stored: StoredCapture): Promise<PackedCapture> {
  const json = JSON.stringify(stored);
  if (json.length <= MAX_INLINE_CHARACTERS) return { inline: json };
  const lifetimeSeconds = (stored.expires_at - Date.now()) / 1000;
  const object = `${lifetimeClass(lifetimeSeconds).name}/${randomBytes(24).toString("base64url")}.facts`;
  await putResult(bucket, object, Buffer.from(json), { mimeType: "application/json", disposition: "inline" });
  return { object };
}

/** The stored capture of what `pack` made, or undefined when it has been swept. */
export async function unpack(bucket: string, packed: unknown): Promise<StoredCapture | undefined> {
  const parsed = v.parse(PackedSchema, packed);
  const json = "inline" in parsed ? parsed.inline : (await getResult(bucket, parsed.object))?.toString();
  return json === undefined ? undefined : v.parse(StoredCaptureSchema, JSON.parse(json));
}

/** Deletes what `pack` made, with the stored capture itself. What is gone already is no error. */
export async function deletePacked(bucket: string, packed: unknown): Promise<void> {
  const parsed = v.parse(PackedSchema, packed);
  const stored = await unpack(bucket, parsed);
  if (stored) await deleteCapture(bucket, stored);
  if ("object" in parsed) await deleteResult(bucket, parsed.object);
}
