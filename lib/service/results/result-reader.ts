// Streams stored results from the bucket, whole or one byte range.
import type { Readable } from "node:stream";
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { s3 } from "../aws/clients/s3.ts";
import { parseId } from "../platform/ids.ts";
import { ACCOUNT_METADATA } from "./result-store.ts";

/** Headers of a stored result, or of a byte range of it. */
export interface StoredObject {
  /** Size in bytes of the result, or of its range. */
  readonly sizeBytes: number;
  /** `Content-Range` of a byte range. */
  readonly contentRange: string | undefined;
  readonly mimeType: string;
  readonly disposition: string;
  /** Including its quotes. */
  readonly etag: string;
  /** Undefined for an export, and for a result that was stored before results had it. */
  readonly accountId: number | undefined;
}

/** An open result; read its body to the end or destroy it. */
export interface OpenObject extends StoredObject {
  readonly body: Readable;
}

/** Thrown when the range starts beyond the end of the result. */
export class RangeNotSatisfiable extends Error {
  override readonly name = "RangeNotSatisfiable";
}

/**
 * Opens a result, or the byte range that a `Range` header names. Resolves to undefined when there is no such result.
 * Throws `RangeNotSatisfiable`.
 */
export async function openResult(bucket: string, key: string, range?: string): Promise<OpenObject | undefined> {
  try {
    const output = await s3().send(new GetObjectCommand({ Bucket: bucket, Key: key, Range: range }));
    return { ...describe(output), body: output.Body as Readable }; // a Readable in Node
  } catch (error) {
    if (httpStatus(error) === 416) throw new RangeNotSatisfiable("The result is shorter.", { cause: error });
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns the headers of a result without its bytes, or undefined when there is none. */
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
    accountId: parseAccount(output.Metadata?.[ACCOUNT_METADATA]),
  };
}

function parseAccount(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseId(text);
}

/** Without ListBucket permission, S3 responds 403 instead of 404. */
function isMissing(error: unknown): boolean {
  return httpStatus(error) === 404 || httpStatus(error) === 403;
}

function httpStatus(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
