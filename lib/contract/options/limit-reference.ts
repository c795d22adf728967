// The reference of capture limits, read from their schema: the OpenAPI document and the table are generated from it.
import * as v from "valibot";
import type { ErrorCode } from "../errors/error-kinds.ts";
import { type CaptureLimits, captureLimits, defaultLimits, pageLimits } from "./capture-limits.ts";

export interface LimitReference {
  readonly name: keyof CaptureLimits;
  readonly description: string;
  readonly defaultValue: number;
  /** The error code of a capture that exceeds the limit. */
  readonly code: ErrorCode;
}

/** The limits, in the order of the reference. */
export function limitReference(): LimitReference[] {
  return Object.entries(captureLimits.entries).map(([key, { wrapped }]) => {
    const name = key as keyof CaptureLimits;
    const description = v.getDescription(wrapped) ?? "";
    return { name, description, defaultValue: defaultLimits[name], code: errorCode(name) };
  });
}

/** Too many redirects make the page unreachable, as in any browser. */
function errorCode(name: keyof CaptureLimits): ErrorCode {
  if (name === "redirects") return "TARGET_UNREACHABLE";
  return pageLimits.some((each) => each === name) ? "TARGET_TOO_LARGE" : "RESULT_TOO_LARGE";
}
