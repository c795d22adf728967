// Where a capture is put in the caller's own storage: bucket, name and address, and whose right it is to write there.
import type { CaptureOptions } from "../options/capture-options.ts";
import { type Format, fileExtension } from "../options/formats.ts";
import type { storageClasses } from "../options/groups/storage.ts";

/** A pair of keys, or a role that is assumed. */
export type Access =
  | { readonly accessKeyId: string; readonly secretAccessKey: string }
  | { readonly roleArn: string; readonly externalId: string };

export interface Destination {
  /** Address of the storage service, without a slash at its end. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Name of the object, without an extension. */
  readonly path: string;
  readonly access: Access;
  readonly isPublic: boolean;
  readonly storageClass: (typeof storageClasses)[number] | undefined;
}

/** Where the options say that an account's capture is to be put; undefined where they say nothing of it. */
export function resolveDestination(options: CaptureOptions, accountId: number): Destination | undefined {
  const { store, storage_bucket: bucket, storage_path: path, storage_region: region } = options;
  const access = accessOf(options, accountId);
  if (!store || bucket === undefined || path === undefined || !access) return undefined;
  const endpoint = new URL(options.storage_endpoint ?? amazonS3(region)).href.replace(/\/+$/, "");
  const isPublic = options.storage_acl === "public-read";
  return { endpoint, region, bucket, path, access, isPublic, storageClass: options.storage_class };
}

function accessOf(options: CaptureOptions, accountId: number): Access | undefined {
  const { storage_access_key_id, storage_secret_access_key, storage_role_arn, storage_external_id } = options;
  if (storage_role_arn !== undefined) {
    return { roleArn: storage_role_arn, externalId: externalId(accountId, storage_external_id) };
  }
  if (storage_access_key_id === undefined || storage_secret_access_key === undefined) return undefined;
  return { accessKeyId: storage_access_key_id, secretAccessKey: storage_secret_access_key };
}

/**
 * The account is always a part of it: otherwise whoever knows the name of another account's role could have the service
 * write there on their behalf. https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html
 */
function externalId(accountId: number, chosen: string | undefined): string {
  return chosen === undefined ? String(accountId) : `${accountId}:${chosen}`;
}

function amazonS3(region: string): string {
  return `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}

/** Name of the object that a capture of this format becomes. */
export function objectKey({ path }: Pick<Destination, "path">, format: Format): string {
  return `${path}.${fileExtension(format)}`;
}

/** Address of an object of the bucket. */
export function objectLocation({ endpoint, bucket }: Pick<Destination, "endpoint" | "bucket">, key: string): string {
  return `${endpoint}/${bucket}/${key.split("/").map(encodeURIComponent).join("/")}`;
}
