// The target of a capture in errors: its final URL without credentials, its HTTP status and Chromium's network error.

import type { TargetReport } from "../../contract/errors/api-error.ts";

/** The target of a failed capture: its URL without credentials, truncated. */
export function targetReport(
  url: string | null,
  netError: string | null = null,
  status: number | null = null,
): TargetReport {
  const finalUrl = url && withoutCredentials(url).slice(0, MAX_URL_CHARACTERS).toWellFormed();
  return { http_status_code: status, net_error: netError, final_url: finalUrl };
}

/** A page can navigate to a URL of two million characters; a DynamoDB item with the failure holds 400 KB. */
const MAX_URL_CHARACTERS = 4_000;

/** The URL without user name and password. */
export function withoutCredentials(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed?.username && !parsed?.password) return url;
  parsed.username = "";
  parsed.password = "";
  return parsed.href;
}

/** The host of a URL, or the URL itself when it does not parse; for messages. */
export function hostName(url: string): string {
  return truncateReport(URL.parse(url)?.host ?? url);
}

/** The text cut to 200 characters, for messages. */
export function truncateReport(text: string): string {
  return text.length > 200 ? `${text.slice(0, 197)}...` : text;
}

/** A selector in quotes, cut to 100 characters, for what a step waits for. */
export function quote(selector: string): string {
  return `'${selector.length > 100 ? `${selector.slice(0, 97)}...` : selector}'`;
}
