// Fails the capture when one of certain requests of the page failed.

import { contentRuleFailed } from "../../errors/option-errors.ts";
import { matchesText } from "../../injected/url-pattern.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface CheckRequests {
  /** Patterns of their URLs. */
  readonly patterns: readonly string[];
}

export const checkRequests: StepFactory<CaptureStep, CheckRequests> = captureStep({
  name: "check-requests",
  phase: "settle",
  run: async ({ activity }, { patterns }) => {
    const failed = activity.failures.find(({ url }) => patterns.some((pattern) => matchesText(pattern, url)));
    if (failed) throw contentRuleFailed("fail_if_request_failed", `${failed.url} failed (${failed.reason})`);
  },
});
