// Stores what API Gateway serves of the status page without any function, in the results bucket: the page, its data, and its feed.
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { s3 } from "../aws/clients/s3.ts";
import { POLICY_METADATA } from "./status-objects.ts";

export interface StatusObject {
  readonly key: string;
  readonly type: string;
  readonly text: string;
  readonly policy: string;
}

/** Stores an object in place of the one before. */
export async function putStatusObject(bucket: string, { key, type, text, policy }: StatusObject): Promise<void> {
  const command = new PutObjectCommand({
    Bucket: bucket,
    Key: key,
    Body: text,
    ContentType: type,
    CacheControl: "public, max-age=60",
    Metadata: { [POLICY_METADATA]: policy },
  });
  await s3().send(command);
}
