// Bounds the texts of a page that its records keep.
import { withoutCredentials } from "../errors/target-report.ts";

const MAX_URL_LENGTH = 2_000;

/** A URL without credentials, at most 2,000 characters long. */
export function cleanUrl(url: string): string {
  return truncate(withoutCredentials(url), MAX_URL_LENGTH);
}

/** Characters of an address in a problem, or in a report. */
const MAX_ADDRESS_LENGTH = 300;

/** A URL without credentials, and without its query and fragment, which may be secret; `data:` alone for its data. */
export function addressWithoutQuery(url: string): string {
  if (url.startsWith("data:")) return "data:";
  const [address = ""] = withoutCredentials(url).split(/[?#]/, 1);
  return truncate(address, MAX_ADDRESS_LENGTH);
}

/** A text whose addresses are without them. */
export function textWithoutQueries(text: string): string {
  return text.replace(/\bhttps?:\/\/[^\s"'<>)]+/g, addressWithoutQuery);
}

/** `text` as well-formed Unicode; one longer than `maxLength` ends in `…`. */
export function truncate(text: string, maxLength: number): string {
  return (text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text).toWellFormed();
}
