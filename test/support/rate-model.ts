// Reference model of the rate limit, to compare with the real one.
import type { RateLimitState } from "../../lib/service/account/rate-limit.ts";

export interface RateModel {
  /** Times of the requests that were admitted, as often as they count. */
  readonly admitted: readonly number[];
  /** Sends a request that counts as `cost` at a time that is not before the last one's. */
  send(now: number, cost?: number): RateLimitState & { readonly isAdmitted: boolean };
}

/** Requests are counted by the second: those of this one and of the 60 before it are at most so many. */
export function aRateModel(limit: number): RateModel {
  const admitted: number[] = [];
  return {
    admitted,
    send(now, cost = 1) {
      const second = Math.floor(now / 1000);
      const counted = admitted.filter((time) => time >= (second - 60) * 1000);
      const isAdmitted = counted.length + cost <= limit;
      if (isAdmitted) {
        admitted.push(...Array(cost).fill(now));
        counted.push(...Array(cost).fill(now));
      }
      const seconds = counted.map((time) => Math.floor(time / 1000));
      const possibleFrom = (first: number) => limit - seconds.filter((each) => each >= first).length;
      const blocking = seconds.findLast((each) => possibleFrom(each) < cost) ?? seconds[0] ?? second;
      const times = { reset: (seconds[0] ?? second) + 61, possibleAt: blocking + 61 };
      return { isAdmitted, cost, limit, remaining: limit - counted.length, ...times };
    },
  };
}
