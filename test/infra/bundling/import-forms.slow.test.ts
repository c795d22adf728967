// Packages have the same exports in the bundles, which are deployed, as in Node.js, which runs the tests of modules.
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findDifferences, findPackageImports } from "../../support/package-imports.ts";

const project = join(import.meta.dirname, "../../..");
const functions = join(project, "functions");
const folder = mkdtempSync(join(tmpdir(), "import-forms-"));
symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true }));

test("imports: packages have the exports in a bundle that modules use and Node.js gives them", async () => {
  const imports = findPackageImports(readdirSync(functions).map((name) => join(functions, name)));
  const namesOf = (dynamic: boolean) =>
    imports.filter(({ isDynamic }) => isDynamic === dynamic).map(({ name }) => name);
  expect(namesOf(false)).toEqual(expect.arrayContaining(["ipaddr.js", "sharp", "valibot", "yaml"]));
  expect(namesOf(true)).toEqual(expect.arrayContaining(["@aws-sdk/lib-storage", "rehype-raw", "sharp"]));
  expect(imports.find(({ name, isDynamic }) => name === "ipaddr.js" && !isDynamic)?.exports).toEqual(["default"]);

  expect(await findDifferences(imports, mkdtempSync(join(folder, "functions-")))).toEqual([]);
});

/** Imports, each with how the exports in a bundle differ from those in Node.js. */
const examples: Readonly<Record<string, readonly [source: string, differences: readonly string[]]>> = {
  "of CommonJS by its name": ["import { parse } from 'yaml'; export const use = () => parse('a');", []],
  "of modules": ["export const use = async () => (await import('unified')).unified();", []],
  "of a default export": ["export const use = async () => (await import('rehype-raw')).default;", []],
  "of a default export, which Node.js gives to CommonJS, and a bundle has modules": [
    "export const use = async () => (await import('@aws-sdk/client-sts')).default;",
    ["default of @aws-sdk/client-sts is object in Node.js, and undefined in a bundle"],
  ],
  "of CommonJS on demand": [
    "export const use = async () => (await import('standardwebhooks')).Webhook;",
    [
      "Webhook of standardwebhooks is function in Node.js, and undefined in a bundle",
      "WebhookVerificationError of standardwebhooks is function in Node.js, and undefined in a bundle",
    ],
  ],
  "of what a package does not export": [
    "import * as all from 'standardwebhooks'; import { nothing } from 'yaml'; export const use = () => [all, nothing];",
    ["nothing of yaml is undefined in Node.js, and undefined in a bundle"],
  ],
};

test("imports: differences are found in those that have some, and in no others", async () => {
  const entries = Object.values(examples).map(([source], index) => {
    const entry = join(folder, `example-${index}.mts`);
    writeFileSync(entry, source);
    return entry;
  });
  const found = await findDifferences(findPackageImports(entries), mkdtempSync(join(folder, "examples-")));
  const differencesOf = (index: number) =>
    found.flatMap((line) => {
      const [file = "", difference] = line.split(/(?<=\.mts): /);
      return file.endsWith(`example-${index}.mts`) ? [difference] : [];
    });
  expect(Object.fromEntries(Object.keys(examples).map((name, index) => [name, differencesOf(index)]))).toEqual(
    Object.fromEntries(Object.entries(examples).map(([name, [, differences]]) => [name, differences])),
  );
});
