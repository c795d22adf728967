// What the usage resource answers: a page of capture logs, and statistics per day.
import * as v from "valibot";
import { atMost } from "../../contract/options/wording.ts";
import { ProblemSchema } from "../../contract/problems/problem.ts";
import {
  countField,
  formatField,
  integerField,
  microsecondTimestamp,
  timestamp,
  url,
  webhookTargetField,
} from "../http/response-fields.ts";
import { MAX_SHARES } from "./breakdown.ts";
import { CaptureLogSchema } from "./capture-log.ts";
import { MAX_READ } from "./usage-options.ts";

const milliseconds = countField;
const pageNumber = v.pipe(v.number(), v.integer(), v.minValue(1));

const item = CaptureLogSchema.entries;

export const CaptureLogResponse = v.object({
  id: v.pipe(item.id, v.integer(), v.description("The request number.")),
  user_id: v.pipe(item.user_id, v.integer(), v.description("The account id.")),
  api_key_id: v.pipe(item.api_key_id, v.integer()),
  url: v.pipe(item.url, v.description("The URL as sent. Empty for HTML and Markdown.")),
  options: v.pipe(item.options, v.description("The options as sent, without secrets. Long texts are truncated.")),
  format: formatField,
  status: item.status,
  http_status_code: v.pipe(
    item.http_status_code,
    v.metadata({ type: ["integer", "null"] }),
    v.description("HTTP status code of the page. Only set for failed captures."),
  ),
  error_message: v.pipe(item.error_message, v.description("Code and message of the error. `null` for successes.")),
  response_time_ms: milliseconds,
  file_size_bytes: countField,
  cached: v.pipe(item.cached, v.description("`true` if the result came from the cache.")),
  asynchronous: v.pipe(
    item.asynchronous,
    v.description("`true` if the capture was queued: with `async`, in a bulk request, or to replace a stale result."),
  ),
  group_id: v.pipe(
    item.group_id,
    v.metadata({ type: ["integer", "null"] }),
    v.description("The id of the request with `outputs` that this capture is a part of. `null` for a capture alone."),
  ),
  output_name: v.pipe(item.output_name, v.description("The name of the output in that request. `null` without one.")),
  webhook_target: webhookTargetField,
  thumbnail_url: v.pipe(
    v.nullable(url),
    v.description(
      "Address of the thumbnail, which needs an API key or a session as this list does. `null` if there is none, if it has expired, " +
        "or if it was deleted. For a moment after a capture, the thumbnail isn't stored yet, and its address answers 404.",
    ),
  ),
  ip_address: item.ip_address,
  created_at: v.pipe(microsecondTimestamp, v.description("When the capture was requested, with microseconds.")),
  api_key: v.object({ id: integerField, label: v.string(), key_prefix: v.string() }),
});

export const UsagePage = v.object({
  current_page: pageNumber,
  data: v.array(CaptureLogResponse),
  first_page_url: url,
  from: v.pipe(
    v.nullable(integerField),
    v.description("Position in the list of the first item on this page, counted from 1. `null` for an empty page."),
  ),
  to: v.pipe(
    v.nullable(integerField),
    v.description("Position in the list of the last item on this page. `null` for an empty page."),
  ),
  last_page: pageNumber,
  per_page: pageNumber,
  total: v.pipe(countField, v.description("Number of captures in the list.")),
});

export const UsageSearch = v.object({
  data: v.pipe(v.array(CaptureLogResponse), v.description("The captures that match, newest first.")),
  next_before: v.pipe(
    v.nullable(integerField),
    v.description(
      `Send it as \`before\` to go on with older captures. A search reads ${atMost(MAX_READ, "captures")}, so it can go on although ` +
        "`data` has fewer than `limit`, or none. `null` at the end of the search.",
    ),
  ),
  searched_until: v.pipe(
    v.nullable(timestamp),
    v.description("Captures from this time on were searched. `null` if all were."),
  ),
});

const Share = v.object({ name: v.string(), total: countField, failed: countField, cached: countField });

export const UsageBreakdown = v.object({
  total: v.pipe(
    countField,
    v.description(`Captures that were broken down: the newest of the range, ${atMost(MAX_READ, "captures")}.`),
  ),
  is_complete: v.pipe(v.boolean(), v.description("`true` if these are all captures of the range.")),
  cached: countField,
  p50_ms: v.pipe(milliseconds, v.description("Half of the successes that no cache answered took no longer.")),
  p95_ms: v.pipe(milliseconds, v.description("95% of the successes that no cache answered took no longer.")),
  formats: v.pipe(v.array(Share), v.description("By format, the most frequent first.")),
  hosts: v.pipe(
    v.array(Share),
    v.description(`The ${MAX_SHARES} most frequent hosts. HTML and Markdown have the name \`""\`.`),
  ),
  api_keys: v.pipe(v.array(Share), v.description(`The ${MAX_SHARES} most frequent API keys, by their ids.`)),
});

export const DescribedCaptureResponse = v.pipe(
  v.object({
    ...CaptureLogResponse.entries,
    phases: v.pipe(
      v.record(v.string(), milliseconds),
      v.description(
        "Milliseconds by phase, as in `Server-Timing`. Phases can overlap. Empty for captures that never ran.",
      ),
    ),
    warnings: v.pipe(v.array(v.string()), v.description("How the result differs from the request. At most 10.")),
    problems: v.pipe(v.array(ProblemSchema), v.description("What looked wrong in the result, the worst first.")),
    blocked: v.pipe(
      v.nullable(v.record(v.string(), v.unknown())),
      v.description("What was blocked. `null` if you didn't ask to block anything."),
    ),
    final_url: v.pipe(
      v.nullable(url),
      v.description("The address of the page after redirects. `null` if it is that of `url`."),
    ),
    report_url: v.pipe(
      v.nullable(url),
      v.description(
        "Address of the report of a capture with `metadata_report`. `null` if there is none, if it has expired, and for API keys " +
          "without the scope `capture`.",
      ),
    ),
    result: v.pipe(
      v.nullable(v.object({ url, mime_type: v.string(), expires_at: timestamp })),
      v.description(
        "The signed link to the stored result. `null` if nothing was stored, if it has expired, and for API keys without the " +
          "scope `capture`.",
      ),
    ),
  }),
  v.description("A capture of the list, with what only its own page has."),
);

export const UsageStatistics = v.object({
  series: v.pipe(
    v.array(
      v.object({
        date: v.pipe(v.string(), v.isoDate()),
        success: countField,
        failed: countField,
        avg_ms: v.pipe(milliseconds, v.description("Average response time in milliseconds.")),
      }),
    ),
    v.description("Every day of the range, newest first."),
  ),
  total: countField,
  total_success: countField,
  total_failed: countField,
  success_rate: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.maxValue(100),
    v.description("Percentage of captures that succeeded, as a whole number. 0 if there were none."),
  ),
  avg_response_ms: v.pipe(milliseconds, v.description("Average response time in milliseconds.")),
});
