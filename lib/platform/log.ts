// Structured log lines, one JSON object each, on standard output.

export type Fields = Readonly<Record<string, unknown>>;

/** Something worth counting or looking up. Fields must be free of secrets: redact where a value enters. */
export function logInfo(message: string, fields: Fields = {}): void {
  console.log(lineOf({ level: "INFO", message, ...fields }));
}

/** Something an operator should look at, with the error and what caused it. */
export function logError(message: string, error: unknown, fields: Fields = {}): void {
  console.error(lineOf({ level: "ERROR", message, ...fields, error: described(error) }));
}

/** A log event of CloudWatch ends at 256 KB, and what is cut there is no JSON any more. */
const MAX_TEXT = 8_000;

/**
 * One line of JSON, whatever callers and pages have put into the fields. JSON itself may hold what some readers take for
 * the end of a line, what a terminal obeys, and what turns the direction of text (CWE-117, CVE-2021-42574).
 */
function lineOf(fields: Fields): string {
  const json = JSON.stringify(fields, (_, value) =>
    typeof value === "string" && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value,
  );
  return json.replace(/[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** More causes than any error has; one that leads back to itself would have no end. */
const MAX_CAUSES = 8;

function described(error: unknown, causes = 0): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const isTold = cause !== undefined && causes < MAX_CAUSES;
  return { name, message, stack, ...(isTold && { cause: described(cause, causes + 1) }) };
}
