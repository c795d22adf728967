// Serves the report of a capture, as JSON or as a page for people.

import Negotiator from "negotiator";
import * as v from "valibot";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { ReportSchema } from "../../contract/problems/capture-report.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { idTime, parseId } from "../platform/ids.ts";
import { CaptureDetailsSchema } from "../usage/capture-details.ts";
import { fromLogItem } from "../usage/capture-log-item.ts";
import { findLogItem } from "../usage/log-search.ts";
import { readReport } from "./report-file.ts";
import { REPORT_PAGE_POLICY, reportPage } from "./report-page.ts";

type ReportCall = RouteCall<"capture", unknown, "ACTIVITY_TABLE" | "USAGE_RETENTION_DAYS" | "RESULTS_BUCKET">;

/** Throws `NOT_FOUND` for a capture of another account, without a report, or whose report has expired. */
export async function getCaptureReport({
  request,
  caller,
  env,
}: ReportCall): Promise<ApiResponse<ResponseBody<typeof ReportSchema>>> {
  const id = parseId(request.pathParameters["id"] ?? "");
  const now = request.receivedAt;
  const view = {
    activity: env.ACTIVITY_TABLE,
    retentionDays: env.USAGE_RETENTION_DAYS,
    accountId: caller.account.id,
    now,
  };
  const item = Number.isNaN(id) ? undefined : await findLogItem(view, id, idTime(id));
  const { report: stored } = v.parse(CaptureDetailsSchema, item?.["details"] ?? {});
  const file = stored && stored.expires_at > now ? await readReport(env.RESULTS_BUCKET, stored.key) : undefined;
  if (!item || !file) throw new ApiError("NOT_FOUND", missing(item !== undefined, stored !== undefined));
  const varying = { Vary: "Accept" };
  const [preferred] = new Negotiator({ headers: request.headers }).mediaTypes(["application/json", "text/html"]);
  if (preferred !== "text/html") return json(200, file.report, varying);
  return {
    status: 200,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": REPORT_PAGE_POLICY,
      "Cache-Control": "no-store",
      ...varying,
    },
    body: reportPage({ requestId: id, url: fromLogItem(item).url, file }),
  };
}

function missing(isKnown: boolean, hasReport: boolean): string {
  if (!isKnown) return "The account has no capture of this id. List them with GET /api/v1/usage.";
  if (!hasReport) return "The capture has no report. Send metadata_report=true with a capture to get one.";
  return "The report of this capture has expired.";
}
