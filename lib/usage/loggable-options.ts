// Options as they may be kept in a log.
import { isSecret } from "../options/capture-options.ts";

const KEPT_CHARACTERS = 1_000;

/** More than is kept, so that no password is kept by half because its end was not seen. */
const READ_CHARACTERS = 4_000;

/**
 * Options as they were sent, fit to be kept: secrets and passwords in addresses are replaced, and long text (`html` can have
 * millions of characters, an item of the table 400 KB) is cut with its length noted.
 */
export function loggableOptions(sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, isSecret(name) ? "REDACTED" : loggable(value)]),
  );
}

/** An address without its password. Text that is no address is returned as it is. */
export function redactPassword(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed?.password) return url;
  parsed.password = "REDACTED";
  return parsed.href;
}

function loggable(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 100).map(loggable);
  if (typeof value !== "string") return value;
  // The table refuses halves of characters, which JSON may hold and a cut may leave.
  const safe = withoutPasswords(redactPassword(value.slice(0, READ_CHARACTERS))).toWellFormed();
  return safe.length > KEPT_CHARACTERS || value.length > READ_CHARACTERS
    ? `${safe.slice(0, KEPT_CHARACTERS).toWellFormed()}... (${value.length} characters in total)`
    : safe;
}

/** A list as JSON text, a style sheet and a script can hold addresses, too. */
function withoutPasswords(text: string): string {
  return text.replace(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"'<>]{0,300}:)[^\s/"'<>]{1,2000}@/gi, "$1REDACTED@");
}
