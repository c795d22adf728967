// Stored results in the bucket.
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
import { s3 } from "../aws/clients/s3.ts";
import { type Format, fileExtension } from "../options/formats.ts";
import { lifetimeClass } from "./expiry.ts";

/** Above this size a result is sent in parts of it. */
const PART_BYTES = 8 * 2 ** 20;
/** A presigned address only has to survive the redirect that hands it out. */
export const PRESIGNED_S = 60;

/** Key of a new result: its lifetime class, and a name nobody can guess. `random` has at least 16 bytes. */
export function resultKey(lifetimeSeconds: number, random: Buffer, format: Format): string {
  return `${lifetimeClass(lifetimeSeconds).name}/${random.toString("base64url")}.${fileExtension(format)}`;
}

/**
 * `disposition` is the Content-Disposition with which it is handed out. The bucket takes nothing but new objects, so that
 * nobody can put another picture behind a link that was given out.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
 */
export async function putResult(
  bucket: string,
  key: string,
  body: Buffer,
  { mimeType, disposition }: { mimeType: string; disposition: string },
): Promise<void> {
  const facts = { ContentType: mimeType, ContentDisposition: disposition };
  const params = { Bucket: bucket, Key: key, Body: body, IfNoneMatch: "*", ...facts };
  try {
    if (body.length <= PART_BYTES) await s3().send(new PutObjectCommand(params));
    else await uploadInParts(params);
  } catch (error) {
    if (!isThere(error)) throw error;
  }
}

/** What does that is loaded when it is needed, which is seldom. */
async function uploadInParts(params: PutObjectCommandInput): Promise<void> {
  const { Upload } = await import("@aws-sdk/lib-storage");
  await new Upload({ client: s3(), params, partSize: PART_BYTES }).done();
}

/** Keys are never used twice: what is there already was put by a try of ours whose answer was lost. */
function isThere(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412;
}

/** The bytes of an object, or undefined when there is none. */
export async function getResult(bucket: string, key: string): Promise<Buffer | undefined> {
  try {
    const { Body } = await s3().send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return Body && Buffer.from(await Body.transformToByteArray());
  } catch (error) {
    if (error instanceof NoSuchKey || isForbidden(error)) return undefined;
    throw error;
  }
}

/** Deletes an object; one that is gone already is no error. */
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

/** Without permission to list, S3 says 403 where it means 404. */
function isForbidden(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 403;
}

/** An address of the object itself, good for a minute. */
export function presignResult(bucket: string, key: string): Promise<string> {
  return getSignedUrl(s3(), new GetObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: PRESIGNED_S });
}
