// The guide to wrong pictures: of each pair of requests, the first shows the symptom of its section, and the second cures it.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readPdf } from "../../fixtures/pdf.ts";
import { decode } from "../../fixtures/png.ts";
import { type Client, openClient } from "../../support/client.ts";
import { type Block, codeBlocks, commandsOf, documentationPages } from "../../support/documentation.ts";

const page = documentationPages().find(({ path }) => path === "docs/guide/troubleshooting.md");
const sections = (page?.text ?? "").split(/^(?=## )/m).slice(1);
const folder = mkdtempSync(join(tmpdir(), "troubleshooting-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let client: Client;
beforeAll(async () => {
  client = await openClient();
});

interface Answer {
  /** Status and headers, as curl prints them. */
  readonly head: string;
  readonly body: Buffer;
}

type Symptom = (answer: Answer) => boolean | Promise<boolean>;

const problem =
  (code: string): Symptom =>
  ({ head }) =>
    new RegExp(`^x-problems: .*\\b${code}\\b`, "im").test(head);
const error =
  (code: string): Symptom =>
  ({ body }) =>
    body.includes(`"code":"${code}"`);
const text =
  (expected: string): Symptom =>
  ({ body }) =>
    body.includes(expected);

/** The symptoms of each section, one for each of its pairs. */
const symptoms: Readonly<Record<string, readonly Symptom[]>> = {
  "Blank or white": [problem("BLANK")],
  Blocked: [error("TARGET_BLOCKED")],
  "Cut off": [async ({ body }) => (await decode(body)).height < 2000, problem("CUT_OFF")],
  Blurred: [async ({ body }) => (await decode(body)).width < 2560],
  Old: [({ head }) => /^x-cache: HIT/im.test(head)],
  Slow: [error("CAPTURE_TIMEOUT")],
  "Loading spinner or grey map": [problem("STILL_LOADING")],
  "Login page instead of the page": [problem("LOGIN_WALL")],
  "Error page": [problem("ERROR_PAGE")],
  "Missing images": [problem("IMAGES_MISSING")],
  "Cookie banner or popup": [problem("OVERLAY_LEFT")],
  "Mobile or desktop layout": [text("Prices")],
  "Wrong language or currency": [text("€1,299.50")],
  "Wrong font or squares": [problem("FONTS_MISSING")],
  "Header on every page": [({ body }) => readPdf(body).texts.every((each) => each.includes("Shop"))],
  "PDF without backgrounds": [
    async ({ body }) => String((await readPdf(body).draw(0)).colourAt(300, 30)) === "255,255,255",
  ],
};

const titleOf = (section: string) => section.slice(3, section.indexOf("\n"));
const blocksOf = (section: string) => codeBlocks({ path: titleOf(section), text: section });

const pairs = sections.flatMap((section) =>
  (symptoms[titleOf(section)] ?? []).map((symptom, index) => {
    const [shows, cures] = blocksOf(section).slice(2 * index);
    return [`${titleOf(section)}${index > 0 ? ` (${index + 1})` : ""}`, shows, cures, symptom] as const;
  }),
);

/** Runs the commands of a block; resolves to the answer to the last one. */
async function answerOf(block: Block | undefined): Promise<Answer> {
  if (!block) throw new Error("A pair lacks a request.");
  const { baseUrl, site } = inject("service");
  const env = { ...process.env, SCREEN_CAPTURE_KEY: client.key };
  let head = "";
  for (const command of commandsOf(block)) {
    const here = command
      .replaceAll("http://127.0.0.1:3000", baseUrl)
      .replaceAll("https://shop.example", `${site}/shop`);
    head = await new Promise<string>((resolve) =>
      execFile("bash", ["-c", here], { cwd: folder, env }, (_, printed) => resolve(printed)),
    );
  }
  const [, file = ""] = / -o (\S+)$/.exec(block.code) ?? [];
  return { head, body: readFileSync(join(folder, file)) };
}

test.concurrent.each(pairs)(
  "wrong pictures: the pair of “%s” shows the symptom and cures it",
  async (_, shows, cures, symptom) => {
    const [before, after] = [await answerOf(shows), await answerOf(cures)];
    expect([await symptom(before), await symptom(after)]).toEqual([true, false]);
  },
);

test("wrong pictures: every request of the page belongs to a pair, and every row leads to its section", () => {
  expect(pairs.length * 2).toBe(sections.flatMap(blocksOf).length);
  const shown = (page?.text ?? "").match(/^\| \[/gm) ?? [];
  expect(shown).toHaveLength(Object.keys(symptoms).length);
});
