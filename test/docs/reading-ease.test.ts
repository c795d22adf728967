// Guides, the reference, and the README are easy to read: short sentences, in words of the field.
import { expect, test } from "vitest";
import { documentationPages } from "../support/documentation.ts";
import { countWords, sentencesOf } from "../support/sentences.ts";

const MAX_WORDS = 30;

/** Words that have a plain one in their place. */
const dialect =
  /\b(?:beside|anew|nobody|whatever|whoever|begun|places|veil|strangers|forgo|in vain|is owed|of which|but for|in the background)\b/i;

const pages = documentationPages().filter(
  ({ path }) => /^docs\/(?:guide|reference)\//.test(path) || path === "docs/start.md" || path === "README.md",
);

const longSentences = (text: string) => sentencesOf(text).filter((sentence) => countWords(sentence) > MAX_WORDS);
const dialectSentences = (text: string) => sentencesOf(text).filter((sentence) => dialect.test(sentence));

test("reading ease: a sentence of the guides has at most 30 words", () => {
  expect(pages.length).toBeGreaterThan(35);
  expect(pages.flatMap(({ path, text }) => longSentences(text).map((sentence) => `${path}: ${sentence}`))).toEqual([]);
});

test("reading ease: the guides have no word of the dialect", () => {
  const found = pages.flatMap(({ path, text }) => dialectSentences(text).map((sentence) => `${path}: ${sentence}`));
  expect(found).toEqual([]);
});

test("reading ease: long sentences and dialect are found in paragraphs, lists, and tables, and not in code and addresses", () => {
  const long = `Ten ${"words, ".repeat(MAX_WORDS)}at last.`;
  for (const text of [long, `- ${long}`, `1. Short.\n2. ${long}`, `| A | B |\n|---|---|\n| Short | ${long} |`])
    expect([text, longSentences(text).length]).toEqual([text, 1]);
  const short = `${"words ".repeat(MAX_WORDS)}`.trim();
  for (const text of [
    `${short}. And ${short.slice(6)}.`,
    `## ${short}\n\n${short}.`,
    `- ${short}\n- ${short}`,
    `\`\`\`sh\n${long}\n\`\`\``,
    `\`${long}\``,
    `[A link](https://example.com/a.b)`,
  ])
    expect([text, longSentences(text)]).toEqual([text, []]);
  expect(dialectSentences("It is captured anew. Set `anew`. See [it](anew.md).")).toEqual(["It is captured anew."]);
});
