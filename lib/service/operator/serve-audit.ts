// Shows the audit log, and exports it.
import { Readable } from "node:stream";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json, type StreamedResponse } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { utcDay } from "../usage/day.ts";
import { auditPages, readAudit } from "./audit-log.ts";
import type { AuditOptions } from "./operator-options.ts";
import type { AuditPage } from "./responses.ts";

const PAGE_ENTRIES = 25;
const EXPORTED_AT_ONCE = 500;

/** A page of the audit log, newest first. */
export async function listAudit({
  request,
  options: { after },
  env,
}: RouteCall<"operator", AuditOptions, "ACTIVITY_TABLE">): Promise<ApiResponse<ResponseBody<typeof AuditPage>>> {
  const range = { before: after, pageSize: PAGE_ENTRIES, now: request.receivedAt };
  const { entries, next } = await readAudit(env.ACTIVITY_TABLE, range);
  return json(200, { data: entries, next: next ?? null });
}

/** The whole audit log as NDJSON, newest first. */
export function exportAudit({
  request: { receivedAt: now },
  env,
}: RouteCall<"operator", unknown, "ACTIVITY_TABLE">): StreamedResponse {
  return {
    status: 200,
    headers: {
      "Content-Type": "application/x-ndjson",
      "Content-Disposition": `attachment; filename="audit-log-${utcDay(now)}.ndjson"`,
      "Cache-Control": "no-store",
    },
    body: Readable.from(auditLines(env.ACTIVITY_TABLE, now)),
  };
}

async function* auditLines(activityTable: string, now: number): AsyncGenerator<string> {
  for await (const entries of auditPages(activityTable, { pageSize: EXPORTED_AT_ONCE, now }))
    yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}
