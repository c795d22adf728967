// Shows the operator the running service, and retries what failed.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { openOperatorLog } from "../logs/open-operator-log.ts";
import { parseId } from "../platform/ids.ts";
import { auditContext, auditFirst } from "./audited-change.ts";
import { invokeDeadLetters } from "./invoke-dead-letters.ts";
import { readToday, type todayVariables } from "./read-today.ts";
import type { RetryOptions } from "./today-options.ts";
import type { Failed, Retried, Today, TracedRequest } from "./today-responses.ts";
import { traceRequest } from "./trace-request.ts";

type LogVariable = "LOG_GROUPS" | "LOG_FOLDER" | "RENDERER";

/** The captures since midnight UTC, and the state of the service. */
export async function getToday({
  request,
  env,
}: RouteCall<"operator", unknown, (typeof todayVariables)[number] | LogVariable>): Promise<
  ApiResponse<ResponseBody<typeof Today>>
> {
  return json(200, await readToday(env, openOperatorLog(env), request.receivedAt));
}

/** A request by its id. Throws `NOT_FOUND` without a line of it. */
export async function getRequest({
  request,
  env,
}: RouteCall<"operator", unknown, "ACTIVITY_TABLE" | "USAGE_RETENTION_DAYS" | LogVariable>): Promise<
  ApiResponse<ResponseBody<typeof TracedRequest>>
> {
  const id = parseId(request.pathParameters["id"] ?? "");
  const lines = Number.isNaN(id) ? [] : await openOperatorLog(env).findRequest(id);
  if (lines.length === 0) throw noLines();
  const logs = {
    activityTable: env.ACTIVITY_TABLE,
    retentionDays: env.USAGE_RETENTION_DAYS,
    now: request.receivedAt,
  };
  return json(200, await traceRequest(id, lines, logs));
}

/** Captures and webhooks that failed because of the service. */
export async function listFailed({
  env: { DEAD_LETTERS_FUNCTION },
}: RouteCall<"operator", unknown, "DEAD_LETTERS_FUNCTION">): Promise<ApiResponse<ResponseBody<typeof Failed>>> {
  const [renders, webhooks] = await Promise.all([
    invokeDeadLetters(DEAD_LETTERS_FUNCTION, { operation: "list", queue: "renders" }),
    invokeDeadLetters(DEAD_LETTERS_FUNCTION, { operation: "list", queue: "webhooks" }),
  ]);
  return json(200, { renders, webhooks });
}

/** Retries captures or webhooks, once the audit log has it. */
export async function retryFailed(
  call: RouteCall<"operator", RetryOptions, "ACTIVITY_TABLE" | "DEAD_LETTERS_FUNCTION">,
): Promise<ApiResponse<ResponseBody<typeof Retried>>> {
  const { options, env } = call;
  const { queue } = options;
  await auditFirst(auditContext(call), { action: queue === "renders" ? "jobs.retried" : "webhooks.retried" });
  return json(200, { outcomes: await invokeDeadLetters(env.DEAD_LETTERS_FUNCTION, { operation: "retry", queue }) });
}

function noLines(): ApiError {
  return new ApiError(
    "NOT_FOUND",
    "No log line has this id. On AWS, a line is found a minute or two after it was written. Lines are kept for as long as the stage says, " +
      "and looked for within a day after the request.",
  );
}
