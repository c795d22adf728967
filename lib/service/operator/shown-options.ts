// The options of a capture as the operator sees them: without what customers send in confidence.
import type { CaptureOptions } from "../../contract/options/capture-options.ts";

/** Options that are, or contain, a customer's page. */
const CONTENT: readonly (keyof CaptureOptions)[] = [
  "html",
  "markdown",
  "markdown_css",
  "scripts",
  "styles",
  "pdf_header_template",
  "pdf_footer_template",
];

const REDACTED = "REDACTED";

/** Logged options, whose secrets are redacted, without the content of pages, and without the queries and fragments of addresses, which can have tokens. */
export function shownOptions(logged: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(logged).map(([name, value]) => [name, isContent(name) ? REDACTED : withoutQueries(value)]),
  );
}

function isContent(name: string): boolean {
  return CONTENT.some((each) => each === name);
}

function withoutQueries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutQueries);
  if (typeof value !== "string" || !URL.canParse(value)) return value;
  const [start = ""] = value.split(/[?#]/, 1);
  return start === value ? value : `${start}?${REDACTED}`;
}
