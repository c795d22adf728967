// Reference model of the rate limit, to compare with the real one.
import type { RateLimitState } from "../../lib/service/account/rate-limit.ts";

export interface RateModel {
  /** Times of the requests that were admitted. */
  readonly admitted: readonly number[];
  /** Sends a request at a time that is not before the last one's. */
  send(now: number): RateLimitState & { readonly isAdmitted: boolean };
}

/** Requests are counted by the second: those of this one and of the 60 before it are at most so many. */
export function aRateModel(limit: number): RateModel {
  const admitted: number[] = [];
  return {
    admitted,
    send(now) {
      const second = Math.floor(now / 1000);
      const counted = admitted.filter((time) => time >= (second - 60) * 1000);
      const isAdmitted = counted.length < limit;
      if (isAdmitted) {
        admitted.push(now);
        counted.push(now);
      }
      const reset = Math.floor((counted[0] ?? now) / 1000) + 61;
      return { isAdmitted, limit, remaining: limit - counted.length, reset };
    },
  };
}
