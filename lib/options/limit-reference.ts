// What is told about the limits of a capture, made from their schema: the OpenAPI document and the table are made from it.
import * as v from "valibot";
import type { ErrorCode } from "../errors/error-kinds.ts";
import { type CaptureLimits, captureLimits, defaultLimits, pageLimits } from "./capture-limits.ts";

export interface LimitReference {
  readonly name: keyof CaptureLimits;
  readonly description: string;
  readonly defaultValue: number;
  /** What a capture fails with that goes beyond it. */
  readonly code: ErrorCode;
}

/** The limits, in the order in which they are explained. */
export function limitReference(): LimitReference[] {
  return Object.entries(captureLimits.entries).map(([key, { wrapped }]) => {
    const name = key as keyof CaptureLimits;
    const description = v.getDescription(wrapped) ?? "";
    return { name, description, defaultValue: defaultLimits[name], code: codeOf(name) };
  });
}

/** Too many redirects are an address that leads nowhere, as in any browser. */
function codeOf(name: keyof CaptureLimits): ErrorCode {
  if (name === "redirects") return "TARGET_UNREACHABLE";
  return pageLimits.some((each) => each === name) ? "TARGET_TOO_LARGE" : "RESULT_TOO_LARGE";
}
