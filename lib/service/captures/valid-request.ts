// A request that would be captured, as the responses to `validate=true` describe it.
import { loggableOptions } from "../usage/loggable-options.ts";
import type { ParsedOutput, RequestedOutputs } from "./parse.ts";

/** A request that would be captured. */
export interface ValidRequest extends Pick<RequestedOutputs, "isGroup" | "outputs"> {
  /** True for an API key for tests, whose captures are free. */
  readonly isTest: boolean;
}

/** All options that apply to an output, as a response states them. */
export function resolvedOptions({ options: { validate: _, ...resolved } }: ParsedOutput): Record<string, unknown> {
  return loggableOptions(resolved);
}
