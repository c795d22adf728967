// What the routes answer by which the operator sees the running service: today, a request, and what failed.
import * as v from "valibot";
import { timestamp } from "../http/response-fields.ts";
import { FailedRender, FailedWebhook, RetryOutcome } from "./dead-letter-requests.ts";

const count = v.number();
const milliseconds = v.nullable(v.number());
const textOrNull = v.nullable(v.string());

export const Today = v.object({
  /** Midnight UTC. Counts are of the captures since then, other values of now. */
  since: timestamp,
  captures: count,
  succeeded: count,
  failures: v.array(v.object({ code: v.string(), blame: v.string(), count })),
  p50_ms: milliseconds,
  p95_ms: milliseconds,
  renderer_starts: count,
  jobs_waiting: count,
  webhooks_waiting: count,
  dead_letters: v.object({ renders: count, webhooks: count }),
  chromium: v.object({ version: v.string(), age_days: count }),
  filter_lists: v.object({ date: textOrNull, age_days: v.nullable(count) }),
  canary: v.object({ at: v.nullable(timestamp), outcome: v.picklist(["success", "failed", "unknown"]) }),
});

export const TracedRequest = v.object({
  id: v.number(),
  at: timestamp,
  account_id: v.nullable(v.number()),
  host: textOrNull,
  format: textOrNull,
  status: v.picklist(["success", "failed", "unknown"]),
  code: textOrNull,
  blame: textOrNull,
  milliseconds,
  phases: v.array(v.object({ name: v.string(), ms: v.number() })),
  /** Without secrets, content, and queries. Null without the log of a capture. */
  options: v.nullable(v.record(v.string(), v.unknown())),
  error: textOrNull,
  lines: v.array(v.object({ at: timestamp, source: v.string(), text: v.string() })),
});

export const Failed = v.object({ renders: v.array(FailedRender), webhooks: v.array(FailedWebhook) });
export const Retried = v.object({ outcomes: v.array(RetryOutcome) });
