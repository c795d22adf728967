// A backup of a service under load, its loss, and a restore: the same key, captures, and results.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { npmStart, project, type Started } from "../support/npm-start.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "backup-test-"));
  writeFileSync(join(folder, "passphrase"), "correct horse battery staple\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function npmRun(script: "backup" | "restore", dataDir: string, ...args: string[]) {
  const env = { ...process.env, DATA_DIR: dataDir };
  const command = ["run", "--silent", script, "--", ...args, "--passphrase-file", join(folder, "passphrase")];
  return JSON.parse((await promisify(execFile)("npm", command, { cwd: project, env })).stdout);
}

/** Captures Markdown and stores the result. */
async function capture({ baseUrl, key }: Started, text: string): Promise<{ url: string }> {
  const body = JSON.stringify({ markdown: text, response_type: "json", viewport_width: 100, viewport_height: 100 });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(`${baseUrl}/api/v1/screenshot`, { method: "POST", headers, body });
  expect(response.status).toBe(200);
  return (await response.json()) as { url: string };
}

const read = async ({ baseUrl, key }: Started, path: string) =>
  (await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } })).json();

test("backup: of a service that captures meanwhile, restores its key, its captures, and their results", async () => {
  const dataDir = join(folder, "data");
  const file = join(folder, "service.backup");
  const first = await npmStart({ DATA_DIR: dataDir });
  const before = await capture(first, "before");
  const bytes = await (await fetch(before.url)).bytes();
  const load = Promise.all([1, 2, 3, 4].map((number) => capture(first, `meanwhile ${number}`)));
  expect(await npmRun("backup", dataDir, "--to", file)).toMatchObject({ file });
  await load;
  await expect(npmRun("restore", dataDir, "--from", file)).rejects.toThrow(/is in use by the service with process id/);
  const port = new URL(first.baseUrl).port;
  await first.end("SIGTERM");
  rmSync(dataDir, { recursive: true });

  expect(await npmRun("restore", dataDir, "--from", file)).toMatchObject({ created_at: expect.stringMatching(/Z$/) });

  const second = await npmStart({ DATA_DIR: dataDir, PORT: port });
  expect(second.key).toBe(first.key);
  expect(await (await fetch(before.url)).bytes()).toEqual(bytes);
  const { total } = (await read(second, "/api/v1/usage")) as { total: number };
  expect(total).toBeGreaterThanOrEqual(1);
  expect(total).toBeLessThanOrEqual(5);
  await capture(second, "after");
  expect(await second.end("SIGTERM")).toBe(0);
});
