// `npm run lists -- --update`: captures of a running service use newer filter lists, and earlier ones again.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publishNewerLists } from "../support/newer-lists.ts";
import { startRegistry, type TestRegistry } from "../support/npm-registry.ts";
import { npmStart, project, type Started } from "../support/npm-start.ts";

let folder: string;
let service: Started;
let registry: TestRegistry;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lists-test-"));
  registry = await startRegistry();
  service = await npmStart({ DATA_DIR: join(folder, "data") });
});
afterAll(async () => {
  await service.end("SIGTERM");
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
});

async function npmRunLists(...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: join(folder, "data"), npm_config_registry: registry.url };
  const command = ["bin/lists.ts", ...args];
  return (await promisify(execFile)(process.execPath, command, { cwd: project, env })).stdout;
}

/** The text of a page with a box that no list knows before the update. */
async function captureText(): Promise<string> {
  const html = '<p>Text<div class="box-of-the-newest-list">Box</div>';
  const response = await fetch(`${service.baseUrl}/api/v1/screenshot`, {
    method: "POST",
    headers: { Authorization: `Bearer ${service.key}` },
    body: new URLSearchParams({ html, format: "text", block_annoyances: "true", cache: "false" }),
  });
  expect(response.status).toBe(200);
  return (await response.text()).trim();
}

const datesOf = async () => {
  const { lists } = (await (await fetch(`${service.baseUrl}/health`)).json()) as { lists: { date: string }[] };
  return lists.map(({ date }) => date);
};

test("npm run lists: an update changes the captures of a running service, and going back changes them again", async () => {
  await publishNewerLists(registry, "##.box-of-the-newest-list");
  expect(await captureText()).toMatch(/^Text\s+Box$/);
  expect(await datesOf()).not.toContain("2099-01-02");

  expect(await npmRunLists("--update")).toMatch(/^Installed filter lists 99\.0\.0 \(2099-01-02\) and /);
  expect(await captureText()).toBe("Text");
  expect(await datesOf()).toContain("2099-01-02");
  expect(await npmRunLists()).toContain("annoyances\t2099-01-02\t");

  expect(await npmRunLists("--previous")).toMatch(/^Captures use the lists of 20\d\d-/);
  expect(await captureText()).toMatch(/^Text\s+Box$/);
  expect(await datesOf()).not.toContain("2099-01-02");
  expect(service.output()).not.toContain("AccessDenied");
});
