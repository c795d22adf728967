// The two books of the documentation: the customers' speaks of what a customer of a running service has and can do.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { apiArticle } from "../../lib/site/docs/api-page.ts";
import { bookOf, books, CHANGELOG_PATH, type DocPage, docPages } from "../../lib/site/docs/doc-pages.ts";
import { errorsArticle } from "../../lib/site/docs/error-page.ts";
import { optionsArticle } from "../../lib/site/docs/option-pages.ts";
import { renderDocument } from "../../lib/site/docs/render-markdown.ts";

const project = resolve(import.meta.dirname, "../..");
/** What needs the source of the service. */
const sourceWords = /\bnpm (?:run|start|ci|test)\b|\bcdk\b/i;
/** What the service is made of. In code, these words are the reader's own. */
const partWords = /\bLambda\b|\bfunctions?\b|\bstages?\b/i;

/** The article of a page as HTML; of the changelog, without what it marks as operation. */
function articleOf({ path, file }: DocPage): string {
  if (path === "/docs/reference/api") return apiArticle().body.text;
  if (path === "/docs/reference/options") return optionsArticle(new Map()).body.text;
  if (path === "/docs/errors") return errorsArticle().body.text;
  const text = readFileSync(join(project, file ?? ""), "utf8");
  const shown = path === CHANGELOG_PATH ? text.replaceAll(/^- \[Operation\] .*\n(?: {2}.*\n)*/gm, "") : text;
  return renderDocument(file ?? "", shown).html;
}

/** The lines in the book's pages that have such a word. */
function operatorsLines(name: "use" | "operate"): string[] {
  return docPages
    .filter((page) => bookOf(page).name === name)
    .flatMap((page) => {
      const article = articleOf(page);
      const prose = article.replaceAll(/<pre[\s\S]*?<\/pre>/g, "").replaceAll(/<code[\s\S]*?<\/code>/g, "");
      const found = [...linesWith(sourceWords, article), ...linesWith(partWords, prose)];
      return found.map((line) => `${page.path}: ${line.trim()}`);
    });
}

const linesWith = (words: RegExp, html: string): string[] =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .split("\n")
    .filter((line) => words.test(line));

test("the customers' book needs no source of the service, and names none of its parts", () => {
  expect(operatorsLines("operate").length).toBeGreaterThan(20);
  expect(operatorsLines("use")).toEqual([]);
});

test("the customers' book begins with the key", () => {
  const quickStart = readFileSync(join(project, books[0]?.sections[0]?.pages[0]?.file ?? ""), "utf8");
  expect(quickStart.match(/^## .*$/m)?.[0]).toBe("## Get your key");
});

test("each page is in one book", () => {
  expect(new Set(docPages.map(({ path }) => path)).size).toBe(docPages.length);
});

test("every sample names one variable for the key", () => {
  const texts = docPages.flatMap(({ file }) => (file === undefined ? [] : readFileSync(join(project, file), "utf8")));
  expect(texts.join("\n").match(/Bearer \$SCREEN_CAPTURE_KEY/g)?.length).toBeGreaterThan(30);
  expect(texts.join("\n").match(/Bearer \$(?!SCREEN_CAPTURE_KEY|METRICS_TOKEN|\{)\w*/g)).toBe(null);
});
