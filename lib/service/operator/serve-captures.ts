// Shows an operator the captures of an account and, where the stage allows it, their thumbnails.
import { ApiError } from "../../contract/errors/api-error.ts";
import { type ErrorCode, errorKinds } from "../../contract/errors/error-kinds.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { optionalVariable } from "../platform/environment.ts";
import { idTime, parseId } from "../platform/ids.ts";
import { readResult } from "../results/result-store.ts";
import { THUMBNAIL_MIME_TYPE } from "../results/stored-thumbnail.ts";
import { type CaptureLog, errorCodeOf } from "../usage/capture-log.ts";
import { fromLogItem } from "../usage/capture-log-item.ts";
import { findLogItem, type LogView, searchLogs } from "../usage/log-search.ts";
import type { ListCapturesOptions } from "./account-options.ts";
import type { OperatedCapture, OperatedCaptures } from "./account-responses.ts";
import { auditContext, auditFirst } from "./audited-change.ts";
import { requestedAccount } from "./serve-accounts.ts";

type LogVariable = "ACTIVITY_TABLE" | "USAGE_RETENTION_DAYS";

/** Captures in a page of the list. */
const PAGE_CAPTURES = 25;

/** A page of an account's captures, newest first. It can be shorter where few have the status. */
export async function listAccountCaptures(
  call: RouteCall<"operator", ListCapturesOptions, LogVariable>,
): Promise<ApiResponse<ResponseBody<typeof OperatedCaptures>>> {
  const { after: before, ...filter } = call.options;
  const { logs, next } = await searchLogs(logView(call), filter, { before, limit: PAGE_CAPTURES });
  const now = call.request.receivedAt;
  return json(200, {
    data: logs.map((log) => captureOf(log, now)),
    next: next === undefined ? null : String(next),
  });
}

/** The thumbnail of a capture, once the audit log has who sees it. Throws `NOT_FOUND`, also where the stage shows no pictures. */
export async function getPicture(call: RouteCall<"operator", unknown, LogVariable>): Promise<ApiResponse<never>> {
  const { request } = call;
  const bucket = optionalVariable("RESULTS_BUCKET"); // only where the stage shows pictures
  const view = logView(call);
  const id = parseId(request.pathParameters["capture"] ?? "");
  const item = Number.isNaN(id) ? undefined : await findLogItem(view, id, idTime(id));
  const log = item && fromLogItem(item);
  if (bucket === undefined || !log?.thumbnail || !hasPicture(log, request.receivedAt)) throw noPicture();
  const body = await readResult(bucket, log.thumbnail.key);
  if (!body) throw noPicture();
  await auditFirst(auditContext(call), {
    action: "picture.viewed",
    account_id: view.accountId,
    details: { capture: id },
  });
  return {
    status: 200,
    headers: {
      "Content-Type": THUMBNAIL_MIME_TYPE,
      "Content-Length": String(body.length),
      "Content-Disposition": "inline",
      "Cache-Control": "no-store", // each look is in the audit log
    },
    body,
  };
}

function noPicture(): ApiError {
  return new ApiError("NOT_FOUND", "The capture has no picture, or none any more, or this service shows none.");
}

function captureOf(log: CaptureLog, now: number): ResponseBody<typeof OperatedCapture> {
  const { id, created_at, url, format, status, error_message, response_time_ms, file_size_bytes, cached, api_key_id } =
    log;
  const code = errorCodeOf(error_message) ?? null;
  return {
    id,
    created_at,
    host: URL.parse(url)?.host || null,
    format,
    status,
    code,
    blame: code !== null && code in errorKinds ? errorKinds[code as ErrorCode].blame : null,
    response_time_ms,
    bytes: status === "success" ? file_size_bytes : null,
    cached,
    api_key_id,
    has_picture: hasPicture(log, now),
  };
}

function hasPicture({ thumbnail }: CaptureLog, now: number): boolean {
  return optionalVariable("OPERATOR_PICTURES") === "shown" && thumbnail !== null && thumbnail.expires_at > now;
}

function logView(call: Pick<RouteCall<"operator", unknown, LogVariable>, "request" | "env">): LogView {
  const { request, env } = call;
  return {
    activity: env.ACTIVITY_TABLE,
    retentionDays: env.USAGE_RETENTION_DAYS,
    accountId: requestedAccount(call),
    now: request.receivedAt,
  };
}
