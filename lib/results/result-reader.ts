// Reads stored results from the bucket as streams, whole or a range of bytes.
import type { Readable } from "node:stream";
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { s3 } from "../aws/clients/s3.ts";

/** What the bucket knows of a stored result, or of a range of it. */
export interface StoredObject {
  /** Bytes of the result, or of the range where there is one. */
  readonly sizeBytes: number;
  /** `Content-Range` where this is a range of the result. */
  readonly contentRange: string | undefined;
  readonly mimeType: string;
  readonly disposition: string;
  /** With its quotes. */
  readonly etag: string;
}

/** A stored result whose bytes must be read to their end, or destroyed. */
export interface OpenObject extends StoredObject {
  readonly body: Readable;
}

/** The result has no byte at the start of the range. */
export class RangeNotSatisfiable extends Error {
  override readonly name = "RangeNotSatisfiable";
}

/**
 * Opens a result, or the one `range` of it that a `Range` header names. Resolves to undefined when there is no such
 * result. Throws `RangeNotSatisfiable`.
 */
export async function openResult(bucket: string, key: string, range?: string): Promise<OpenObject | undefined> {
  try {
    const output = await s3().send(new GetObjectCommand({ Bucket: bucket, Key: key, Range: range }));
    return { ...describe(output), body: output.Body as Readable }; // in Node it is one
  } catch (error) {
    if (statusOf(error) === 416) throw new RangeNotSatisfiable("The result is shorter.", { cause: error });
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** What is known of a result without its bytes, or undefined when there is none. */
export async function describeResult(bucket: string, key: string): Promise<StoredObject | undefined> {
  try {
    return describe(await s3().send(new HeadObjectCommand({ Bucket: bucket, Key: key })));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function describe(output: GetObjectCommandOutput | HeadObjectCommandOutput): StoredObject {
  return {
    sizeBytes: output.ContentLength ?? 0,
    contentRange: output.ContentRange,
    mimeType: output.ContentType ?? "application/octet-stream",
    disposition: output.ContentDisposition ?? "inline",
    etag: output.ETag ?? "",
  };
}

/** Without permission to list, S3 says 403 where it means 404. */
function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 || statusOf(error) === 403;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
