// Callers with an API key for tests, whose captures are free and marked.

import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import type { Caller } from "../account/account.ts";
import { isTestPrefix } from "../keys/api-key.ts";

/** True for a caller whose captures are free and marked. */
export function isTestCaller({ key }: Pick<Caller, "key">): boolean {
  return isTestPrefix(key.key_prefix);
}

/** The options as they apply to a caller: with a mark for an API key for tests. */
export function optionsFor(options: CaptureOptions, caller: Pick<Caller, "key">): CaptureOptions {
  return isTestCaller(caller) ? { ...options, test_mark: true } : options;
}
