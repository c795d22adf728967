// What the operator sees of the service today: captures since midnight UTC, queues, the canary, and the age of Chromium and of filter lists.
import { ageInDays, chromium } from "../../engine/browser/chromium-build.ts";
import { readQueueDepth, totalOf } from "../aws/queue-depth.ts";
import { findCanaryOutcome } from "../health/canary-store.ts";
import { readFilterLists } from "../health/filter-lists.ts";
import { captureHealth } from "../health/health-state.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { OperatorLog } from "../logs/operator-log.ts";
import type { Environment } from "../platform/environment.ts";
import { DAY_MS, startOfDay, utcDay } from "../usage/day.ts";
import type { Today } from "./today-responses.ts";

export const todayVariables = [
  "ACTIVITY_TABLE",
  "RENDER_QUEUE_URL",
  "WEBHOOK_QUEUE_URL",
  "FAILED_RENDER_QUEUE_URL",
  "WEBHOOK_DEAD_LETTER_QUEUE_URL",
] as const;

/** Reads it at `now` (milliseconds since 1970). */
export async function readToday(
  env: Pick<Environment, (typeof todayVariables)[number]>,
  log: OperatorLog,
  now: number,
): Promise<ResponseBody<typeof Today>> {
  const since = startOfDay(utcDay(now));
  const [summary, canary, lists, [jobs, webhooks, failedRenders, deadWebhooks]] = await Promise.all([
    log.summarizeCaptures(since),
    readCanary(env.ACTIVITY_TABLE, now),
    readFilterLists(),
    Promise.all([
      readQueueDepth(env.RENDER_QUEUE_URL),
      readQueueDepth(env.WEBHOOK_QUEUE_URL),
      readQueueDepth(env.FAILED_RENDER_QUEUE_URL),
      readQueueDepth(env.WEBHOOK_DEAD_LETTER_QUEUE_URL),
    ]),
  ]);
  return {
    since: new Date(since).toISOString(),
    captures: summary.captures,
    succeeded: summary.captures - summary.failures.reduce((sum, { count }) => sum + count, 0),
    failures: [...summary.failures],
    p50_ms: summary.p50Ms,
    p95_ms: summary.p95Ms,
    renderer_starts: summary.rendererStarts,
    jobs_waiting: jobs.waiting + jobs.delayed,
    webhooks_waiting: webhooks.waiting + webhooks.delayed,
    dead_letters: { renders: totalOf(failedRenders), webhooks: totalOf(deadWebhooks) },
    chromium: { version: chromium.browser, age_days: ageInDays(now) },
    filter_lists: newestList(lists, now),
    canary,
  };
}

/** The canary runs every five minutes, and its outcome is unknown when the last one is older than 16. */
async function readCanary(table: string, now: number) {
  const { status, checked_at } = captureHealth(await findCanaryOutcome(table), now);
  return { at: checked_at, outcome: ({ ok: "success", failing: "failed", unknown: "unknown" } as const)[status] };
}

/** The date of the newest list: lists are updated together, and some of them rarely change. */
function newestList(lists: readonly { readonly date: string }[], now: number) {
  const date =
    lists
      .map((list) => list.date)
      .toSorted()
      .at(-1) ?? null;
  return { date, age_days: date === null ? null : Math.floor((now - Date.parse(date)) / DAY_MS) };
}
