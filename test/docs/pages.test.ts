// The documentation as files: a short README, links that lead somewhere, and no page that nothing leads to.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { docPages } from "../../lib/site/docs/doc-pages.ts";
import { renderDocument } from "../../lib/site/docs/render-markdown.ts";
import { anchorsOf, codeBlocks, documentationPages, linksOf } from "../support/documentation.ts";
import { canRun, skipWithout } from "../support/runtimes.ts";

const project = resolve(import.meta.dirname, "../..");
const pages = documentationPages();
const byPath = new Map(pages.map((page) => [page.path, page]));

/** The links within the project, as paths from its root with their anchors. */
const internalLinks = (path: string) =>
  linksOf(byPath.get(path) ?? { path, text: "" })
    .filter((target) => !/^\w+:/.test(target))
    .map((target) => {
      const [file = "", anchor] = target.split("#");
      return { target, file: file === "" ? path : normalize(join(dirname(path), file)), anchor };
    });

const anchors = new Map<string, ReadonlySet<string>>();

/** The anchors of a page; none for another file. */
function anchorsIn(file: string): ReadonlySet<string> {
  const page = byPath.get(file);
  const found = anchors.get(file) ?? new Set(page && anchorsOf(page));
  anchors.set(file, found);
  return found;
}

test("the README has at most 250 lines", () => {
  expect(byPath.get("README.md")?.text.split("\n").length).toBeLessThanOrEqual(250);
});

describe("every link leads to a file, and to a heading of it:", () => {
  test.each(pages.map(({ path }) => path))("%s", (path) => {
    const broken = internalLinks(path).filter(({ file, anchor }) => {
      return !existsSync(join(project, file)) || (anchor !== undefined && !anchorsIn(file).has(anchor));
    });
    expect(broken.map(({ target }) => target)).toEqual([]);
  });
});

test("the README leads to every page, directly or through others", () => {
  const reached = new Set(["README.md"]);
  for (const path of reached) {
    for (const { file } of internalLinks(path)) if (byPath.has(file)) reached.add(file);
  }
  const templates = (path: string) => path.startsWith(".github/");
  expect(pages.map(({ path }) => path).filter((path) => !reached.has(path) && !templates(path))).toEqual([]);
});

test("the README and the page Compare state the same times", () => {
  const times = (path: string) => {
    const rows = [...(byPath.get(path)?.text ?? "").matchAll(/^\| ([^|]+) \| ([\d,]+ ms) \| ([\d,]+ ms) \|/gm)];
    return rows.map(([, ...cells]) => cells);
  };
  expect(times("README.md").length).toBeGreaterThan(5);
  expect(times("docs/compare.md")).toEqual(times("README.md"));
});

/** Pages whose code needs an application of another framework, or .NET. */
const integrations = [
  "docs/guide/csharp.md",
  "docs/guide/laravel.md",
  "docs/guide/nextjs.md",
  "docs/guide/wordpress.md",
];

test("only blocks of commands, those of integrations, and C# are marked as not run", () => {
  const marked = pages.flatMap(codeBlocks).filter(({ notRun }) => notRun !== undefined);
  const unrun = [...integrations, "docs/guide/csharp.md"];
  const others = marked.filter(({ language, page }) => language !== "sh" && !unrun.includes(page));
  expect(others.map(({ page, notRun }) => [page, notRun])).toEqual([["docs/guide/python.md", "needs httpx"]]);
  const marks = pages.flatMap(({ text }) => [...text.matchAll(/^<!-- not run: /gm)]);
  expect(marks).toHaveLength(marked.length);
});

test.each(integrations)("%s: all of its code is marked as not run, and the page says so", (path) => {
  const page = byPath.get(path) ?? { path, text: "" };
  const code = codeBlocks(page).filter(({ language }) => language !== "");
  expect(code.length).toBeGreaterThan(2);
  expect(code.filter(({ notRun }) => notRun === undefined)).toEqual([]);
  expect(page.text.replaceAll(/\s+/g, " ")).toContain("they don't run it");
});

test("integrations: PHP reads the code of their pages", (context) => {
  skipWithout(canRun("php", ["--version"]), context, "the PHP of the integrations", "php");
  const blocks = integrations.flatMap((path) => codeBlocks(byPath.get(path) ?? { path, text: "" }));
  const programs = blocks.filter(({ language }) => language === "php");
  expect(programs.length).toBeGreaterThan(5);
  for (const { code } of programs) execFileSync("php", ["-l"], { input: code, stdio: "pipe" }); // throws for an error of syntax
});

describe("every table has all of its rows on the website:", () => {
  const shown = docPages.flatMap(({ file }) => file ?? []);
  const withoutCode = (path: string) => readFileSync(join(project, path), "utf8").replaceAll(/```[\s\S]*?```/g, "");
  const all = [...new Set([...pages.map(({ path }) => path), ...shown])];
  test.each(all.filter((path) => /^ *\|/m.test(withoutCode(path))))("%s", (path) => {
    const text = withoutCode(path);
    const starts = [...text.matchAll(/^\|(?: ?:?-+:? ?\|)+$/gm)].length;
    const rows = [...text.matchAll(/^\|.*\|$/gm)].length - starts;
    const { html } = renderDocument(path, text);
    expect([html.match(/<table>/g)?.length ?? 0, html.match(/<tr>/g)?.length ?? 0]).toEqual([starts, rows]);
  });
});

test("no row of a table continues on a line without bars", () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/^\|[^\n]*[^|\n]\n(?=[^\n|]*\|$)/gm)].map(
      ([line]) => `${path}: ${line}`,
    ),
  );
  expect(broken).toEqual([]);
});

test("the paths that the architecture names exist", () => {
  const paths = [
    ...(byPath.get("docs/architecture.md")?.text ?? "").matchAll(/`((?:bin|functions|layers|lib|test)\/[\w./-]+)`/g),
  ];
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.map(([, path = ""]) => path).filter((path) => !existsSync(join(project, path)))).toEqual([]);
});
