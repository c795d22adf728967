// A line of a function's or engine's log: what it says, which filters match it, and how a person reads it.

export type LogFields = Readonly<Record<string, unknown>>;

export interface LogLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The function or engine that wrote it. */
  readonly source: string;
  /** As it was written. */
  readonly text: string;
  /** Undefined for a line that is not JSON. */
  readonly json: LogFields | undefined;
}

export interface LogFilter {
  /** Ids of requests and jobs: a line must have at least one of them. Undefined for all lines. */
  readonly ids?: ReadonlySet<string> | undefined;
  /** The account that a line must have. */
  readonly account?: string | undefined;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Milliseconds since 1970. @default now */
  readonly until?: number;
}

/** Reads a log from where the last call has ended. */
export interface LogReader {
  /** The lines that match, oldest first. */
  read(filter: LogFilter): Promise<LogLine[]>;
  /** Milliseconds between two calls of a reader that follows the log. */
  readonly pollMs: number;
}

/** The fields that have the id of a request: an asynchronous capture has it as its job, one with `outputs` as its group. */
export const ID_FIELDS = ["request_id", "job_id", "group_id"] as const;

/** Parses a line that may begin with its time. `at` is the time of a line that has none. */
export function parseLine(source: string, text: string, at = 0): LogLine {
  const json = parseJson(text);
  const { timestamp, time, _aws } = json ?? {};
  const named = timestamp ?? time ?? /^\d{4}-\d\d-\d\dT[\d:.]+Z(?= )/.exec(text)?.[0];
  const own = (_aws as { Timestamp?: number } | undefined)?.Timestamp ?? Date.parse(String(named));
  return { at: Number.isFinite(own) ? own : at, source, text, json };
}

function parseJson(text: string): LogFields | undefined {
  try {
    return text.startsWith("{") ? JSON.parse(text) : undefined;
  } catch {
    return undefined; // an incomplete line of a process that was killed
  }
}

export function matches(line: LogLine, { ids, account, since, until = Infinity }: LogFilter): boolean {
  if (line.at < since || line.at > until) return false;
  const fields = fieldsOf(line);
  return (
    (account === undefined || String(fields["account_id"]) === account) &&
    (ids === undefined || ID_FIELDS.some((name) => ids.has(String(fields[name]))))
  );
}

/** The ids of a line about a request: its captures have ids of their own, with which the renderer logs. */
export function idsOf(line: LogLine): string[] {
  const fields = fieldsOf(line);
  return ID_FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [String(fields[name])]));
}

/** An event has its fields in `message`, metrics have them at the top. */
export function fieldsOf({ json }: Pick<LogLine, "json">): LogFields {
  const message = json?.["message"];
  return typeof message === "object" && message !== null ? (message as LogFields) : (json ?? {});
}

/** The fields that are shown first, in this order. */
const FIRST = ["request_id", "job_id", "group_id", "account_id", "host", "status", "code", "blame", "milliseconds"];
/** The fields of the runtime, and those that the start of the line shows. */
const HIDDEN = new Set(["_aws", "service", "event", "timestamp", "time", "level", "requestId"]);

/** One line with time, source, and its content, without characters that control a terminal. */
export function formatLine(line: LogLine): string {
  return `${new Date(line.at).toISOString()} ${shortSource(line.source)} ${formatContent(line)}`.trimEnd();
}

/** The level, the event, and the fields as `name=value`; of a line that is not JSON, the text. */
export function formatContent({ json, text }: LogLine): string {
  if (!json) return printable(text.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z /, ""));
  const { level, message } = json;
  const fields = fieldsOf({ json });
  const names = Object.keys(fields).filter((name) => !HIDDEN.has(name) && name !== "message" && isShown(name, fields));
  const ordered = [...FIRST.filter((name) => names.includes(name)), ...names.filter((name) => !FIRST.includes(name))];
  const parts = [
    level === undefined || level === "INFO" ? undefined : String(level),
    typeof message === "string" ? printable(message) : printable(eventOf(json, fields)),
    ...ordered.map((name) => `${printable(name)}=${formatValue(fields[name])}`),
  ];
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

/** What happened: the event, `capture` for the metrics of a capture, or `metrics`. */
function eventOf({ _aws, type }: LogFields, { event, Captures }: LogFields): string {
  if (event !== undefined) return String(event);
  if (_aws !== undefined) return Captures === undefined ? "metrics" : "capture";
  return String(type ?? "");
}

/** Of the metrics of a capture, those that its other fields don't say. */
function isShown(name: string, { Captures, [name]: value }: LogFields): boolean {
  if (value === null || value === undefined) return false;
  if (Captures === undefined || !/^[A-Z]/.test(name)) return true;
  return value !== 0 && ["CacheHits", "ColdStarts"].includes(name);
}

/** An error without its stack, but with its causes. */
function formatValue(value: unknown): string {
  if (typeof value === "object" && value !== null) {
    const { name = "Error", message, cause } = value as { name?: string; message?: string; cause?: unknown };
    if (message === undefined) return quoted(JSON.stringify(value));
    return `${quoted(`${name}: ${message}`)}${cause === undefined ? "" : ` caused by ${formatValue(cause)}`}`;
  }
  return quoted(String(value));
}

/** A text that is more than a word is in quotation marks. */
function quoted(text: string): string {
  return /^[\w.:/@+-]+$/.test(text) ? text : `"${printable(text.replaceAll('"', '\\"'))}"`;
}

/** With escapes for what controls a terminal or changes the direction of text (CWE-117, CVE-2021-42574). */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** `Screenshot` of `screen-capture-local-service-Screenshot81931DF7` or of its log group. */
export function shortSource(source: string): string {
  return /^screen-capture-.*-(\w+?)(?:Log)?[0-9A-F]{8}(?:-\w+)?$/.exec(source)?.[1] ?? source;
}
