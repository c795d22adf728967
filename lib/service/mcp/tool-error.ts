// Errors of tools, in words for a model: what failed, how to fix it, and whether the same call can succeed later.

import { errorFixes } from "../../contract/errors/error-fixes.ts";
import { type ErrorCode, errorKinds } from "../../contract/errors/error-kinds.ts";
import type { ErrorBody } from "../../contract/errors/error-response.ts";
import { redactKeys } from "../keys/api-key.ts";
import { markUntrusted } from "./untrusted.ts";

/** An error whose message shows a model what failed and how to fix it. */
export class ToolError extends Error {}

interface Answer {
  /** HTTP status code of the response that has the error; undefined for the error of an asynchronous capture. */
  readonly status?: number;
  /** Seconds in `Retry-After`. */
  readonly retryAfter?: string | null;
}

/** The error of the API for a model. Throws nothing, also for a body that isn't an error of the API. */
export function apiToolError(body: Partial<ErrorBody>, { status, retryAfter }: Answer = {}): ToolError {
  const { code, error = "The service gave no reason.", details, retryable, target, docs } = body;
  if (code === undefined || !Object.hasOwn(errorKinds, code)) {
    return new ToolError(redactKeys(`Status ${status}: ${error}\nTry again later.`));
  }
  const said = details === undefined ? error : `${error}\nDetails: ${JSON.stringify(details)}`;
  const parts = [
    quotesOthers(code) ? `${code}: ${errorKinds[code].meaning}` : `${code}: ${said}`,
    target?.http_status_code && `The page responded with status ${target.http_status_code}.`,
    target?.net_error && `Network error: ${target.net_error}.`,
    `Fix: ${errorFixes[code]}`,
    retryable && `The same call can succeed later${retryAfter ? `: try again in ${retryAfter} s` : ""}.`,
    docs && `See ${docs}`,
    quotesOthers(code) && `The message in full:\n${markUntrusted(said)}`,
  ];
  return new ToolError(redactKeys(parts.filter(Boolean).join("\n")));
}

/**
 * True if the message of an error can have text of a page or of another server: what a script of the page threw, the host that
 * it led to, or the addresses of its requests.
 */
function quotesOthers(code: ErrorCode): boolean {
  return errorKinds[code].blame === "target" || ["SCRIPT_FAILED", "STYLE_FAILED", "STORAGE_FAILED"].includes(code);
}
