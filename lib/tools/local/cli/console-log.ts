// What a person who runs the service sees of its log: a line for each request, errors, and calls that a role does not allow.
import { fieldsOf, parseLine, printable } from "../../../service/logs/log-line.ts";

/** The line to show, or undefined for a line that only the log files have. All but requests are problems, for stderr. */
export function consoleLine(
  source: string,
  line: string,
): { readonly text: string; readonly isProblem: boolean } | undefined {
  const request = requestLine(source, line);
  if (request !== undefined) return { text: request, isProblem: false };
  const isProblem = source === "iam" || /"level":"ERROR"|timed out after|Runtime\.ExitError/.test(line);
  return isProblem ? { text: `[${source}] ${line}`, isProblem } : undefined;
}

/** Method, path, status, duration, error code, account, and request id; undefined for all other lines. */
function requestLine(source: string, text: string): string | undefined {
  if (!text.includes('"event":"request"')) return undefined; // parsing each line would take longer
  const line = parseLine(source, text);
  const { event, method, path, status, milliseconds, code, account_id, request_id } = fieldsOf(line);
  if (event !== "request") return undefined;
  const parts = [
    new Date(line.at).toISOString().slice(11, 19), // UTC
    ...[method, path, status, `${milliseconds} ms`, code],
    account_id === undefined ? undefined : `account ${account_id}`,
    `request ${request_id}`,
  ];
  return printable(parts.filter((part) => part !== undefined).join("  ")); // a path is text of the caller
}
