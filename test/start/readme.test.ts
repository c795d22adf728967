// The README: every command in it is run, and its table of options is the schema's.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { optionTable } from "../../lib/contract/option-reference.ts";
import { npmStart, project, type Started } from "../support/npm-start.ts";
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

/** Runs a command of the README with its addresses replaced by those of this run; resolves to what it prints. */
async function run(command: string): Promise<string> {
  const here = command
    .replaceAll("http://127.0.0.1:3000", service.baseUrl)
    .replaceAll("https://example.com", `${site.origin}/box`);
  const env = { ...process.env, KEY: service.key, DATA_DIR: join(folder, "data") };
  const cwd = command.startsWith("npm ") ? project : folder;
  return (await promisify(execFile)("bash", ["-c", here], { cwd, env })).stdout;
}

test("has two commands to begin with, of which one runs here and the other runs this", () => {
  expect(commands.slice(0, 2)).toEqual(["npm ci && npm start", "npm ci && npm test"]);
});

describe.each(curls.filter((command) => command.includes(" -o ")))("%s", (command) => {
  test("makes a picture", async () => {
    await run(command);
    const [, file = ""] = / -o (\S+)$/.exec(command) ?? [];
    const { width } = await decode(readFileSync(join(folder, file)));
    expect(width).toBeGreaterThanOrEqual(1280);
  });
});

test.each(curls.filter((command) => !command.includes(" -o ")))(
  "%s answers with the JSON that is shown",
  async (command) => {
    const [, shown = ""] = /```json\n(\{\n[\s\S]*?)```/.exec(readme) ?? [];
    expect(Object.keys(JSON.parse(await run(command)))).toEqual(Object.keys(JSON.parse(shown)));
  },
);

test.each(commands.filter((command) => command.startsWith("npm run ")))("%s answers with JSON", async (command) => {
  const printed = await run(command.replace("npm run", "npm run --silent"));
  expect(() => JSON.parse(printed)).not.toThrow();
});

test("holds no command that is not run", () => {
  const known = commands.filter((command) => /^(curl |npm run |npm ci && npm (start|test)$)/.test(command));
  expect(known).toEqual(commands);
});

test("lists the options as the schema has them", () => {
  expect(readme).toContain(`<!-- options -->\n${optionTable()}\n<!-- /options -->`);
});
