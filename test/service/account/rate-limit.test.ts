// Rate limit: the sliding-window log as update expression and as item, without a table.
import { describe, expect, test } from "vitest";
import {
  admissionUpdate,
  expiredMarks,
  parseLastUses,
  type RateLimitState,
  rateLimitError,
  rateLimitHeaders,
  rateLimitState,
} from "../../../lib/service/account/rate-limit.ts";

const NOON = Date.UTC(2026, 0, 31, 12);
const SECOND = NOON / 1000;

/** An item with `admitted` requests, and marks by their age in seconds. */
function anItem(admitted: number, marks: readonly (readonly [ago: number, ceiling: number])[]) {
  return { admitted, ...Object.fromEntries(marks.map(([ago, ceiling]) => [markOf(SECOND - ago), ceiling])) };
}

function markOf(second: number): string {
  return `s_${second.toString(36)}`;
}

describe("rate limit: the update expression", () => {
  const requested = [NOON, Date.UTC(2038, 11, 31), Date.UTC(2096, 0, 1)].map((now) =>
    admissionUpdate({ limit: 150, keyId: Number.MAX_SAFE_INTEGER, now }),
  );
  const expressions = requested.flatMap(({ update, condition }) => [update, condition]);

  test("stays within DynamoDB's 4 KB", () => {
    expect(expressions.filter((text) => Buffer.byteLength(text) > 4096)).toEqual([]);
  });

  test("stays within DynamoDB's 300 operators", () => {
    const operatorsOf = (text: string) => text.match(/<=|=|\+|\bOR\b|\bNOT\b|if_not_exists/g)?.length ?? 0;
    expect(expressions.filter((text) => operatorsOf(text) > 300)).toEqual([]);
  });

  test("uses each value that it defines, and defines each that it uses", () => {
    for (const { update, condition, values } of requested) {
      const named = `${update} ${condition}`.match(/:\w+/g) ?? [];
      expect([...new Set(named)].sort()).toEqual(Object.keys(values).sort());
    }
  });
});

describe("rate limit: an item", () => {
  test.each<[string, ReturnType<typeof anItem>, Pick<RateLimitState, "remaining" | "reset">]>([
    ["with nothing in it leaves the whole limit", anItem(0, []), { remaining: 10, reset: SECOND + 61 }],
    ["of one request now leaves one less", anItem(1, [[0, 10]]), { remaining: 9, reset: SECOND + 61 }],
    [
      "of requests in several seconds is told by the first of them",
      anItem(8, [
        [60, 12],
        [30, 13],
        [0, 17],
      ]),
      { remaining: 4, reset: SECOND + 1 },
    ],
    [
      "forgets what is more than 60 seconds old",
      anItem(8, [
        [61, 10],
        [30, 13],
      ]),
      { remaining: 5, reset: SECOND + 31 },
    ],
    ["whose marks are all old leaves the whole limit", anItem(8, [[61, 18]]), { remaining: 10, reset: SECOND + 61 }],
    [
      "with no more room leaves none until the first of its seconds is gone",
      anItem(10, [
        [59, 10],
        [58, 15],
      ]),
      { remaining: 0, reset: SECOND + 2 },
    ],
    [
      "in which an earlier second was written after a later one goes by what was written first",
      anItem(6, [
        [0, 10],
        [1, 15],
      ]),
      { remaining: 4, reset: SECOND + 61 },
    ],
    [
      "in which the next second was written already counts it",
      anItem(10, [
        [-1, 10],
        [0, 19],
      ]),
      { remaining: 0, reset: SECOND + 62 },
    ],
  ])("%s", (_, item, state) => {
    expect(rateLimitState(item, { limit: 10, now: NOON + 999 })).toMatchObject({ limit: 10, ...state });
  });

  test("has its expired marks removed once there are many", () => {
    const ago = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => [first + index, 10] as const);
    const current = ago(-10, 71);
    expect(expiredMarks(anItem(9, current), NOON)).toEqual([]);
    expect(expiredMarks(anItem(9, [...current, ...ago(71, 60)]), NOON)).toEqual([]);
    const stale = ago(71, 61);
    expect(expiredMarks(anItem(9, [...current, ...stale]), NOON).sort()).toEqual(
      stale.map(([seconds]) => markOf(SECOND - seconds)).sort(),
    );
  });

  test("keeps the marks that a request compares which arrives a few seconds late", () => {
    const late = Array.from({ length: 70 }, (_, index) => [61 + index, 10] as const);
    expect(expiredMarks(anItem(9, late), NOON)).toEqual([]);
  });

  test("contains when each key was last used", () => {
    const items = [
      { admitted: 3, ceiling: 13, s_k1: 10, k_7: NOON, k_8: NOON - 5 },
      { admitted: 1, ceiling: 41, k_7: NOON - 1, k_9: NOON + 1, k_x: 1, pk: "k_5", sk: "10" },
    ];
    expect(parseLastUses(items)).toEqual(
      new Map([
        [7, NOON],
        [8, NOON - 5],
        [9, NOON + 1],
      ]),
    );
    expect(parseLastUses([])).toEqual(new Map());
  });
});

test("rate limit: every response has the limit, the remaining requests and the reset time in its headers", () => {
  expect(rateLimitHeaders({ cost: 2, limit: 40, remaining: 0, reset: 1_769_860_861 })).toEqual({
    "X-RateLimit-Cost": "2",
    "X-RateLimit-Limit": "40",
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": "1769860861",
  });
});

describe("rate limit: a rejected request", () => {
  test.each([
    ["a second before there is room", SECOND - 1, 0, "1"],
    ["half a second before", SECOND - 1, 500, "1"],
    ["a millisecond before", SECOND - 1, 999, "1"],
    ["a little more than a second before", SECOND - 2, 999, "2"],
    ["as early as can be", SECOND - 61, 0, "61"],
    ["when the room has come meanwhile", SECOND, 3, "1"],
  ])("%s gets Retry-After in whole seconds", (_, second, milliseconds, seconds) => {
    const error = rateLimitError(
      { cost: 1, limit: 10, remaining: 0, possibleAt: SECOND },
      second * 1000 + milliseconds,
    );
    expect(error).toMatchObject({ code: "RATE_LIMITED", status: 429, headers: { "Retry-After": seconds } });
    expect(error.message).toBe(
      `The account has sent the 10 requests its plan allows in 60 seconds. Try again in ${seconds} s.`,
    );
  });
});
