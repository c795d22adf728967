// The routes by which the operator sees the running service: today, a request, and what failed.

import { defineRoute } from "../http/define-route.ts";
import { todayVariables } from "./read-today.ts";
import { parseRetry, retryEntries } from "./today-options.ts";
import { Failed, Retried, Today, TracedRequest } from "./today-responses.ts";

const handlers = () => import("./serve-today.ts");

const operator = { functionName: "operator", access: "operator" } as const;
const logVariables = ["LOG_GROUPS", "LOG_FOLDER", "RENDERER"] as const;
/** A search of logs takes up to 20 seconds, and so does the function of dead letters. */
const deadlineSeconds = 25;

export const getTodayRoute = defineRoute({
  ...operator,
  method: "GET",
  path: "/operator/api/today",
  env: [...todayVariables, ...logVariables],
  deadlineSeconds,
  responses: { 200: { description: "The captures of the day, and the state of the service.", json: [Today] } },
  handler: async () => (await handlers()).getToday,
});

export const traceRequestRoute = defineRoute({
  ...operator,
  method: "GET",
  path: "/operator/api/requests/{id}",
  env: ["ACTIVITY_TABLE", "USAGE_RETENTION_DAYS", ...logVariables],
  deadlineSeconds,
  responses: { 200: { description: "The request, by its log lines.", json: [TracedRequest] } },
  handler: async () => (await handlers()).getRequest,
});

export const listFailedRoute = defineRoute({
  ...operator,
  method: "GET",
  path: "/operator/api/failed",
  env: ["DEAD_LETTERS_FUNCTION"],
  deadlineSeconds,
  responses: { 200: { description: "The captures and webhooks that failed.", json: [Failed] } },
  handler: async () => (await handlers()).listFailed,
});

export const retryFailedRoute = defineRoute({
  ...operator,
  method: "POST",
  path: "/operator/api/failed/retry",
  env: ["ACTIVITY_TABLE", "DEAD_LETTERS_FUNCTION"],
  options: { entries: retryEntries, parse: parseRetry },
  deadlineSeconds,
  responses: { 200: { description: "What became of each.", json: [Retried] } },
  handler: async () => (await handlers()).retryFailed,
});
