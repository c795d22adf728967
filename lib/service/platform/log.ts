// Structured logging: one object per event, which Lambda's runtime writes as one line of JSON with time, level, and its
// request id. CloudWatch Logs Insights finds the fields as `message.event`, `message.status`, and so on.
// https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html#nodejs-logging-advanced
import { type Fields, logContext } from "./log-context.ts";

declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as `text`; TypeScript lacks it. https://tc39.es/proposal-json-parse-with-source/ */
    rawJSON(text: string): unknown;
  }
}

/** Logs an event. Fields must not contain secrets: redact values where they enter. */
export function logInfo(event: string, fields: Fields = {}): void {
  console.log(toEntry(event, fields));
}

/** Logs what the service has coped with, but an operator should know of. Fields must not contain secrets. */
export function logWarning(event: string, fields: Fields = {}): void {
  console.warn(toEntry(event, fields));
}

/** Logs an error that an operator should look at, with its causes. */
export function logError(event: string, error: unknown, fields: Fields = {}): void {
  console.error({ ...toEntry(event, fields), error: describeError(error) });
}

function toEntry(event: string, fields: Fields): Record<string, unknown> {
  const entries = Object.entries({ event, ...logContext(), ...fields });
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? toLoggableText(value) : value]),
  );
}

/** CloudWatch cuts a log event at 256 KB, which breaks its JSON. */
const MAX_TEXT = 8_000;

/**
 * A text that the runtime's `JSON.stringify` writes with escapes for the characters of callers and pages that JSON allows but
 * that end a line for some readers, control a terminal, or change the direction of text (CWE-117, CVE-2021-42574).
 */
function toLoggableText(text: string): unknown {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  const json = JSON.stringify(short);
  const escaped = json.replace(/[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu, escapeCharacter);
  return escaped === json ? short : JSON.rawJSON(escaped);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Limits circular causes. */
const MAX_CAUSES = 8;

function describeError(error: unknown, causes = 0): unknown {
  if (!(error instanceof Error)) return toLoggableText(String(error));
  const { name, message, stack, cause } = error;
  const hasLoggedCause = cause !== undefined && causes < MAX_CAUSES;
  return {
    name: toLoggableText(name),
    message: toLoggableText(message),
    stack: stack && toLoggableText(stack),
    ...(hasLoggedCause && { cause: describeError(cause, causes + 1) }),
  };
}
