// A request as the operator sees it: from its log lines, and from the log of its capture.
import type { ResponseBody } from "../http/response-fields.ts";
import { fieldsOf, formatContent, type LogFields, type LogLine, shortSource } from "../logs/log-line.ts";
import { idTime } from "../platform/ids.ts";
import { fromLogItem } from "../usage/capture-log-item.ts";
import { findLogItem } from "../usage/log-search.ts";
import { shownOptions } from "./shown-options.ts";
import type { TracedRequest } from "./today-responses.ts";

/** Lines of a request that are shown; one with webhooks to retry has a few dozen. */
const MAX_LINES = 500;

export interface CaptureLogs {
  readonly activityTable: string;
  readonly retentionDays: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Describes a request by its lines, which are in the order of time and not empty. */
export async function traceRequest(
  id: number,
  lines: readonly LogLine[],
  logs: CaptureLogs,
): Promise<ResponseBody<typeof TracedRequest>> {
  const fields = lines.map(fieldsOf);
  const capture = decisiveCapture(id, fields);
  const known = capture ?? fields.find(({ event, request_id }) => event === "request" && request_id === id);
  const [accountId, host] = ["account_id", "host"].map(
    (name) => fields.find((each) => each[name] !== undefined)?.[name],
  );
  const log = await findLog(capture, accountId, logs);
  return {
    id,
    at: new Date(idTime(id)).toISOString(),
    account_id: accountId === undefined ? null : Number(accountId),
    host: textOrNull(host),
    format: textOrNull(capture?.["format"]),
    status: statusOf(known),
    code: textOrNull(known?.["code"]),
    blame: textOrNull(known?.["blame"]),
    milliseconds: known ? Number(known["milliseconds"]) : null,
    phases: capture ? phasesOf(capture) : [],
    options: log ? shownOptions(log.options) : null,
    error: log?.error_message?.replace(/^[A-Z_]+: /, "") ?? loggedError(fields),
    lines: lines.slice(0, MAX_LINES).map((line) => ({
      at: new Date(line.at).toISOString(),
      source: shortSource(line.source),
      text: formatContent(line),
    })),
  };
}

/**
 * The metrics of the capture that decided the outcome: the last attempt of the request's capture or, of several, of the first that failed.
 * A capture of a group has its own.
 */
function decisiveCapture(id: number, fields: readonly LogFields[]): LogFields | undefined {
  const captures = fields.filter(({ Captures }) => Captures === 1);
  const has = (name: string) => (capture: LogFields) => capture[name] === String(id);
  const isWhole = captures.some(has("job_id")) || captures.some(has("group_id"));
  const own = isWhole ? captures : captures.filter(has("request_id"));
  const last = [...new Map(own.map((capture) => [capture["request_id"], capture])).values()];
  return last.find(({ code }) => code !== undefined) ?? last[0];
}

/** The outcome of a capture or, without one, that of its request, which is not known for a capture that is queued. */
function statusOf(known: LogFields | undefined): "success" | "failed" | "unknown" {
  if (!known || known["status"] === 202) return "unknown";
  return known["code"] === undefined ? "success" : "failed";
}

/** The milliseconds of each phase, in their order. */
function phasesOf(capture: LogFields) {
  const times = Object.entries(capture).filter(([name]) => name.endsWith("_ms"));
  return times.map(([name, ms]) => ({ name: name.slice(0, -"_ms".length), ms: Number(ms) }));
}

async function findLog(
  capture: LogFields | undefined,
  accountId: unknown,
  { activityTable, retentionDays, now }: CaptureLogs,
) {
  if (!capture || accountId === undefined) return undefined;
  const id = Number(capture["request_id"]);
  const view = { activity: activityTable, accountId: Number(accountId), retentionDays, now };
  const item = await findLogItem(view, id, idTime(id));
  return item && fromLogItem(item);
}

/** The message of the last error that a line has. */
function loggedError(fields: readonly LogFields[]): string | null {
  const { message } = (fields.findLast(({ error }) => error !== undefined)?.["error"] ?? {}) as { message?: unknown };
  return textOrNull(message);
}

function textOrNull(value: unknown): string | null {
  return value === undefined ? null : String(value);
}
