// The README: every command in it is run, and does what is said above it.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { npmStart, project, type Started } from "../support/npm-start.ts";
import { readPdf } from "../support/pdf.ts";
import { decode } from "../support/png.ts";
import { type Site, startSite } from "../support/site.ts";

const readme = readFileSync(join(project, "README.md"), "utf8");
const commands = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.trim().split("\n"));
const curls = commands.filter((command) => command.startsWith("curl "));

let folder: string;
let site: Site;
let service: Started;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "readme-test-"));
  symlinkSync(join(project, "docs"), join(folder, "docs"));
  site = await startSite();
  service = await npmStart({ DATA_DIR: join(folder, "data"), CAPTURE_ALLOW_ORIGINS: site.hostPort });
});
afterAll(async () => {
  await service.end("SIGTERM");
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks the service as the demo account. */
async function ask(path: string, body?: URLSearchParams) {
  const headers = { Authorization: `Bearer ${service.key}` };
  return (await fetch(`${service.baseUrl}${path}`, { headers, ...(body && { method: "POST", body }) })).json();
}

/**
 * Runs a command of the README with its addresses replaced by those of this run; resolves to what it prints. `ACCOUNT`
 * is the demo account, and `KEY_ID` a key of it that no other command has touched.
 */
async function run(command: string): Promise<string> {
  const here = command
    .replaceAll("http://127.0.0.1:3000", service.baseUrl)
    .replaceAll("https://example.com", `${site.origin}/documents/article`);
  const ids = {
    ...(command.includes("$ACCOUNT") && { ACCOUNT: String((await ask("/api/v1/account")).id) }),
    ...(command.includes("$KEY_ID") && {
      KEY_ID: String((await ask("/api/v1/keys", new URLSearchParams({ label: "Website" }))).id),
    }),
  };
  const env = { ...process.env, KEY: service.key, DATA_DIR: join(folder, "data"), ...ids };
  const cwd = command.startsWith("npm ") ? project : folder;
  return (await promisify(execFile)("bash", ["-c", here], { cwd, env })).stdout;
}

test("has two commands to begin with, of which one runs here and the other runs this", () => {
  expect(commands.slice(0, 2)).toEqual(["npm ci && npm start", "npm ci && npm test"]);
});

/** What is in each file that a command makes, of the article of the site that stands for example.com. */
const files: Readonly<Record<string, (file: Buffer) => Promise<void> | void>> = {
  "page.png": async (file) => expect(await sizeOf(file)).toEqual([1280, 1024]),
  "sample.png": async (file) => expect(await sizeOf(file)).toEqual([880 * 1.5, 740 * 1.5]),
  "full.png": async (file) => {
    const [width, height = 0] = await sizeOf(file);
    expect([width, height > 1024]).toEqual([1280, true]);
  },
  "heading.webp": async (file) => {
    const [width = 0, height = 0] = await sizeOf(file);
    expect([width % 3, height % 3, height < 300]).toEqual([0, 0, true]);
  },
  "phone.png": async (file) => expect((await sizeOf(file))[0]).toBe(393 * 3),
  "page.pdf": (file) => {
    const { sizes, texts } = readPdf(file);
    expect(sizes[0]?.map(Math.round)).toEqual([420, 596]); // A5 is 419.5 x 595.3; Chromium rounds up
    expect(texts[0]).toContain("How to read a page");
  },
  "page.md": (file) => expect(file.toString()).toContain("# How to read a page"),
};

async function sizeOf(file: Buffer): Promise<number[]> {
  const { width, height } = await decode(file);
  return [width, height];
}

const makers = curls.flatMap((command) => [...command.matchAll(/ -o (\S+)$/g)].map(([, file = ""]) => [command, file]));

test.each(makers)("%s makes %s", async (command, file) => {
  await run(command);
  await files[file]?.(readFileSync(join(folder, file)));
});

test("makes every file that is looked at, and no other", () => {
  expect(makers.map(([, file]) => file).toSorted()).toEqual(Object.keys(files).toSorted());
});

const answers = [...readme.matchAll(/```sh\n(curl [^\n]*)\n```\n\n```json\n([\s\S]*?)```/g)].map(([, ...pair]) => pair);

test.each(answers)("%s answers with what is shown", async (command = "", shown = "") => {
  expect(Object.keys(JSON.parse(await run(command)))).toEqual(Object.keys(JSON.parse(shown)));
});

test("shows the answer of every command that makes no file", () => {
  expect(answers).toHaveLength(curls.length - makers.length);
});

test.each(commands.filter((command) => command.startsWith("npm run ")))("%s answers with JSON", async (command) => {
  const printed = await run(command.replace("npm run", "npm run --silent"));
  expect(() => JSON.parse(printed)).not.toThrow();
});

test("holds no command that is not run", () => {
  const known = commands.filter((command) => /^(curl |npm run |npm ci && npm (start|test)$)/.test(command));
  expect(known).toEqual(commands);
});
