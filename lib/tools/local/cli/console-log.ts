// What a person who runs the service sees of its log: a line for each request, errors, and calls that a role does not allow.

/** A line of a function's log that Lambda's runtime writes, as far as this module reads it. */
interface LogLine {
  readonly timestamp?: string;
  readonly message?: {
    readonly event?: string;
    readonly method?: string;
    readonly path?: string;
    readonly status?: number;
    readonly milliseconds?: number;
    readonly account_id?: number;
    readonly request_id?: number;
    readonly code?: string;
  };
}

/** The line to show, or undefined for a line that only the log files have. All but requests are problems, for stderr. */
export function consoleLine(
  source: string,
  line: string,
): { readonly text: string; readonly isProblem: boolean } | undefined {
  const request = requestLine(line);
  if (request !== undefined) return { text: request, isProblem: false };
  const isProblem = source === "iam" || /"level":"ERROR"|timed out after|Runtime\.ExitError/.test(line);
  return isProblem ? { text: `[${source}] ${line}`, isProblem } : undefined;
}

/** Method, path, status, duration, error code, account, and request id; undefined for all other lines. */
function requestLine(line: string): string | undefined {
  if (!line.includes('"event":"request"')) return undefined;
  const { timestamp = "", message = {} } = parse(line);
  const { event, method, path, status, milliseconds, code, account_id, request_id } = message;
  if (event !== "request") return undefined;
  return [
    timestamp.slice(11, 19), // UTC
    ...[method, path, status, `${milliseconds} ms`, code],
    account_id !== undefined && `account ${account_id}`,
    `request ${request_id}`,
  ]
    .filter((part) => part !== undefined && part !== false)
    .join("  ");
}

function parse(line: string): LogLine {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
