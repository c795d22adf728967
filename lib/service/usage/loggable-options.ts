// What the capture log says of a requested capture: redacted and truncated, nothing of it is secret.
import { type CaptureOptions, isSecret } from "../../contract/options/capture-options.ts";
import type { Caller } from "../account/account.ts";

export interface LoggedRequest {
  readonly caller: Caller;
  readonly source_ip: string;
  readonly url: string;
  readonly format: string;
  readonly options: Readonly<Record<string, unknown>>;
}

interface LoggableRequest extends Pick<LoggedRequest, "caller"> {
  readonly sourceIp: string;
  readonly options: Pick<CaptureOptions, "url" | "format">;
  readonly rawOptions: Readonly<Record<string, unknown>>;
}

/** A requested capture as it is logged: without secrets and passwords. */
export function loggedRequest({ caller, sourceIp, options, rawOptions }: LoggableRequest): LoggedRequest {
  return {
    caller,
    source_ip: sourceIp,
    url: redactPassword(options.url ?? "").toWellFormed(),
    format: options.format,
    options: loggableOptions(rawOptions),
  };
}

const MAX_LOGGED_CHARACTERS = 1_000;

/** Scan more than is kept, so that a password at the cut is recognised. */
const MAX_SCANNED_CHARACTERS = 4_000;

/**
 * Returns raw options with secrets and passwords in URLs redacted. Long text is truncated and its length noted: `html`
 * can have millions of characters, a DynamoDB item 400 KB.
 */
export function loggableOptions(rawOptions: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(rawOptions).map(([name, value]) => [name, isSecret(name) ? "REDACTED" : toLoggable(value)]),
  );
}

/** Redacts the password of a URL. Returns other text unchanged. */
export function redactPassword(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed?.password) return url;
  parsed.password = "REDACTED";
  return parsed.href;
}

function toLoggable(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 100).map(toLoggable);
  if (typeof value !== "string") return value;
  // DynamoDB rejects lone surrogates, which JSON can contain and truncation can create.
  const redacted = redactPasswords(redactPassword(value.slice(0, MAX_SCANNED_CHARACTERS))).toWellFormed();
  return redacted.length > MAX_LOGGED_CHARACTERS || value.length > MAX_SCANNED_CHARACTERS
    ? `${redacted.slice(0, MAX_LOGGED_CHARACTERS).toWellFormed()}... (${value.length} characters in total)`
    : redacted;
}

/** Redacts passwords of URLs within longer text: JSON lists, style sheets, scripts. */
function redactPasswords(text: string): string {
  return text.replace(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"'<>]{0,300}:)[^\s/"'<>]{1,2000}@/gi, "$1REDACTED@");
}
