// The two books of the documentation: the customers' speaks of what a customer of a running service has and can do.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { bookOf, books, docPages } from "../../lib/site/docs/doc-pages.ts";

const project = resolve(import.meta.dirname, "../..");
/** What needs the source of the service. */
const operatorsWords = /\bnpm (?:run|start|ci|test)\b|\bcdk\b/;

/** The lines of the book's pages that need the source of the service; its changelog tells of both readers' changes. */
function operatorsLines(name: "use" | "operate"): string[] {
  const files = docPages.filter((page) => bookOf(page).name === name).flatMap(({ file }) => file ?? []);
  return files
    .filter((file) => file !== "CHANGELOG.md")
    .flatMap((file) => {
      const lines = readFileSync(join(project, file), "utf8").split("\n");
      return lines.filter((line) => operatorsWords.test(line)).map((line) => `${file}: ${line}`);
    });
}

test("the customers' book needs no source of the service", () => {
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
