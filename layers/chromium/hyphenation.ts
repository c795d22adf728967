// Makes the files without which Chromium hyphenates nothing (`hyphens: auto`) from the patterns of the npm package `hyphen`.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { PlainFile } from "../../lib/engine/browser/packed-files.ts";
import { type HyphenationPatterns, hyphenationFile } from "./hyphenation-file.ts";
import { hyphenationLanguages } from "./hyphenation-languages.ts";

/** The folder that the headless shell reads, in that of its executable. */
const FOLDER = "hyphen-data";

const require = createRequire(import.meta.url);

/** The package's format: tables of numbers, a trie of letters with indexes into them, and words with their hyphens. */
type PackedPatterns = readonly [
  tables: readonly (readonly number[])[],
  trie: PackedNode,
  exceptions: Readonly<Record<string, readonly number[]>>,
];
type PackedNode = number | { readonly [letter: string]: PackedNode } | readonly [PackedNode, number];

/** A file for each language, and their licences. */
export function hyphenationFiles(): PlainFile[] {
  const files = hyphenationLanguages.map(({ file, patterns }) => ({
    path: join(FOLDER, `hyph-${file}.hyb`),
    mode: 0o600,
    content: hyphenationFile(readPatterns(patterns)),
  }));
  return [...files, { path: join(FOLDER, "LICENCES.txt"), mode: 0o600, content: Buffer.from(licenceNotices()) }];
}

function licenceNotices(): string {
  const notices = hyphenationLanguages.map(
    ({ file, language, licence, copyright }) => `hyph-${file}.hyb: ${language}. Copyright (C) ${copyright}. ${licence}`,
  );
  const texts = readFileSync(join(import.meta.dirname, "hyphenation-licences.txt"), "utf8");
  return `${notices.join("\n")}\n\n${texts}`;
}

/** The patterns of a language, by the name that they have in the package. */
function readPatterns(language: string): HyphenationPatterns {
  const [tables, trie, exceptions] = require(`hyphen/patterns/${language}.js`) as PackedPatterns;
  const patterns = new Map<string, readonly number[]>();
  const visit = (letters: string, node: PackedNode) => {
    if (typeof node === "number") {
      patterns.set(letters, numbersOf(letters, tables[node] ?? []));
    } else if (Array.isArray(node)) {
      for (const each of node) visit(letters, each);
    } else {
      for (const [letter, next] of Object.entries(node)) visit(letters + letter, next);
    }
  };
  visit("", trie);
  return { patterns, exceptions: new Map(Object.entries(exceptions)) };
}

/** The package omits the number before the edge of a word, and zeros at the end. */
function numbersOf(letters: string, table: readonly number[]): number[] {
  const numbers = letters.startsWith(".") ? [0, ...table] : [...table];
  while (numbers.length <= letters.length) numbers.push(0);
  return numbers;
}
