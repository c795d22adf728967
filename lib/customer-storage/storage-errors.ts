// Why a capture could not be put into the caller's own storage, in words that hold nothing of what they sent.

import { EgressError } from "../egress/egress-dial.ts";
import { TlsError } from "../egress/egress-tls.ts";
import { ApiError } from "../errors/api-error.ts";

/** The storage was too slow, or answered something that is none of its answers. */
export class StorageTimeoutError extends Error {}

/** The refusal of an address that is not public, or not https. */
export function endpointNotAllowed(): ApiError {
  return new ApiError(
    "URL_NOT_ALLOWED",
    "The `storage_endpoint` is not allowed: it must be a public address, and https.",
  );
}

/** What is told of an error that `putObject` met. An error that nobody but we can be to blame for is returned as it is. */
export function toStorageError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const egress = causeOf(error, EgressError);
  if (egress?.failure === "refused") return endpointNotAllowed();
  if (egress?.failure === "unresolved") return failed("the host name of the storage does not resolve");
  if (egress) return failed("the storage cannot be connected to");
  if (causeOf(error, TlsError)) return failed("the certificate of the storage, or its TLS, is not valid");
  if (error instanceof StorageTimeoutError) return failed(error.message);
  const status = statusOf(error);
  return status === undefined
    ? failed("the connection to the storage broke before it answered")
    : failed(`the storage answered ${codeOf(error)} (${status})`);
}

/** What is told when the role could not be assumed. */
export function toRoleError(error: unknown): unknown {
  const code = codeOf(error);
  return refusals.includes(code) ? failed(`the \`storage_role_arn\` could not be assumed: ${code}`) : error;
}

/** What STS says where the role or its trust policy is at fault; anything else would be our own credentials. */
const refusals: readonly string[] = [
  "AccessDenied",
  "AccessDeniedException",
  "ValidationError",
  "RegionDisabledException",
];

/** No cause: what a storage writes into its errors can be what was sent to it. */
function failed(why: string): ApiError {
  return new ApiError("STORAGE_FAILED", `The capture could not be put into the bucket: ${why}. Nothing was billed.`);
}

function causeOf<T extends Error>(error: unknown, kind: new (...args: never[]) => T): T | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof kind) return each;
  return undefined;
}

/** S3's name of an error. Whoever answers chooses it, so that only a name is taken for one. */
function codeOf(error: unknown): string {
  const { name } = error instanceof Error ? error : {};
  return name !== undefined && /^[A-Za-z][A-Za-z0-9.]{0,63}$/.test(name) && !LOCAL.includes(name) ? name : "an error";
}

/** Names of JavaScript's own errors, which say nothing of the answer. */
const LOCAL: readonly string[] = ["Error", "SyntaxError", "TypeError", "RangeError", "UnknownError", "Unknown"];

function statusOf(error: unknown): number | undefined {
  const { $metadata, $response } = error as Answered;
  return $metadata?.httpStatusCode ?? $response?.statusCode;
}

/** What the SDK adds to errors of requests that were answered. */
interface Answered {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly statusCode?: number };
}
