// Random captures for the tests of lists and statistics, and a reference implementation of the list.

import { createId } from "../../../lib/service/platform/ids.ts";
import { type CaptureLog, createCaptureLog } from "../../../lib/service/usage/capture-log.ts";
import { DAY_MS } from "../../../lib/service/usage/day.ts";
import type { UsageFilter } from "../../../lib/service/usage/usage-options.ts";
import { aCaptureLog } from "../../support/builders.ts";

export const ACCOUNT = 3;
export const KEYS = [0, 7, 41];

/** The time of the last capture, so that the last day is incomplete. */
export const NOW = Date.UTC(2026, 2, 1, 15, 20, 30);

/** A capture that started at a time in milliseconds since 1970. */
export function aCaptureAt(time: number, parts: Partial<CaptureLog> = {}, random = 0): CaptureLog {
  const { id: _, created_at: __, ...event } = aCaptureLog({ user_id: ACCOUNT, api_key_id: KEYS[0] ?? 0, ...parts });
  return createCaptureLog(createId(time, random), event);
}

/**
 * Random captures of the days before `NOW`: few on many days, and many on some days, mostly within a few minutes; one
 * of these is the last of a month.
 */
export function randomCaptures(random: () => number, { days, busy }: { days: number; busy: number }): CaptureLog[] {
  const below = (limit: number) => Math.floor(random() * limit);
  const captures: CaptureLog[] = [];
  const add = (day: number, minute: number) => {
    const time = NOW - (NOW % DAY_MS) - day * DAY_MS + minute * 60_000 + below(60_000);
    if (time > NOW) return;
    const api_key_id = KEYS[random() < 0.8 ? 1 : below(KEYS.length)] ?? 0;
    const status = random() < 0.9 ? "success" : "failed";
    captures.push(aCaptureAt(time, { api_key_id, status, response_time_ms: below(5_000) }, random()));
  };
  for (let count = below(2 * days); count > 0; count--) add(below(days), below(1_440));
  for (const day of [0, 1, 2 + below(5)]) {
    const hot = Array.from({ length: 4 }, () => below(1_440));
    for (let count = below(2 * busy); count > 0; count--) {
      add(day, random() < 0.6 ? (hot[below(hot.length)] ?? 0) : below(1_440));
    }
  }
  return captures.filter(({ id }, index) => captures.findIndex((other) => other.id === id) === index);
}

/** Captures that match a filter, newest first. */
export function expectedList(captures: readonly CaptureLog[], filter: UsageFilter): CaptureLog[] {
  const { status, api_key_id, from = "", to = "9999" } = filter;
  return captures
    .filter((log) => status === undefined || log.status === status)
    .filter((log) => api_key_id === undefined || log.api_key_id === api_key_id)
    .filter(({ created_at }) => created_at.slice(0, 10) >= from && created_at.slice(0, 10) <= to)
    .toSorted((a, b) => b.id - a.id);
}

/** All kinds of filters, alone and combined, for the days before `NOW`. */
export function randomFilter(random: () => number, days: number): UsageFilter {
  const below = (limit: number) => Math.floor(random() * limit);
  const maybe = <T>(value: T) => (random() < 0.5 ? value : undefined);
  const date = (day: number) => new Date(NOW - day * DAY_MS).toISOString().slice(0, 10);
  const first = below(days);
  return {
    status: maybe(random() < 0.5 ? "failed" : "success"),
    api_key_id: maybe(random() < 0.1 ? 99 : KEYS[below(KEYS.length)]),
    from: maybe(date(first)),
    to: maybe(date(below(first + 1))),
  };
}
