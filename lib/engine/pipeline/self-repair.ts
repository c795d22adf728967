// Self-repair: one more attempt at a capture with problems, with the options that are likely to fix them.

import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { mayRepair } from "../../contract/options/resolve-defaults.ts";
import type { Capture } from "./capture-output.ts";

/** A second attempt takes at least about as long as the first one, and what its waits take. */
const MIN_TIME_LEFT_MS = 1_500;

export interface RepairTime {
  /** Milliseconds that the first attempt has taken, and that are left for another. */
  readonly takenMs: number;
  readonly leftMs: number;
}

/**
 * The options to add for a second attempt: the fixes of the problems, except where the caller has sent the option. Undefined
 * where there is none, or no time for it.
 */
export function fixesFor(
  options: EngineOptions,
  capture: Capture,
  time: RepairTime,
): Readonly<Record<string, unknown>> | undefined {
  if (!options.self_repair || !mayRepair(options) || capture.problems.length === 0) return undefined;
  const fixes = fixesToApply(options, capture);
  if (Object.keys(fixes).length === 0) return undefined;
  const waitMs = Math.max(0, Number(fixes["delay"] ?? 0) - options.delay) * 1000;
  return time.leftMs >= Math.max(MIN_TIME_LEFT_MS, time.takenMs) + waitMs ? fixes : undefined;
}

/** Merged: of numbers the largest, so that one wait is long enough for all. */
function fixesToApply({ sent_options: sent = [] }: EngineOptions, { problems }: Capture): Record<string, unknown> {
  const merged: Record<string, unknown> = {};
  for (const { fix } of problems) {
    for (const [name, value] of Object.entries(fix ?? {})) {
      const isExtended = name === "hide_selectors" && Array.isArray(value);
      if (sent.includes(name) && !isExtended) continue;
      const other = merged[name];
      merged[name] = typeof other === "number" && typeof value === "number" ? Math.max(other, value) : (other ?? value);
    }
  }
  return merged;
}

/** The better of two captures: the first one, unless the second has fewer flaws. */
export function betterCapture(first: Capture, second: Capture): Capture {
  return second.quality > first.quality ? second : first;
}
