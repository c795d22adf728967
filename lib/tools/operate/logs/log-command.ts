// The command line of `npm run logs`: shows the lines of a request, of an account, or of the last time, and those that follow.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { formatLine, type LogFilter, type LogReader } from "../../../service/logs/log-line.ts";
import { addIds, readRequestLines } from "../../../service/logs/request-lines.ts";
import { requestFilter } from "../../../service/logs/request-window.ts";
import { CommandUsageError, parseIdArgument } from "../arguments.ts";

export interface LogOptions {
  readonly filter: LogFilter;
  readonly follows: boolean;
  /** Whether lines are printed as they were written. */
  readonly isJson: boolean;
  /** Undefined for the service of this machine. */
  readonly stage: string | undefined;
}

export const LOG_USAGE = `Usage: npm run logs -- [--request <id>] [--account <id>] [--since <30m|12h|7d|timestamp>] [--follow] [--json]

Shows the lines of the service of \`npm start\` (DATA_DIR, default .local), running or stopped, or of a deployed stage with --stage <name>.
Without --since, all lines of a request, or else those of the last hour.`;

const options = {
  request: { type: "string" },
  account: { type: "string" },
  since: { type: "string" },
  follow: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  stage: { type: "string" },
} as const;

const MINUTE_MS = 60_000;
const DEFAULT_SINCE_MS = 60 * MINUTE_MS;

/** Parses the command line at `now`, in milliseconds since 1970. Throws `CommandUsageError`. */
export function parseLogOptions(line: readonly string[], now: number): LogOptions {
  const { request, account, since, follow, json, stage } = parse(line);
  const id = request === undefined ? undefined : parseIdArgument({ request }, "request");
  const accountId = account === undefined ? undefined : parseIdArgument({ account }, "account");
  const start = id === undefined ? now - DEFAULT_SINCE_MS : requestFilter(id).since;
  return {
    filter: {
      ids: id === undefined ? undefined : new Set([String(id)]),
      account: accountId === undefined ? undefined : String(accountId),
      since: since === undefined ? start : parseSince(since, now),
    },
    follows: follow,
    isJson: json,
    stage,
  };
}

function parse(line: readonly string[]) {
  try {
    return parseArgs({ args: [...line], options }).values;
  } catch (error) {
    throw new CommandUsageError((error as Error).message);
  }
}

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
};

function parseSince(text: string, now: number): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const time = unit === "" ? parseTimestamp(text) : now - Number(count) * (UNITS_MS[unit] ?? 0);
  if (Number.isFinite(time)) return time;
  throw new CommandUsageError(`--since must be a time such as 30m, 12h, 7d, or 2026-01-31T12:00:00Z, not '${text}'.`);
}

function parseTimestamp(text: string): number {
  return /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
}

export interface LogOutput {
  print(line: string): void;
  /** Ends a command that follows the log. */
  readonly signal?: AbortSignal;
}

/**
 * Prints the lines that match, and those that follow until `signal` aborts. A request with several captures has their lines, too. Resolves to
 * the number of lines.
 */
export async function showLog(
  openLog: () => LogReader,
  { filter, follows, isJson }: Pick<LogOptions, "filter" | "follows" | "isJson">,
  { print, signal }: LogOutput,
): Promise<number> {
  const found = await readRequestLines(openLog, filter);
  const { log, ids } = found;
  let { lines } = found;
  let count = 0;
  for (;;) {
    for (const line of lines) print(isJson ? line.text : formatLine(line));
    count += lines.length;
    if (!follows || signal?.aborted) return count;
    await sleep(log.pollMs, undefined, signal && { signal }).catch(() => {});
    lines = await log.read({ ...filter, ids });
    if (ids) addIds(ids, lines);
  }
}
