// What the search finds: a section of a page, an option, an error code, an operation, or something of the caller's account.

/** The kinds of results in the order in which equally good ones are shown. */
export const searchKinds = [
  "screen",
  "key",
  "capture",
  "page",
  "guide",
  "client",
  "option",
  "error",
  "api",
  "reference",
  "changelog",
  "operator",
] as const;

export type SearchKind = (typeof searchKinds)[number];

export interface SearchDocument {
  readonly kind: SearchKind;
  /** Below the base URL, with the anchor of a section: `/docs/guide/pdf#large-tables`. */
  readonly path: string;
  /** Title of the page. */
  readonly page: string;
  /** Title of the section; empty for the beginning of a page. */
  readonly title: string;
  /** The text as runs: prose at even indices, code at odd ones. */
  readonly runs: readonly string[];
  /** Words that lead here without being shown. */
  readonly keywords?: string;
}
