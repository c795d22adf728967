// What helps a capture that ran out of time: only options that are not set already, and that matter for the step that took long.
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { isImageFormat } from "../../contract/options/formats.ts";
import { MAX_NAVIGATION_TIMEOUT_S, VIDEO_TIMEOUT_S } from "../../contract/options/groups/waiting.ts";
import type { TimeoutError } from "../timing/timeout-error.ts";
import type { AnyStep } from "./step.ts";

/** Sentences in the imperative, the most helpful first; none if only the page itself can help. */
export function timeoutAdvice(options: EngineOptions, step: AnyStep | undefined, { limit }: TimeoutError): string[] {
  if (limit === "navigation_timeout") {
    return options.navigation_timeout < MAX_NAVIGATION_TIMEOUT_S ? ["raise navigation_timeout"] : [];
  }
  const hasPage = step !== undefined && step.name !== "navigate";
  const canBePartial =
    hasPage && isImageFormat(options.format) && options.on_timeout === "fail" && !options.deterministic;
  const advice = [
    options.timeout < VIDEO_TIMEOUT_S ? "raise timeout" : undefined,
    step?.advice,
    hasPage && options.deterministic
      ? "capture without deterministic (real time shortens none of its waits)"
      : undefined,
    canBePartial ? "set on_timeout=capture" : undefined,
  ];
  return advice.filter((each) => each !== undefined);
}
