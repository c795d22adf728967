// Structured log lines, one JSON object each, on standard output.

export type Fields = Readonly<Record<string, unknown>>;

/** Logs an event. Fields must not contain secrets: redact values where they enter. */
export function logInfo(message: string, fields: Fields = {}): void {
  console.log(toLine({ level: "INFO", message, ...fields }));
}

/** Logs an error that an operator should look at, with its causes. */
export function logError(message: string, error: unknown, fields: Fields = {}): void {
  console.error(toLine({ level: "ERROR", message, ...fields, error: describeError(error) }));
}

/** CloudWatch cuts a log event at 256 KB, which breaks its JSON. */
const MAX_TEXT = 8_000;

/**
 * One line of JSON. Escapes characters of callers and pages that JSON allows but that end a line for some readers, control a
 * terminal or change the direction of text (CWE-117, CVE-2021-42574).
 */
function toLine(fields: Fields): string {
  const json = JSON.stringify(fields, (_, value) =>
    typeof value === "string" && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value,
  );
  return json.replace(/[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Limits circular causes. */
const MAX_CAUSES = 8;

function describeError(error: unknown, causes = 0): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const hasLoggedCause = cause !== undefined && causes < MAX_CAUSES;
  return { name, message, stack, ...(hasLoggedCause && { cause: describeError(cause, causes + 1) }) };
}
