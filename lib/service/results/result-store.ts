// Stores results in the bucket: conditional put of new keys, get, delete, presigned URL.
import { setTimeout } from "node:timers/promises";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { type Format, fileExtension } from "../../contract/options/formats.ts";
import { s3 } from "../aws/clients/s3.ts";
import { logError } from "../platform/log.ts";
import { lifetimeClass } from "./lifetime-class.ts";

/** Larger results use a multipart upload with parts of this size, in bytes. */
const PART_BYTES = 8 * 2 ** 20;
/** The user-defined metadata of an object that has its account. */
export const ACCOUNT_METADATA = "account";
/** Lifetime of a presigned URL in seconds: it only has to survive the redirect. */
export const PRESIGNED_S = 60;

/** Returns the key of a new result: its lifetime class and an unguessable name. `random` has at least 16 bytes. */
export function resultKey(lifetimeSeconds: number, random: Buffer, format: Format): string {
  return `${lifetimeClass(lifetimeSeconds).name}/${random.toString("base64url")}.${fileExtension(format)}`;
}

/** What is stored with the bytes of an object. */
export interface ObjectFacts {
  readonly mimeType: string;
  /** Its Content-Disposition. */
  readonly disposition: string;
  /** The account of what a link can lead to: its links end while that is suspended. */
  readonly accountId?: number;
}

/**
 * Stores a result. A bucket policy requires conditional writes
 * (`If-None-Match: *`), so that no stored result can be overwritten.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
 */
export async function putResult(
  bucket: string,
  key: string,
  body: Buffer,
  { mimeType, disposition, accountId }: ObjectFacts,
): Promise<void> {
  const facts = {
    ContentType: mimeType,
    ContentDisposition: disposition,
    ...(accountId !== undefined && { Metadata: { [ACCOUNT_METADATA]: String(accountId) } }),
  };
  const params = { Bucket: bucket, Key: key, Body: body, IfNoneMatch: "*", ...facts };
  for (let attempt = 1; ; attempt++) {
    try {
      if (body.length <= PART_BYTES) await s3().send(new PutObjectCommand(params));
      else await uploadInParts(params);
      return;
    } catch (error) {
      if (alreadyExists(error)) return;
      if (!isConflict(error) || attempt === MAX_PUTS) throw error;
      await setTimeout(CONFLICT_DELAY_MS * attempt);
    }
  }
}

/** The first attempt, and three after a conflict. */
const MAX_PUTS = 4;
const CONFLICT_DELAY_MS = 100;

/**
 * True for a conditional write while another one of the same key is in progress: the SDK repeats a request that timed out, which S3 may
 * be handling still. https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
function isConflict(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 409;
}

/** Loads the multipart uploader on demand, because it is rarely needed. */
async function uploadInParts(params: PutObjectCommandInput): Promise<void> {
  const { Upload } = await import("@aws-sdk/lib-storage");
  await new Upload({ client: s3(), params, partSize: PART_BYTES }).done();
}

/** Keys are unique: an existing object was put by our own earlier attempt whose response was lost. */
function alreadyExists(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412;
}

/** Returns the bytes of an object, or undefined when there is none. */
export async function readResult(bucket: string, key: string): Promise<Buffer | undefined> {
  try {
    const { Body } = await s3().send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return Body && Buffer.from(await Body.transformToByteArray());
  } catch (error) {
    if (error instanceof NoSuchKey || isForbidden(error)) return undefined;
    throw error;
  }
}

/** Deletes an object. Does nothing when it does not exist. */
export async function deleteResult(bucket: string, key: string): Promise<void> {
  await s3().send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
}

/** True while the object exists. */
export async function hasResult(bucket: string, key: string): Promise<boolean> {
  try {
    await s3().send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    return true;
  } catch (error) {
    if (error instanceof NotFound || isForbidden(error)) return false;
    throw error;
  }
}

/**
 * Without ListBucket permission, S3 responds 403 instead of 404. So the first one of a sandbox is logged whose text doesn't say that it is
 * for lack of that permission: a bucket policy, or a role, may deny what the service needs. A response to HEAD has no text.
 */
function isForbidden(error: unknown): boolean {
  if (!(error instanceof S3ServiceException) || error.$metadata.httpStatusCode !== 403) return false;
  if (!isDenialReported && !error.message.includes("s3:ListBucket")) {
    isDenialReported = true;
    logError("read of the bucket denied", error);
  }
  return true;
}

let isDenialReported = false;

/** Returns a presigned URL of the object, valid for `PRESIGNED_S`. */
export function presignResult(bucket: string, key: string): Promise<string> {
  return getSignedUrl(s3(), new GetObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: PRESIGNED_S });
}
