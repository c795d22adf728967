// The error codes that a logged capture can have: requests that were rejected before they became captures are in no log.
import type { ErrorCode } from "../../../../clients/typescript/src/generated/types.ts";

/** The page's, the caller's, and the service's, the frequent ones first. */
export const loggedErrorCodes = [
  "CAPTURE_TIMEOUT",
  "SELECTOR_NOT_FOUND",
  "TARGET_HTTP_ERROR",
  "TARGET_BLOCKED",
  "TARGET_NAME_NOT_RESOLVED",
  "TARGET_UNREACHABLE",
  "TARGET_TLS_ERROR",
  "TARGET_TOO_LARGE",
  "PAGE_CRASHED",
  "CONTENT_RULE_FAILED",
  "EXPRESSION_FAILED",
  "NOT_DETERMINISTIC",
  "RESULT_TOO_LARGE",
  "SCRIPT_FAILED",
  "STYLE_FAILED",
  "PROXY_FAILED",
  "STORAGE_FAILED",
  "URL_NOT_ALLOWED",
  "VALIDATION_ERROR",
  "QUOTA_EXCEEDED",
  "CAPACITY",
  "INTERNAL_ERROR",
] as const satisfies readonly ErrorCode[];
