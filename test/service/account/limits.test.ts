// Limits of one account: what its plan gives, and what the operator has set instead.
import { describe, expect, test } from "vitest";
import { planNames, plans } from "../../../lib/contract/plans.ts";
import { type Account, type KeyRing, limitNames } from "../../../lib/service/account/account.ts";
import { effectiveLimits, type LimitChanges, limitBounds, withLimits } from "../../../lib/service/account/limits.ts";
import { MAX_KEYS } from "../../../lib/service/keys/key-count.ts";
import { withPlan } from "../../../lib/service/keys/key-ring.ts";
import { anAccount, apiErrorOf } from "../../support/builders.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const at = (time: number) => new Date(time).toISOString();
const LATER = at(NOW + 60_000);

const ringOf = (parts: Partial<Account> = {}): KeyRing => ({ account: anAccount(parts), keys: [] });
const changed = (changes: LimitChanges, ring = ringOf(), now = NOW) => withLimits(ring, changes, now).account;
const ofPlan = (value: number | null) => ({ value, until: null, is_override: false });

describe("limits of an account", () => {
  test.each(planNames)("are those of the plan %s without an override", (plan) => {
    const { requestsPerMinute, concurrentJobs, captureShare } = plans[plan];
    expect(effectiveLimits({ plan }, NOW, 100)).toEqual({
      requests_per_minute: ofPlan(requestsPerMinute),
      concurrent_captures: ofPlan(100 * captureShare),
      captures_per_day: ofPlan(null),
      api_keys: ofPlan(MAX_KEYS),
      concurrent_jobs: ofPlan(concurrentJobs),
    });
  });

  test("have no number of synchronous captures where the capacity is unknown, unless it is an override", () => {
    expect(effectiveLimits({ plan: "pro" }, NOW).concurrent_captures).toEqual(ofPlan(null));
    const limited = changed({ concurrent_captures: { value: 3, until: null } });
    expect(effectiveLimits(limited, NOW).concurrent_captures.value).toBe(3);
  });

  test.each(limitNames)("are what the operator has set, also 0 where that is allowed: %s", (name) => {
    const value = limitBounds[name].minimum;
    const account = changed({ [name]: { value, until: LATER } });
    const limits = effectiveLimits(account, NOW, 100);
    expect(limits[name]).toEqual({ value, until: LATER, is_override: true });
    expect({ ...limits, [name]: null }).toEqual({ ...effectiveLimits({ plan: "pro" }, NOW, 100), [name]: null });
  });

  test("are those of the plan again from the moment on at which an override ends", () => {
    const account = changed({ requests_per_minute: { value: 5, until: LATER } });
    const valueAt = (time: number) => effectiveLimits(account, time).requests_per_minute;
    expect(valueAt(NOW + 59_999)).toEqual({ value: 5, until: LATER, is_override: true });
    expect(valueAt(NOW + 60_000)).toEqual(ofPlan(80));
  });

  test("keep their overrides when the plan changes, and follow the plan otherwise", () => {
    const ring = withLimits(ringOf(), { concurrent_jobs: { value: 7, until: null } }, NOW);
    const { account } = withPlan(ring, "max", at(NOW));
    expect(effectiveLimits(account, NOW)).toMatchObject({
      concurrent_jobs: { value: 7, is_override: true },
      requests_per_minute: ofPlan(150),
    });
  });
});

describe("limits of an account: a change", () => {
  test("leaves the other overrides as they are", () => {
    const ring = ringOf({ limits: { api_keys: { value: 2, until: null } } });
    expect(changed({ captures_per_day: { value: 10, until: null } }, ring).limits).toEqual({
      api_keys: { value: 2, until: null },
      captures_per_day: { value: 10, until: null },
    });
  });

  test("removes an override, and with the last one all traces of it", () => {
    const ring = ringOf({ limits: { api_keys: { value: 2, until: null } } });
    expect(withLimits(ring, { api_keys: null }, NOW)).toEqual(ringOf());
  });

  test("removes overrides whose time is over", () => {
    const ring = ringOf({ limits: { api_keys: { value: 2, until: at(NOW) } } });
    expect(changed({ concurrent_jobs: { value: 1, until: null } }, ring).limits).toEqual({
      concurrent_jobs: { value: 1, until: null },
    });
  });

  test("stores the end in UTC", () => {
    expect(changed({ api_keys: { value: 1, until: "2026-02-01T02:00:00+02:00" } }).limits).toEqual({
      api_keys: { value: 1, until: "2026-02-01T00:00:00.000Z" },
    });
  });

  test.each<[string, LimitChanges]>([
    ["nothing", {}],
    ["the same value and end in another order", { api_keys: { value: 2, until: "2026-02-01T01:00:00+01:00" } }],
    ["the removal of an override that does not exist", { requests_per_minute: null }],
  ])("to %s changes nothing", (_, changes) => {
    const ring = ringOf({
      limits: {
        api_keys: { until: "2026-02-01T00:00:00.000Z", value: 2 },
        captures_per_day: { value: 1, until: null },
      },
    });
    expect(withLimits(ring, changes, NOW)).toBe(ring);
    expect(withLimits(ring, { api_keys: { value: 3, until: null } }, NOW)).not.toBe(ring);
  });

  test.each(limitNames)("outside of the bounds is refused: %s", (name) => {
    const { minimum, maximum } = limitBounds[name];
    for (const value of [minimum - 1, maximum + 1, minimum + 0.5, Number.NaN]) {
      const error = apiErrorOf(() => changed({ [name]: { value, until: null } }));
      expect(error).toMatchObject({
        code: "VALIDATION_ERROR",
        details: { [name]: [`must be a whole number from ${minimum} to ${maximum}, not ${value}`] },
      });
    }
    for (const value of [minimum, maximum]) {
      expect(changed({ [name]: { value, until: null } }).limits).toEqual({ [name]: { value, until: null } });
    }
  });

  test.each([at(NOW), "2026-01-01T00:00:00.000Z", "soon"])(
    "that ends at %s, not in the future, is refused",
    (until) => {
      expect(apiErrorOf(() => changed({ api_keys: { value: 1, until } })).details).toEqual({
        api_keys: [`must end in the future, not at ${until}`],
      });
    },
  );
});
