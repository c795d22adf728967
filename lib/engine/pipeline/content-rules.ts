// The caller's rules for what a capture may be: which problems it must not have, and its least quality.

import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { problemRuleFailed } from "../errors/option-errors.ts";
import type { Capture } from "./capture-output.ts";

/** Throws `CONTENT_RULE_FAILED` for a capture that breaks `fail_if_problem` or `min_quality`. */
export function assertRules(capture: Capture, { fail_if_problem: unwanted, min_quality: least }: EngineOptions): void {
  const { problems, quality } = capture;
  const found = problems.find(({ code }) => unwanted?.includes(code));
  if (found)
    throw problemRuleFailed({ option: "fail_if_problem", why: `The capture has the problem ${found.code}.` }, capture);
  if (least !== undefined && quality < least) {
    const why = `The quality of the capture is ${quality}, which is less than 'min_quality' ${least}.`;
    throw problemRuleFailed({ option: "min_quality", why }, capture);
  }
}
