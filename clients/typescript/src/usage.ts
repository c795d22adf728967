// Async iterators over the captures of the account, its asynchronous captures, and its days.
import type { CaptureFilter, CaptureLog, StatisticsFilter, UsagePage, UsageStatistics } from "./generated/types.ts";
import type { CallOptions, Transport } from "./transport.ts";

export type Day = UsageStatistics["series"][number];

const CAPTURES_PER_PAGE = 100;
/** Longest span of a request for statistics. */
const MAX_SPAN_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Captures, newest first, page by page. Captures that are made meanwhile move later pages, but none is listed twice. */
export async function* listCaptures(
  transport: Transport,
  filter: CaptureFilter,
  call?: CallOptions,
): AsyncGenerator<CaptureLog, void, undefined> {
  let oldestId = Number.POSITIVE_INFINITY; // ids increase with time
  for (let number = filter.page ?? 1; ; number++) {
    const query = { per_page: CAPTURES_PER_PAGE, ...filter, page: number };
    const page = await transport.json<UsagePage>({ ...call, method: "GET", path: "/api/v1/usage", query });
    for (const log of page.data) {
      if (log.id >= oldestId) continue;
      oldestId = log.id;
      yield log;
    }
    if (number >= page.last_page) return;
  }
}

/** The items of a list whose parts continue at `next_before`. A part can be empty although more follow. */
export async function* listOlder<T>(
  transport: Transport,
  path: string,
  filter: { readonly before?: number },
  call?: CallOptions,
): AsyncGenerator<T, void, undefined> {
  let before: number | null | undefined = filter.before;
  do {
    const query = { limit: CAPTURES_PER_PAGE, ...filter, before };
    const part: OlderPart<T> = await transport.json({ ...call, method: "GET", path, query });
    yield* part.data;
    before = part.next_before;
  } while (before !== null);
}

interface OlderPart<T> {
  readonly data: readonly T[];
  readonly next_before: number | null;
}

/** Days, newest first. A range can be longer than the 90 days that one request covers. */
export async function* listDays(
  transport: Transport,
  { from, to, days = 7, ...filter }: StatisticsFilter,
  call?: CallOptions,
): AsyncGenerator<Day, void, undefined> {
  let last = to ? Date.parse(to) : Date.now();
  const first = from ? Date.parse(from) : last - (days - 1) * DAY_MS;
  while (last >= first) {
    const start = Math.max(first, last - (MAX_SPAN_DAYS - 1) * DAY_MS);
    const query = { ...filter, from: isoDate(start), to: isoDate(last) };
    const path = "/api/v1/usage/stats";
    yield* (await transport.json<UsageStatistics>({ ...call, method: "GET", path, query })).series;
    last = start - DAY_MS;
  }
}

function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
