// The typed clients have a method for every route of the contract.
import { execFile } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { ScreenCapture } from "../../clients/typescript/src/index.ts";
import { apiRoutes } from "../../lib/service/routes.ts";
import { listen, stopListening } from "../../lib/tools/local/loopback.ts";
import { canRun, skipWithout } from "../support/runtimes.ts";
import { clientEnvironment } from "../support/sample-programs.ts";

const clients = join(import.meta.dirname, "../../clients");
const run = promisify(execFile);

/** Routes that need no client, or that the client only makes links to. */
const others = ["GET /health", "GET /api/v1/openapi.json", "GET /api/v1/screenshot", "GET /storage/{key+}"];

const routes = apiRoutes
  .map(({ method, path }) => `${method} ${path}`)
  .filter((route) => !others.includes(route))
  .toSorted();

/** Enough of each answer for every method to return. */
const ANSWER = { data: [], series: [], last_page: 1, next_before: null, status: "success", signing_secret: "" };

function routeOf(method: string, path: string): string {
  return `${method} ${path.replace("/invoices/7", "/invoices/{start}").replace(/\b7\b/, "{id}")}`;
}

test("client: every route of the contract has a method", async () => {
  const called = new Set<string>();
  const record = (url: string, { method = "GET" }: RequestInit = {}) => {
    called.add(routeOf(method, new URL(url).pathname));
    return Promise.resolve(Response.json(ANSWER));
  };
  const client = new ScreenCapture({ key: "cap_x", baseUrl: "http://127.0.0.1:9", fetch: record as typeof fetch });
  const page = { url: "https://example.com" };
  await Promise.all([
    client.capture(page),
    client.store(page),
    client.storeOutputs({ ...page, outputs: [{ name: "a" }, { name: "b" }] }),
    client.enqueue(page),
    client.get(7),
    client.wait(7),
    client.deleteResult(7),
    client.cancel(7),
    client.redeliverWebhook(7),
    client.testWebhook({ webhook_url: "https://you.example" }),
    client.bulk({ requests: [page] }),
    client.captures().next(),
    client.jobs().next(),
    client.usage().next(),
    client.statistics(),
    client.breakdown(),
    client.search().next(),
    client.details(7),
    client.thumbnail(7),
    client.deleteCapture(7),
    client.report(7),
    client.exportCaptures(),
    client.startExport(),
    client.getExport(7),
    client.account(),
    client.settings(),
    client.invoices(),
    client.invoicePdf({ period: { start: "7", end: "8" } }),
    client.keys.list(),
    client.keys.create({ label: "A" }),
    client.keys.get(7),
    client.keys.change(7, { label: "B" }),
    client.keys.rotate(7),
    client.keys.endPreviousTexts(7),
    client.keys.revoke(7),
    client.receivers.list(),
    client.receivers.create({ name: "A", url: "https://you.example" }),
    client.receivers.get("7"),
    client.receivers.change("7", { name: "B" }),
    client.receivers.secret("7"),
    client.receivers.rotateSecret("7"),
    client.receivers.pause("7"),
    client.receivers.resume("7"),
    client.receivers.deliveries("7").next(),
    client.receivers.test("7"),
    client.receivers.replay("7", { since: "2026-01-01" }),
    client.receivers.delete("7"),
  ]);
  expect([...called].toSorted()).toEqual(routes);
});

interface Program {
  /** Says whether the machine can run it. */
  readonly check: readonly [program: string, argument: string];
  /** Resolves to the command, after what compiles into a new folder. */
  readonly prepare: (folder: string) => Promise<readonly string[]>;
}

const script = (program: string, ...args: readonly string[]): Program => ({
  check: [program, "--version"],
  prepare: async () => [program, ...args],
});

/** The program of each language that calls every method of its client once. */
const programs: Readonly<Record<string, Program>> = {
  Python: script("python3", join(clients, "python/tests/call_every_method.py")),
  PHP: script("php", join(clients, "php/tests/call_every_method.php")),
  Ruby: script("ruby", "-w", join(clients, "ruby/tests/call_every_method.rb")),
  Go: {
    check: ["go", "version"],
    async prepare(folder) {
      await run("go", ["build", "-o", join(folder, "program"), "./tests/call_every_method"], {
        cwd: join(clients, "go"),
      });
      return [join(folder, "program")];
    },
  },
  Java: {
    check: ["javac", "-version"],
    async prepare(folder) {
      const sources = globSync(["src/**/*.java", "tests/CallEveryMethod.java"], { cwd: join(clients, "java") });
      await run("javac", ["-encoding", "UTF-8", "-d", folder, ...sources], { cwd: join(clients, "java") });
      return ["java", "-cp", folder, "CallEveryMethod"];
    },
  },
};

test.for(Object.entries(programs))("%s client: every route of the contract has a method", async (each, context) => {
  const [language, { check, prepare }] = each;
  const [needed, argument] = check;
  skipWithout(canRun(needed, [argument]), context, `the ${language} client`, needed);
  const folder = mkdtempSync(join(tmpdir(), "routes-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [program = "", ...args] = await prepare(folder);
  const called = new Set<string>();
  const server = createServer((request, response) => {
    called.add(routeOf(request.method ?? "", request.url?.split("?")[0] ?? ""));
    request.resume().on("end", () => response.end(JSON.stringify(ANSWER)));
  });
  const hostPort = await listen(server);
  const settings = { SCREEN_CAPTURE_URL: `http://${hostPort}`, SCREEN_CAPTURE_KEY: "cap_x", ...clientEnvironment };
  const { stderr } = await run(program, args, { env: { ...process.env, ...settings } });
  await stopListening(server);
  expect([...called].toSorted()).toEqual(routes);
  expect(stderr).toBe("");
});
