// The index of the search: options, error codes, operations of the API, and the sections of every page.
import { type ErrorKind, errorKinds } from "../../contract/errors/error-kinds.ts";
import { optionReference } from "../../contract/options/option-reference.ts";
import { apiOperations } from "./api-operations.ts";
import type { DocPage } from "./doc-pages.ts";
import type { RenderedMarkdown } from "./render-markdown.ts";

/** Path with anchor, title of the page, title of the section, and text. The script of the search reads them. */
export type SearchEntry = readonly [path: string, page: string, title: string, text: string];

/** Characters of a text; the rest of a long section rarely has another subject. */
const MAX_TEXT_CHARACTERS = 600;

/** Pages that have entries of their own, and the list of packages, whose words would only be noise. */
const pagesOfEntries = ["/docs/reference/options", "/docs/errors", "/docs/reference/api", "/docs/third-party"];

export function searchIndex(documents: readonly { page: DocPage; rendered: RenderedMarkdown }[]): SearchEntry[] {
  const options = optionReference().flatMap(({ options: group }) =>
    group.map(({ name, description }) =>
      entry(`/docs/reference/options#${name}`, "Options", name, plainText(description)),
    ),
  );
  const errors = Object.entries(errorKinds as Readonly<Record<string, ErrorKind>>).map(([code, { meaning }]) =>
    entry(`/docs/errors#${code}`, "Error codes", code, plainText(meaning)),
  );
  const operations = apiOperations.map(({ id, summary, method, path, description = "" }) =>
    entry(`/docs/reference/api#${id}`, "API", summary, `${method} ${path}. ${plainText(description)}`),
  );
  const sections = documents.flatMap(({ page, rendered }) =>
    rendered.sections
      .filter(({ id }) => id === "" || !pagesOfEntries.includes(page.path))
      .map(({ id, title, text }) => entry(id === "" ? page.path : `${page.path}#${id}`, rendered.title, title, text)),
  );
  return [...options, ...errors, ...operations, ...sections];
}

const entry = (path: string, page: string, title: string, text: string): SearchEntry => [
  path,
  page,
  title,
  text.slice(0, MAX_TEXT_CHARACTERS),
];

/** Descriptions are Markdown with code, links, and lists only. */
const plainText = (markdown: string) => markdown.replaceAll("`", "").replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1");
