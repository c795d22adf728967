// Plans the captures of a request with `outputs`, before they have quota: their options, and how they use the cache.

import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { formatKind } from "../../contract/options/formats.ts";
import type { NamedOutput } from "../../contract/options/outputs.ts";
import type { Caller } from "../account/account.ts";
import { type CachePolicy, groupCachePolicies } from "../captures/cache-key.ts";
import { type CachedCapture, findCached } from "../captures/cache-lookup.ts";
import { optionsFor } from "../captures/test-caller.ts";

/** What an output is, before its capture has quota. */
export interface PlannedOutput {
  readonly name: string;
  readonly options: CaptureOptions;
  readonly rawOptions: Readonly<Record<string, unknown>>;
  readonly cache: CachePolicy | undefined;
}

/** True for the outputs of an asynchronous request. */
export function isAsync(outputs: readonly Pick<PlannedOutput, "options">[]): boolean {
  return outputs.some(({ options }) => options.async);
}

/** The outputs of a caller, with the cache policies that follow from all of them. */
export function planOutputs(caller: Caller, outputs: readonly NamedOutput[]): readonly PlannedOutput[] {
  const named = outputs.map(({ options, ...output }) => ({ ...output, options: optionsFor(options, caller) }));
  const policies = groupCachePolicies(named, caller.account.id);
  return named.map(({ options, ...output }, index) => ({
    ...output,
    options: measured(options),
    cache: policies?.[index],
  }));
}

/** The cached results of outputs, if all of them have one. */
export async function findAllCached(
  outputs: readonly Parameters<typeof findCached>[0][],
  env: Parameters<typeof findCached>[1],
): Promise<readonly CachedCapture[] | undefined> {
  const found = await Promise.all(outputs.map((output) => findCached(output, env)));
  const hits = found.flatMap((hit) => hit ?? []);
  return hits.length === found.length ? hits : undefined;
}

/** Every picture is measured, since its size is part of the response. */
function measured(options: CaptureOptions): CaptureOptions {
  const kind = formatKind(options.format);
  return kind === "image" || kind === "video" ? { ...options, metadata_image_size: true } : options;
}
