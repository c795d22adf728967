// Finds the capture log in the path of a request.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { RouteCall } from "../http/define-route.ts";
import type { EnvironmentVariable } from "../platform/environment.ts";
import { idTime, parseId } from "../platform/ids.ts";
import { findLogItem, type LogItem, type LogView } from "./log-search.ts";

export type LogCall<Options = unknown, Variable extends EnvironmentVariable = never> = RouteCall<
  "usage",
  Options,
  Variable | "ACTIVITY_TABLE" | "USAGE_RETENTION_DAYS"
>;

/** The logs that the caller can see. */
export function logView({ request, caller, env }: Pick<LogCall, "request" | "caller" | "env">): LogView {
  return {
    activity: env.ACTIVITY_TABLE,
    retentionDays: env.USAGE_RETENTION_DAYS,
    accountId: caller.account.id,
    now: request.receivedAt,
  };
}

/** The account's log that the path names, as the item that is stored. Throws `NOT_FOUND`. */
export async function findRequestedLog(call: Pick<LogCall, "request" | "caller" | "env">): Promise<LogItem> {
  const id = parseId(call.request.pathParameters["id"] ?? "");
  const item = Number.isNaN(id) ? undefined : await findLogItem(logView(call), id, idTime(id));
  if (item) return item;
  throw new ApiError("NOT_FOUND", "The account has no capture of this id. List them with GET /api/v1/usage.");
}
