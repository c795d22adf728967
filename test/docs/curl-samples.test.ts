// Every curl command of the documentation and of the website ends in a message when the request fails, not in a broken file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openapiDocument } from "../../lib/service/openapi/document.ts";
import { codeBlocks, documentationPages } from "../support/documentation.ts";

const project = join(import.meta.dirname, "../..");

/** The commands in a text that start curl: at the start of a line, or after what may stand before a command in a shell. */
const curlCommands = (text: string) => text.match(/(?:^|[|;&(`]|\bthen|\bdo)[ \t]*curl [^\n]*/gm) ?? [];
const unsafe = (text: string) => curlCommands(text).filter((command) => !command.includes("curl --fail-with-body "));

test("curl samples: those of README and of every page say why they failed", () => {
  const pages = [
    ...documentationPages(),
    { path: "docs/sample.md", text: readFileSync(join(project, "docs/sample.md"), "utf8") },
  ];
  const blocks = pages.flatMap(codeBlocks);
  expect(blocks.flatMap(({ code }) => curlCommands(code)).length).toBeGreaterThan(50);
  expect(blocks.flatMap(({ page, code }) => unsafe(code).map((command) => `${page}: ${command}`))).toEqual([]);
});

test("curl samples: those of the OpenAPI document, the website, and the start do, too", () => {
  const document = JSON.stringify(openapiDocument("http://127.0.0.1:3000"));
  const samples = [...document.matchAll(/"source":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => JSON.parse(`"${text}"`));
  const generated = [
    "lib/site/landing/hero.ts",
    "lib/site/docs/api-operations.ts",
    "lib/tools/local/cli/welcome.ts",
    "lib/site/web/app/keys/sample-request.ts",
  ].map((file) => readFileSync(join(project, file), "utf8"));
  const all = [...samples, ...generated];
  expect(all.flatMap(curlCommands).length).toBeGreaterThan(4);
  expect(all.flatMap(unsafe)).toEqual([]);
});
