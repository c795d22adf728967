// What an agent finds: it reads llms.txt, opens the three pages whose lines have most words of its question, and looks for the fact.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { errorKinds } from "../../lib/contract/errors/error-kinds.ts";
import { dollars } from "../../lib/contract/money.ts";
import { planQuotas, plans } from "../../lib/contract/plans.ts";
import { builtSite } from "../../lib/site/site-artifact.ts";
import { MANIFEST_FILE, type SiteManifest } from "../../lib/site/site-files.ts";

interface Question {
  readonly question: string;
  /** Each of them is a text of one of the pages. */
  readonly facts: readonly string[];
}

const { pro } = plans;

const questions: readonly Question[] = [
  { question: "Which header carries the API key?", facts: ["`Authorization: Bearer <API key>`"] },
  { question: "How do I read the text of a page as Markdown?", facts: ["format=markdown"] },
  {
    question: "What does the plan Pro cost, and how many captures does it include?",
    facts: [`$${dollars(pro.price)}`, ...planQuotas(pro).map(({ limit }) => limit.toLocaleString("en-US"))],
  },
  {
    question: "Which error codes are there when the quota is used up, and what is the status?",
    facts: ["QUOTA_EXCEEDED", `| ${errorKinds.QUOTA_EXCEEDED.status} |`],
  },
  {
    question: "Which headers of a webhook are signed, and how do I verify the signature?",
    facts: ["webhook-id", "webhook-timestamp", "webhook-signature"],
  },
  {
    question: "What is the address of the MCP server, and which tool numbers elements?",
    facts: ["/mcp", "`see_page`"],
  },
  { question: "How do I capture a full page that loads images lazily?", facts: ["full_page=true"] },
  { question: "Does a failed capture cost anything?", facts: ["Failures are free on every plan."] },
  { question: "How many captures can one bulk request have?", facts: ["up to 20 pages"] },
  { question: "Which selector do I send to click a button before the capture?", facts: ["click="] },
];

const STOP_WORDS =
  /^(?:a|an|and|are|as|before|can|do|does|for|have|how|i|in|is|it|many|of|one|that|the|there|to|up|what|when|which)$/;

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z]+/g) ?? [])
    .map((word) => word.replace(/(?:ing|ed|es|s|e)$/, ""))
    .filter((word) => !STOP_WORDS.test(word));

describe("an agent", () => {
  let start: string;
  const pages = new Map<string, string>();
  /** The lines of llms.txt that name a page. */
  let lines: readonly (readonly [path: string, words: readonly string[]])[];

  beforeAll(() => {
    const folder = builtSite();
    const manifest: SiteManifest = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), "utf8"));
    for (const [path, { file }] of Object.entries(manifest.pages)) {
      if (/\.(?:md|txt)$/.test(path)) pages.set(path, readFileSync(join(folder, "pages", file), "utf8"));
    }
    start = pages.get("/llms.txt") ?? "";
    lines = [...start.matchAll(/^- \[([^\]]*)\]\(%BASE_URL%([^)]*)\): (.*)$/gm)].map(
      ([, label = "", path = "", lead = ""]) => [path, wordsOf(`${label} ${lead}`)],
    );
  });

  /** llms.txt, and the pages whose lines have the rarest words of the question. */
  function read(question: string): string {
    const asked = wordsOf(question);
    const weight = (word: string) => 1 / (1 + lines.filter(([, words]) => words.includes(word)).length);
    const score = (words: readonly string[]) =>
      asked.filter((word) => words.includes(word)).reduce((sum, word) => sum + weight(word), 0);
    const chosen = lines.toSorted(([, a], [, b]) => score(b) - score(a)).slice(0, 3);
    return [start, ...chosen.map(([path]) => pages.get(path))].join("\n");
  }

  test.each(questions)("finds in llms.txt and three pages: $question", ({ question, facts }) => {
    const text = read(question);
    expect(facts.filter((fact) => !text.includes(fact))).toEqual([]);
  });

  test("finds no fact that no page has", () => {
    expect(read("Which header carries the API key?")).not.toContain("X-Secret-Key");
  });

  test("finds every page of llms.txt as Markdown, and all of the customers' ones in llms-full.txt", () => {
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.filter(([path]) => !pages.get(path)?.startsWith("# "))).toEqual([]);
    const full = pages.get("/llms-full.txt") ?? "";
    expect(full).toContain("# Use it from an agent");
    expect(full).toContain("# PDF");
  });
});
