// The documents of the search: every section of every page, options, error codes, operations of the API, and further pages.
import { errorFixes } from "../../contract/errors/error-fixes.ts";
import { type ErrorCode, type ErrorKind, errorKinds } from "../../contract/errors/error-kinds.ts";
import { allowedValues } from "../../contract/options/allowed-values.ts";
import { optionReference } from "../../contract/options/option-reference.ts";
import { otherNames } from "../../contract/options/other-service-names.ts";
import type { SearchDocument, SearchKind } from "../web/search/search-document.ts";
import { apiOperations } from "./api-operations.ts";
import { bookOf, type DocPage, sectionTitle } from "./doc-pages.ts";
import { markdownRuns, type PageText } from "./render-markdown.ts";

/** Pages whose parts are documents of their own, and the list of packages, whose words would only be noise. */
const pagesOfEntries = ["/docs/reference/options", "/docs/errors", "/docs/reference/api", "/docs/third-party"];

export function searchDocuments(
  documents: readonly { readonly page: DocPage; readonly rendered: PageText }[],
  further: readonly SearchDocument[] = furtherPages,
): SearchDocument[] {
  const sections = documents.flatMap(({ page, rendered }) =>
    rendered.sections
      .filter(({ id }) => id === "" || !pagesOfEntries.includes(page.path))
      .map(
        ({ id, title, runs }): SearchDocument => ({
          kind: kindOf(page),
          path: pathOf(page, id),
          page: rendered.title,
          title,
          runs: pagesOfEntries.includes(page.path) ? [rendered.lead] : runs,
          ...withKeywords(pathOf(page, id)),
        }),
      ),
  );
  return [...further, ...sections, ...optionDocuments(), ...errorDocuments(), ...operationDocuments()];
}

const pathOf = ({ path }: DocPage, id: string) => (id === "" ? path : `${path}#${id}`);

function withKeywords(path: string): Pick<SearchDocument, "keywords"> {
  const keywords = searchKeywords[path];
  return keywords === undefined ? {} : { keywords };
}

/** Words for the subject of a page or section that its text rarely says, or that every text says. */
export const searchKeywords: Readonly<Record<string, string>> = {
  "/docs": "screenshot example tutorial getting started first request",
  "/docs/guide/images": "screenshot picture photo snapshot",
  "/docs/guide/problems": "wrong incomplete quality verdict",
  "/docs/guide/troubleshooting": "troubleshoot broken wrong empty fix debug",
  "/docs/guide/troubleshooting#blurred": "blurry pixelated low resolution unsharp",
  "/docs/guide/troubleshooting#old": "outdated stale cached same picture",
  "/docs/guide/troubleshooting#slow": "takes too long timeout hangs",
  "/docs/guide/troubleshooting#blocked": "captcha bot protection access denied",
  "/docs/guide/support": "contact help ask e-mail outage",
  "/docs/guide/subscription": "cancel unsubscribe refund upgrade downgrade billing invoice payment",
  "/docs/guide/invalid-key": "invalid api key unauthorized 401 403 forbidden authentication failed",
  "/docs/guide/costs": "price billed charged credits usage free",
  "/docs/guide/limits-first": "too many requests 429 rate quota concurrency throttled",
  "/docs/guide/full-page": "screenshot whole entire long scrolling lazy loading missing images height",
  "/docs/guide/pdf": "html to pdf print document",
  "/docs/guide/clean-pages": "screenshot without ads popups cookie banners",
  "/docs/guide/dashboard#signing-in": "log in login password two factor 2fa sign up",
  "/docs/guide/visitors#headers-cookies-and-credentials": "log in login logged in session authentication",
  "/docs/guide/zapier": "no-code automation integration zap",
  "/docs/guide/make": "no-code automation integration integromat",
  "/docs/guide/n8n": "no-code automation integration workflow",
  "/docs/guide/wordpress": "plugin shortcode integration",
  "/docs/reference/limits": "max file size megabytes",
  "/docs/reference/plans": "price pricing cost quota",
};

/** Pages that are not part of the documentation. */
export const furtherPages: readonly SearchDocument[] = [
  {
    kind: "page",
    path: "/pricing",
    page: "Pricing",
    title: "",
    runs: ["What each plan costs and includes, with a calculator for your number of captures."],
    keywords: "plans price cost fee free trial quota subscription billing",
  },
  {
    kind: "page",
    path: "/playground",
    page: "Playground",
    title: "",
    runs: ["Try every option in the browser, look at the result, and copy the code."],
    keywords: "try test online demo console sandbox",
  },
];

/** The sections of the customers' book whose pages say the same in each language or tool. */
const clientSections = ["Tools", "Integrations"];

/** The beginnings of the paths of each kind of the customers' book; its other pages are guides. */
const kindPaths: readonly (readonly [path: string, kind: SearchKind])[] = [
  ["/docs/reference/", "reference"],
  ["/docs/errors", "reference"],
  ["/docs/changelog", "changelog"],
];

function kindOf(page: DocPage): SearchKind {
  if (bookOf(page).name === "operate") return "operator";
  if (clientSections.includes(sectionTitle(page))) return "client";
  return kindPaths.find(([start]) => page.path.startsWith(start))?.[1] ?? "guide";
}

function optionDocuments(): SearchDocument[] {
  return optionReference().flatMap(({ options }) =>
    options.map(({ name, description, jsonSchema }) => ({
      kind: "option",
      path: `/docs/reference/options#${name}`,
      page: "Options",
      title: name,
      runs: markdownRuns(`${description} Values: ${allowedValues(jsonSchema)}.${otherNamesText(name)}`),
    })),
  );
}

/**
 * What other services call an option, so that people who come from one find it: each name as one word, because its parts, such as `width`,
 * are words of many texts. Empty without such a name.
 */
function otherNamesText(option: string): string {
  const names = otherNames.filter(([, ours]) => ours === option).map(([name]) => name.replaceAll("_", ""));
  const telling = names.filter((name) => name.length >= MIN_TELLING_NAME);
  return telling.length === 0 ? "" : ` Elsewhere: \`${telling.join("`, `")}\`.`;
}

/** Shorter names are words of the language, such as `quality` or `download`. */
const MIN_TELLING_NAME = 9;

function errorDocuments(): SearchDocument[] {
  return Object.entries(errorKinds as Readonly<Record<string, ErrorKind>>).map(([code, { status, meaning }]) => ({
    kind: "error",
    path: `/docs/errors#${code}`,
    page: "Error codes",
    title: code,
    runs: markdownRuns(`${meaning} ${errorFixes[code as ErrorCode]} Status ${status}.`),
  }));
}

function operationDocuments(): SearchDocument[] {
  return apiOperations.map(({ id, summary, method, path, description = "" }) => ({
    kind: "api",
    path: `/docs/reference/api#${id}`,
    page: "API",
    title: summary,
    runs: markdownRuns(`\`${method} ${path}\` ${description}`),
  }));
}
