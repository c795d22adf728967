// Bounds the texts of a page that its records keep.
import { withoutCredentials } from "../errors/target-report.ts";

const MAX_URL_LENGTH = 2_000;

/** A URL without credentials, at most 2,000 characters long. */
export function cleanUrl(url: string): string {
  return truncate(withoutCredentials(url), MAX_URL_LENGTH);
}

/** `text` as well-formed Unicode; one longer than `maxLength` ends in `…`. */
export function truncate(text: string, maxLength: number): string {
  return (text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text).toWellFormed();
}
