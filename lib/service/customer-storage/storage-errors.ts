// Maps errors of a customer's storage to API errors, without details from its responses that could echo secrets.

import { ApiError } from "../../contract/errors/api-error.ts";
import { EgressError } from "../../engine/egress/egress-dial.ts";
import { TlsError } from "../../engine/egress/egress-tls.ts";

/** The storage timed out or sent an invalid response. */
export class StorageTimeoutError extends Error {}

/** The error for an endpoint that is not public, or not https. */
export function endpointNotAllowed(): ApiError {
  return new ApiError(
    "URL_NOT_ALLOWED",
    "The `storage_endpoint` is not allowed: it must be a public address, and https.",
  );
}

/** Maps an error of an upload before the storage got a byte of it. */
export function toStorageError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return isRefusedAddress(error) ? endpointNotAllowed() : storageError(failureReason(error));
}

/** Maps an error of an upload after bytes of it were sent. The capture succeeds nevertheless, and its response has this error. */
export function unconfirmedUpload(error: unknown): ApiError {
  const why = isRefusedAddress(error) ? "the storage cannot be connected to" : failureReason(error);
  return new ApiError(
    "STORAGE_FAILED",
    `The capture was sent to the bucket, but the upload failed: ${why}. It counts, because the storage may have its bytes. The result ` +
      "is available as without `store`.",
  );
}

function isRefusedAddress(error: unknown): boolean {
  return findCause(error, EgressError)?.failure === "refused";
}

/** Why an upload failed, without a word of the storage. */
function failureReason(error: unknown): string {
  const egress = findCause(error, EgressError);
  if (egress?.failure === "unresolved") return "the host name of the storage does not resolve";
  if (egress) return "the storage cannot be connected to";
  if (findCause(error, TlsError)) return "the certificate of the storage, or its TLS, is not valid";
  if (error instanceof StorageTimeoutError) return error.message;
  const status = httpStatus(error);
  return status === undefined
    ? "the connection to the storage closed before it responded"
    : `the storage answered ${errorCode(error)} (${status})`;
}

/** Maps an error of `assumeRole`. Returns it unchanged when only we can have caused it. */
export function toRoleError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const code = errorCode(error);
  return ROLE_ERRORS.includes(code) ? storageError(`the \`storage_role_arn\` could not be assumed: ${code}`) : error;
}

/** True when the trust policy of a role, or the lack of one, denies an attempt to assume it. */
export function isRoleDenied(error: unknown): boolean {
  return DENIALS.includes(errorCode(error));
}

/** The error for a role that any account of this service could use. */
export function roleWithoutExternalId(externalId: string): ApiError {
  return storageError(
    "the trust policy of the `storage_role_arn` doesn't require an external ID, so every account of this service that " +
      "knows the role could write with it. Add the condition " +
      `{"StringEquals": {"sts:ExternalId": "${externalId}"}} to the trust policy, and try again`,
  );
}

const DENIALS: readonly string[] = ["AccessDenied", "AccessDeniedException"];

/** STS errors caused by the role or its trust policy; any others concern our own credentials. */
const ROLE_ERRORS: readonly string[] = [...DENIALS, "ValidationError", "RegionDisabledException"];

/** Sets no `cause`: a storage can echo the request's secrets in its errors. */
function storageError(why: string): ApiError {
  return new ApiError("STORAGE_FAILED", `The capture could not be uploaded to the bucket: ${why}. Nothing was billed.`);
}

function findCause<T extends Error>(error: unknown, kind: new (...args: never[]) => T): T | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof kind) return each;
  return undefined;
}

/** S3's error code. The server chooses it, so only identifiers are accepted. */
function errorCode(error: unknown): string {
  const { name } = error instanceof Error ? error : {};
  return name !== undefined && /^[A-Za-z][A-Za-z0-9.]{0,63}$/.test(name) && !JAVASCRIPT_ERRORS.includes(name)
    ? name
    : "an error";
}

/** Names of JavaScript's own errors, which say nothing about the response. */
const JAVASCRIPT_ERRORS: readonly string[] = [
  "Error",
  "SyntaxError",
  "TypeError",
  "RangeError",
  "UnknownError",
  "Unknown",
];

function httpStatus(error: unknown): number | undefined {
  const { $metadata, $response } = error as SdkError;
  return $metadata?.httpStatusCode ?? $response?.statusCode;
}

/** Fields the SDK adds to errors of requests that got a response. */
interface SdkError {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly statusCode?: number };
}
