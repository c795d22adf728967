// Destination of a capture in the customer's own S3-compatible storage: bucket, key, endpoint and credentials.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { type Format, fileExtension } from "../../contract/options/formats.ts";
import type { storageClasses } from "../../contract/options/groups/storage.ts";
import { optionalVariable } from "../platform/environment.ts";

/** Static access keys, or an IAM role to assume. */
export type StorageAccess =
  | { readonly accessKeyId: string; readonly secretAccessKey: string }
  | { readonly roleArn: string; readonly externalId: string };

export interface Destination {
  /** URL of the storage service, without trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Object key without extension. */
  readonly path: string;
  readonly access: StorageAccess;
  readonly isPublic: boolean;
  readonly storageClass: (typeof storageClasses)[number] | undefined;
}

/** Returns the destination that the options name, or undefined without one. */
export function resolveDestination(options: CaptureOptions, accountId: number): Destination | undefined {
  const { store, storage_bucket: bucket, storage_path: path, storage_region: region } = options;
  const access = parseAccess(options, accountId);
  if (!store || bucket === undefined || path === undefined || !access) return undefined;
  const endpoint = new URL(options.storage_endpoint ?? amazonS3Endpoint(region)).href.replace(/\/+$/, "");
  const isPublic = options.storage_acl === "public-read";
  return { endpoint, region, bucket, path, access, isPublic, storageClass: options.storage_class };
}

/** Throws `VALIDATION_ERROR` for a role where the service does not run on AWS, and so cannot assume any. */
export function requireAssumableRole({ storage_role_arn }: Pick<CaptureOptions, "storage_role_arn">): void {
  if (storage_role_arn === undefined || optionalVariable("CUSTOMER_ROLES") !== "false") return;
  const message =
    "needs a service that runs on AWS, which this one doesn't: send 'storage_access_key_id' and 'storage_secret_access_key'";
  throw new ApiError("VALIDATION_ERROR", `Option 'storage_role_arn' ${message}.`, {
    details: { storage_role_arn: [message] },
  });
}

function parseAccess(options: CaptureOptions, accountId: number): StorageAccess | undefined {
  const { storage_access_key_id, storage_secret_access_key, storage_role_arn, storage_external_id } = options;
  if (storage_role_arn !== undefined) {
    return { roleArn: storage_role_arn, externalId: externalId(accountId, storage_external_id) };
  }
  if (storage_access_key_id === undefined || storage_secret_access_key === undefined) return undefined;
  return { accessKeyId: storage_access_key_id, secretAccessKey: storage_secret_access_key };
}

/**
 * The external id always contains the account id. Otherwise a caller who knows another account's role could write
 * through it (confused deputy).
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html
 */
function externalId(accountId: number, chosen: string | undefined): string {
  return chosen === undefined ? String(accountId) : `${accountId}:${chosen}`;
}

function amazonS3Endpoint(region: string): string {
  return `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}

/** Returns the object key of a capture with this format. */
export function objectKey({ path }: Pick<Destination, "path">, format: Format): string {
  return `${path}.${fileExtension(format)}`;
}

/** Returns the URL of an object in the bucket. */
export function objectLocation({ endpoint, bucket }: Pick<Destination, "endpoint" | "bucket">, key: string): string {
  return `${endpoint}/${bucket}/${key.split("/").map(encodeURIComponent).join("/")}`;
}
