// `retry_on`: attempts a capture again that failed for a reason of the page, with exponential backoff or the page's `Retry-After`.

import { setTimeout } from "node:timers/promises";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { MAX_ATTEMPTS, type RetryCondition } from "../../contract/options/groups/waiting.ts";
import { isWithin } from "../page/confirm-document.ts";

/** Pause before the second attempt. Each further one is twice as long. */
const FIRST_PAUSE_MS = 500;
/** An attempt launches a browser and loads the page, which takes at least about as long. */
const MIN_ATTEMPT_MS = 1_000;

/** Counts the attempts of a request, whose outputs share them. */
export class LoadAttempts {
  #made = 1;

  /**
   * Milliseconds to wait before the next attempt, which this counts; undefined if there is none: for an error that `retry_on` doesn't
   * name, after the last attempt, and where the pause and an attempt don't fit into the time that is left.
   */
  next(error: unknown, { retry_on: conditions }: Pick<EngineOptions, "retry_on">, leftMs: number): number | undefined {
    if (!(error instanceof ApiError) || !conditions?.some((condition) => matches(error, condition))) return undefined;
    if (this.#made >= MAX_ATTEMPTS) return undefined;
    const { retry_after: seconds } = error.target ?? {};
    const pauseMs = seconds === undefined ? FIRST_PAUSE_MS * 2 ** (this.#made - 1) : seconds * 1000;
    if (pauseMs + MIN_ATTEMPT_MS > leftMs) return undefined;
    this.#made++;
    return pauseMs;
  }
}

function matches({ code, target }: ApiError, condition: RetryCondition): boolean {
  if (typeof condition === "string") return code === condition;
  const isStatus = code === "TARGET_HTTP_ERROR" || code === "TARGET_BLOCKED";
  return isStatus && isWithin([condition], target?.http_status_code ?? 0);
}

/** Resolves after a pause of `ms` milliseconds. */
export const pause = (ms: number): Promise<void> => setTimeout(ms);

/** True if a condition depends on what the page shows, so that each output of a request has attempts of its own. */
export function judgesResult({ retry_on: conditions = [] }: Pick<EngineOptions, "retry_on">): boolean {
  return conditions.some((condition) => condition === "CONTENT_RULE_FAILED" || condition === "SELECTOR_NOT_FOUND");
}
