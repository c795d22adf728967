// Lists, searches, and exports the captures of an account, shows one, and computes statistics of them.
import { Readable } from "node:stream";
import { ApiError } from "../../contract/errors/api-error.ts";
import { countCaptures } from "../account-data/count-captures.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json, type StreamedResponse } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { idTime } from "../platform/ids.ts";
import { contentDisposition } from "../results/content-disposition.ts";
import { linkSecret } from "../results/link-secret.ts";
import { breakDown } from "./breakdown.ts";
import type { CaptureLog } from "./capture-log.ts";
import { fromLogItem } from "./capture-log-item.ts";
import { type CaptureRow, captureRow, type RowView } from "./capture-row.ts";
import { queryDayCounters } from "./counter-store.ts";
import { countDays } from "./day-counter.ts";
import { describeCapture } from "./describe-capture.ts";
import { queryCaptures } from "./list-store.ts";
import { exportLines, exportMediaTypes } from "./log-rows.ts";
import { allLogs, searchLogs } from "./log-search.ts";
import { findRequestedLog, type LogCall, logView } from "./requested-log.ts";
import type { DescribedCaptureResponse, UsageBreakdown, UsagePage, UsageSearch, UsageStatistics } from "./responses.ts";
import { dayRange, statistics } from "./statistics.ts";
import {
  type ExportOptions,
  type ListOptions,
  MAX_READ,
  MAX_STREAMED_EXPORT,
  type SearchOptions,
  type StatisticsOptions,
} from "./usage-options.ts";
import { usagePage } from "./usage-page.ts";

type LinkedCall<Options = unknown> = LogCall<Options, "BASE_URL">;

/** A page of the capture logs, newest first. */
export async function listCaptures(
  call: LinkedCall<ListOptions>,
): Promise<ApiResponse<ResponseBody<typeof UsagePage>>> {
  const { options, env } = call;
  const { total, logs } = await queryCaptures({ ...logView(call), usage: env.USAGE_TABLE }, options);
  const rows = logs.map((log) => captureRow(log, rowView(call)));
  return json(200, usagePage(rows, { total, options, baseUrl: env.BASE_URL }));
}

/** Captures per day, success rate, and response times of a range of days. */
export async function usageStatistics({
  request,
  caller,
  options,
  env,
}: RouteCall<"usage", StatisticsOptions, "USAGE_RETENTION_DAYS">): Promise<
  ApiResponse<ResponseBody<typeof UsageStatistics>>
> {
  const now = request.receivedAt;
  const range = dayRange(options, now);
  const view = {
    usage: env.USAGE_TABLE,
    retentionDays: env.USAGE_RETENTION_DAYS,
    accountId: caller.account.id,
    now,
  };
  const counters = await queryDayCounters(view, range);
  return json(200, statistics(countDays(counters, options), range));
}

/** The newest captures of a range by format, host, and API key, with percentiles of their times. */
export async function usageBreakdown(
  call: LogCall<StatisticsOptions>,
): Promise<ApiResponse<ResponseBody<typeof UsageBreakdown>>> {
  const { request, options } = call;
  const { status, api_key_id } = options;
  const filter = { status, api_key_id, ...dayRange(options, request.receivedAt) };
  const { logs, next } = await searchLogs(logView(call), filter, { before: undefined, limit: MAX_READ });
  return json(200, { ...breakDown(logs), is_complete: next === undefined });
}

/** Captures that match, newest first. A limited number of them is read at once. */
export async function searchCaptures(
  call: LinkedCall<SearchOptions>,
): Promise<ApiResponse<ResponseBody<typeof UsageSearch>>> {
  const { before, limit, ...filter } = call.options;
  const { logs, next } = await searchLogs(logView(call), filter, { before, limit });
  const searched_until = next === undefined ? null : new Date(idTime(next)).toISOString();
  const data = logs.map((log) => captureRow(log, rowView(call)));
  return json(200, { data, next_before: next ?? null, searched_until });
}

/**
 * All captures that match, as a stream of CSV or NDJSON. Throws `VALIDATION_ERROR` when there are too many to read, since the status of
 * a stream that is cut would say nothing of it.
 */
export async function exportCaptures(call: LinkedCall<ExportOptions>): Promise<StreamedResponse> {
  const { request, caller, options, env } = call;
  const { output, ...filter } = options;
  const count = await countCaptures(caller.account.id, filter, { now: request.receivedAt, env });
  if (count > MAX_STREAMED_EXPORT) throw tooManyToStream(count);
  const day = new Date(request.receivedAt).toISOString().slice(0, 10);
  const headers = {
    "Content-Type": exportMediaTypes[output],
    "Content-Disposition": contentDisposition(`captures-${day}.${output}`),
    "Cache-Control": "no-store",
  };
  if (request.method === "HEAD") return { status: 200, headers };
  const lines = exportLines(rowsOf(allLogs(logView(call), filter), rowView(call)), output);
  return { status: 200, headers, body: Readable.from(lines, { objectMode: false }) };
}

function tooManyToStream(count: number): ApiError {
  const number = (value: number) => value.toLocaleString("en-US");
  const message =
    `must leave at most ${number(MAX_STREAMED_EXPORT)} captures to read, and leave ${number(count)}: choose fewer days, or start an ` +
    "export of any size with POST /api/v1/usage/exports";
  return new ApiError("VALIDATION_ERROR", `The options 'from' and 'to' ${message}.`, { details: { from: [message] } });
}

async function* rowsOf(logs: AsyncIterable<CaptureLog>, view: RowView): AsyncGenerator<CaptureRow> {
  for await (const log of logs) yield captureRow(log, view);
}

/** A capture with its times by phase, its warnings, and its stored result. Throws `NOT_FOUND`. */
export async function getCaptureDetails(
  call: LinkedCall,
): Promise<ApiResponse<ResponseBody<typeof DescribedCaptureResponse>>> {
  const { request, caller, env } = call;
  const item = await findRequestedLog(call);
  const secret = caller.key.scopes.includes("capture") ? await linkSecret(env.ACCOUNTS_TABLE) : undefined;
  const links = secret === undefined ? undefined : { baseUrl: env.BASE_URL, secret };
  const row = captureRow(fromLogItem(item), rowView(call));
  return json(200, describeCapture(row, item["details"], { links, now: request.receivedAt }));
}

function rowView({ request, env }: LinkedCall): RowView {
  return { baseUrl: env.BASE_URL, now: request.receivedAt };
}
