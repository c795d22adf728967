// Locating pages by counters alone, compared with plain sorted and sliced arrays.
import { describe, expect, test } from "vitest";
import type { CaptureLog } from "../../../lib/service/usage/capture-log.ts";
import { utcDay, utcMonth } from "../../../lib/service/usage/day.ts";
import { daySpans } from "../../../lib/service/usage/day-counter.ts";
import { readDayCounters } from "../../../lib/service/usage/day-counter-item.ts";
import { minuteSpans } from "../../../lib/service/usage/minute-counter-item.ts";
import {
  countMatches,
  type PageSlice,
  type ReadRange,
  type SpanSlice,
  slicePerSpan,
  toReadRanges,
} from "../../../lib/service/usage/span.ts";
import type { UsageFilter } from "../../../lib/service/usage/usage-options.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";
import { hourItems, monthItems } from "../../fixtures/usage-items.ts";
import { expectedList, randomCaptures, randomFilter } from "./random-captures.ts";

const DAYS = 75;

/** Locates a page; `isDivided` selects the days that are divided into minutes. */
function located(
  captures: readonly CaptureLog[],
  filter: UsageFilter,
  { isDivided, ...portion }: PageSlice & { isDivided: (day: SpanSlice) => boolean },
): { total: number; where: ReadRange[] } {
  const { from = "", to = "9999" } = filter;
  const counters = monthItems(captures).flatMap(readDayCounters);
  const days = daySpans(
    counters.filter(({ date }) => date >= from && date <= to),
    filter,
  );
  const shares = slicePerSpan(days, portion).flatMap((day) => {
    if (!isDivided(day)) return [day];
    const ofDay = captures.filter(({ created_at }) => created_at.startsWith(utcDay(day.from)));
    const items = hourItems(ofDay.filter((log) => day.keys.includes(log.api_key_id)));
    return slicePerSpan(minuteSpans(day, items, { ...filter, hours: { first: 0, last: 23 } }), day);
  });
  return { total: countMatches(days), where: toReadRanges(shares) };
}

function within(list: readonly CaptureLog[], { from, to, skip, take }: ReadRange): CaptureLog[] {
  const time = ({ created_at }: CaptureLog) => Date.parse(created_at);
  return list.filter((log) => time(log) >= from && time(log) < to).slice(skip, skip + take);
}

describe.each([
  ["days alone", () => () => false],
  ["the minutes of all days", () => () => true],
  ["the minutes of days that are part of the page", () => (day: SpanSlice) => day.take > 0],
  ["the minutes of some days", (random: () => number) => () => random() < 0.5],
])("usage list, by %s:", (_, chooser) => {
  test("every page has its captures, and every total is right", () => {
    const random = seededRandom(12);
    for (let round = 0; round < 60; round++) {
      const captures = randomCaptures(random, { days: DAYS, busy: 40 });
      const filter = randomFilter(random, DAYS);
      const list = expectedList(captures, filter);
      const take = 1 + Math.floor(random() * 40);
      const skip = take * Math.floor(random() * (list.length / take + 1));
      const { total, where } = located(captures, filter, { skip, take, isDivided: chooser(random) });
      expect({ total, page: where.flatMap((stretch) => within(list, stretch)) }).toEqual({
        total: list.length,
        page: list.slice(skip, skip + take),
      });
      for (const { from, to } of where) expect(utcMonth(from)).toBe(utcMonth(to - 1));
    }
  });
});
