// Plans the captures of a request, before they have quota: their options as they apply to the caller, and how they use the cache.

import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { formatKind } from "../../contract/options/formats.ts";
import type { Caller } from "../account/account.ts";
import { hashJson } from "../platform/hash-json.ts";
import { type CachePolicy, cachePolicy } from "./cache-key.ts";
import type { ParsedOutput, RequestedOutputs } from "./parse.ts";
import { optionsFor } from "./test-caller.ts";

/** What a capture is, before it has quota. */
export interface PlannedCapture extends ParsedOutput {
  /** Undefined when it does not use the cache. */
  readonly cache: CachePolicy | undefined;
}

/**
 * The captures of a caller. One result has its own cache key. The outputs of a group are cached as a whole: the key of each follows from
 * all of them. Every picture of a group is measured, since its size is part of the response; one with and without that option is the same.
 */
export function planCaptures(
  { outputs, isGroup }: Pick<RequestedOutputs, "outputs" | "isGroup">,
  caller: Caller,
): readonly PlannedCapture[] {
  const applied = outputs.map((output) => ({ ...output, options: optionsFor(output.options, caller) }));
  const own = applied.map(({ options }) => cachePolicy(options, caller.account.id));
  const policies = isGroup ? groupPolicies(applied, own) : own;
  return applied.map((output, index) => ({
    ...output,
    options: isGroup ? measured(output.options) : output.options,
    cache: policies[index],
  }));
}

/** None if an output does not use the cache. */
function groupPolicies(
  outputs: readonly ParsedOutput[],
  own: readonly (CachePolicy | undefined)[],
): readonly CachePolicy[] {
  const whole = hashJson(outputs.map(({ group }, index) => [group?.output, own[index]?.key ?? null]));
  const keyed = own.flatMap((policy, index) =>
    policy ? { ...policy, key: hashJson([whole, index]), sharesFailures: false } : [],
  );
  return keyed.length === outputs.length ? keyed : [];
}

function measured(options: CaptureOptions): CaptureOptions {
  const kind = formatKind(options.format);
  return kind === "image" || kind === "video" ? { ...options, metadata_image_size: true } : options;
}
