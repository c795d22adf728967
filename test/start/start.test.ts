// `npm start`: from nothing to a picture, its end, its next start, and what it says when it cannot.
import { execFile, execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { failingStart, npmStart, project, type Started } from "../support/npm-start.ts";

let folder: string;
beforeEach(() => {
  // In the project, where the default data folder is too.
  mkdirSync(join(project, ".local"), { recursive: true });
  folder = mkdtempSync(join(project, ".local", "start-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Command lines of processes that carry the folder in their arguments or environment. */
function processesOf(path: string): string[] {
  return execFileSync("ps", ["eww", "-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(path) && !line.startsWith("ps "));
}

/** Runs `npm run accounts`. Not synchronously: meanwhile the service may close connections that are kept for further requests. */
async function accounts(dataDir: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir };
  const command = ["run", "--silent", "accounts", "--", ...args];
  return (await promisify(execFile)("npm", command, { cwd: project, env })).stdout;
}

test("npm start: prints a curl command that works, stops without leftovers, keeps foreign files, has the same key the next time, and lets accounts be created from the command line", async () => {
  const dataDir = join(folder, "data");
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const foreign = ["chromium", "fonts", "fonts.conf", "profile", "runtime"];
  for (const name of foreign) writeFileSync(join(temporary, name), "of another program");
  // npm keeps a cache of its own code there, which is not ours.
  const first = await npmStart({ DATA_DIR: dataDir, TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: "1" });
  const [, site = ""] = /^Website, [^:]*: (\S+)$/m.exec(first.output()) ?? [];
  expect(await (await fetch(site)).text()).toContain(`data-base-url="${first.baseUrl}"`);
  const [example = ""] = /^export [\s\S]*^curl .*$/m.exec(first.output()) ?? [];
  await promisify(execFile)("bash", ["-c", example], { cwd: folder });
  expect(execFileSync("head", ["-c", "8", join(folder, "capture.png")]).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  await expectInOutput(
    first,
    /^[\d:]{8} {2}GET {2}\/api\/v1\/screenshot {2}200 {2}\d+ ms {2}account \d+ {2}request \d+$/m,
  );
  expect(first.output().split(first.key)).toHaveLength(2);
  expect(first.output()).not.toMatch(/Ignored resources|Signing secret/);
  expect(await first.end("SIGTERM")).toBe(0);
  expect(processesOf(dataDir)).toEqual([]);
  expect(readdirSync(dataDir).sort()).toEqual(["data", "demo-account.json", "lists", "logs"]);
  expect(readdirSync(temporary).sort()).toEqual(foreign);
  for (const name of foreign) expect(readFileSync(join(temporary, name), "utf8")).toBe("of another program");

  const second = await npmStart({ DATA_DIR: dataDir, LOG: "quiet" }, "--verbose");
  expect(second.key).toBe(first.key);
  expect(second.output()).toMatch(/^Ignored resources of the template: ApiGateway::Deployment × 1, /m);
  await expectSignedLink(second);
  const usage = await fetch(`${second.baseUrl}/api/v1/usage`, { headers: { Authorization: `Bearer ${second.key}` } });
  expect(await usage.json()).toMatchObject({ total: 2 });
  await expectAccountCommands(dataDir, second);
  expect(second.output()).not.toMatch(/ {2}GET {2}/);
  expect(await second.end("SIGINT")).toBe(0);
  expect(processesOf(dataDir)).toEqual([]);
  await expect(accounts(dataDir, "create", "--plan", "max", "--label", "x")).rejects.toThrow(/No service is running/);
});

/** Resolves when the service has printed it. */
async function expectInOutput({ output }: Started, pattern: RegExp): Promise<void> {
  await expect.poll(output, { timeout: 10_000 }).toMatch(pattern);
}

/** Captures by a link that is signed with what `--verbose` prints. */
async function expectSignedLink({ baseUrl, output }: Started): Promise<void> {
  const [keyId = "", secret = ""] = ["Key id", "Signing secret"].map(
    (name) => new RegExp(`^${name}: (\\S+)$`, "m").exec(output())?.[1],
  );
  const query = `expires=${Math.ceil(Date.now() / 1000) + 60}&html=x&key_id=${keyId}`;
  const signature = createHmac("sha256", secret).update(query).digest("hex");
  expect((await fetch(`${baseUrl}/api/v1/screenshot?${query}&signature=${signature}`)).status).toBe(200);
}

/** Creates an account and keys from the command line, and uses them. */
async function expectAccountCommands(dataDir: string, { baseUrl }: Started): Promise<void> {
  const statusWith = async (key: string) => (await fetch(`${baseUrl}/api/v1/usage?access_key=${key}`)).status;

  const created = JSON.parse(await accounts(dataDir, "create", "--plan", "starter", "--label", "A customer"));
  expect(Object.keys(created)).toEqual(["account_id", "plan", "api_key_id", "key", "signing_secret"]);
  expect(await statusWith(created.key)).toBe(200);

  const account = String(created.account_id);
  const second = JSON.parse(await accounts(dataDir, "keys", "create", "--account", account, "--label", "Second"));
  const revoked = await accounts(dataDir, "keys", "revoke", "--account", account, "--key", String(second.api_key_id));
  expect(JSON.parse(revoked)).toMatchObject({ id: second.api_key_id, revoked_at: expect.any(String) });
  expect(await statusWith(second.key)).toBe(401);
  expect(await statusWith(created.key)).toBe(200);

  await expect(accounts(dataDir, "create", "--plan", "gold", "--label", "x")).rejects.toThrow(/--plan must be one of/);
}

test("npm start: a failed start prints one sentence with the reason", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const port = String((taken.address() as { port: number }).port);
  const file = join(folder, "file");
  writeFileSync(file, "");
  const starts = await Promise.all([
    failingStart({ DATA_DIR: join(folder, "a"), PORT: port }),
    failingStart({ DATA_DIR: join(file, "b") }),
    failingStart({ DATA_DIR: join(folder, "c"), PORT: "http" }),
    failingStart({ DATA_DIR: join(folder, "d"), CAPTURE_ALLOW_ORIGINS: "localhost:80" }),
    failingStart({ DATA_DIR: join(folder, "e"), PUBLIC_BASE_URL: "captures.example" }),
  ]);
  taken.close();
  expect(starts.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
  const [port_, data, setting, origins, address] = starts.map(({ errors }) => errors);
  expect(port_).toMatch(new RegExp(`^[^\\n]*\\b${port}\\b[^\\n]*$`));
  expect(data).toMatch(/^The data folder [^\n]*$/);
  expect(setting).toBe("PORT must be a number from 0 to 65535, not 'http'.");
  expect(origins).toMatch(/^CAPTURE_ALLOW_ORIGINS holds 'localhost:80'[^\n]*$/);
  expect(address).toMatch(/^PUBLIC_BASE_URL must be an http or https address [^\n]*$/);
});
