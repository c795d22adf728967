// Billed captures in the items of months.
import { expect, test } from "vitest";
import { billedIncrement, sumBilledCounts } from "../../../lib/service/billing/billed-counts.ts";

const january = { start: "2026-01-05T10:20:30.456Z" };
const february = { start: "2026-02-05T10:20:30.456Z" };

test("billed counts: are added up over API keys, months, and shards, for each period and kind", () => {
  const items = [
    { ...billedIncrement("screenshots", january), ...billedIncrement("videos", january), s05: 9, sk: "2026-01#7" },
    { ...billedIncrement("screenshots", january), ...billedIncrement("screenshots", february) },
    { ...billedIncrement("videos", february), ttl: 1_800_000_000 },
  ];
  expect(sumBilledCounts(items, january)).toEqual({ screenshots: 2, videos: 1 });
  expect(sumBilledCounts(items, february)).toEqual({ screenshots: 1, videos: 1 });
  expect(sumBilledCounts([], january)).toEqual({ screenshots: 0, videos: 0 });
});

test("billed counts: periods that start a millisecond apart are counted apart", () => {
  const later = { start: "2026-01-05T10:20:30.457Z" };
  expect(sumBilledCounts([billedIncrement("screenshots", january)], later)).toEqual({ screenshots: 0, videos: 0 });
});
