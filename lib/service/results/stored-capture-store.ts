// Stores captures with their slices as objects in the bucket.
import { randomBytes } from "node:crypto";
import { type Format, mimeTypes } from "../../contract/options/formats.ts";
import type { Problem } from "../../contract/problems/problem.ts";
import { deleteResult, putResult, readResult, resultKey } from "./result-store.ts";
import { objectKeys, type StoredCapture } from "./stored-capture.ts";

/** A capture to store. */
export interface StorableCapture {
  readonly body: Buffer;
  readonly format: Format;
  readonly mimeType: string;
  readonly finalUrl: string | null;
  readonly statusCode: number | null;
  readonly warnings: readonly string[];
  readonly problems: readonly Problem[];
  readonly quality: number;
  readonly metadata: object;
  /** Of a PDF. */
  readonly pages?: number;
  readonly slices: readonly {
    readonly body: Buffer;
    readonly format: Format;
    readonly top: number;
    readonly height: number;
  }[];
}

/** Stores a capture of an account for at least `lifetimeSeconds`. `disposition` is the Content-Disposition of its objects. */
export async function storeCapture(
  bucket: string,
  capture: StorableCapture,
  {
    lifetimeSeconds,
    ...facts
  }: { readonly lifetimeSeconds: number; readonly disposition: string; readonly accountId: number },
): Promise<StoredCapture> {
  const put = async ({ body, format }: Pick<StorableCapture, "body" | "format">) => {
    const key = resultKey(lifetimeSeconds, randomBytes(24), format);
    await putResult(bucket, key, body, { mimeType: mimeTypes[format], ...facts });
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
    ...(capture.problems.length > 0 && { problems: [...capture.problems], quality: capture.quality }),
    ...(capture.pages !== undefined && { pages: capture.pages }),
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

/** Returns the bytes of a stored capture, or undefined when they have been deleted. */
export function readBody(bucket: string, { key }: StoredCapture): Promise<Buffer | undefined> {
  return readResult(bucket, key);
}

/** Deletes a stored capture with its slices, its report, and its thumbnail. */
export async function deleteStoredCapture(bucket: string, capture: StoredCapture): Promise<void> {
  await Promise.all(objectKeys(capture).map((each) => deleteResult(bucket, each)));
}
