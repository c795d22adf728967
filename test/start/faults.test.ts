// Faults that an owner could have, injected into services that run: the smoke test and the doctor are red for each.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeleteTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeCredentials, REGION } from "../../lib/tools/local/engines/client-options.ts";
import { type Service, type ServiceOptions, startService } from "../../lib/tools/local/service.ts";
import { runSmoke } from "../../lib/tools/operate/smoke/run-smoke.ts";
import { smokeChecks } from "../../lib/tools/operate/smoke/smoke-checks.ts";
import { emittedMetricsIn } from "../support/emitted-metrics.ts";
import { localAssembly } from "../support/local-assembly.ts";
import { readLogLines, runQuery } from "../support/logs-insights.ts";
import { npmRun } from "../support/operator-command.ts";
import { isOfFaults, runbookQueries } from "../support/runbook-queries.ts";
import { slowTest } from "../support/slow-run.ts";

/** Each starts a service and several commands. */
const TIMEOUT_MS = 240_000;

let folder: string;
let opened: AsyncDisposableStack;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "faults-"));
  opened = new AsyncDisposableStack();
});
afterEach(async () => {
  await opened.disposeAsync();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Starts a service with a fault. */
async function start(options: Partial<ServiceOptions> = {}): Promise<Service> {
  const service = await startService({ assembly: localAssembly, dataDir: join(folder, "data"), ...options });
  opened.defer(() => service.close());
  return service;
}

/** Runs some checks of the smoke test; resolves to the lines of those that failed. */
async function failuresOf(service: Service, names: readonly string[]): Promise<readonly string[]> {
  const created = await npmRun("accounts", ["create", "--plan", "max", "--label", "Faults"], {
    DATA_DIR: join(folder, "data"),
  });
  const { key } = JSON.parse(created.lines.join("\n"));
  const lines: string[] = [];
  const checks = smokeChecks.filter(({ name }) => names.includes(name));
  expect(checks.length).toBe(names.length);
  const options = { baseUrl: service.baseUrl, key, isFull: false, jobWaitMs: 3_000 };
  const failures = await runSmoke({ ...options, print: (line) => lines.push(line) }, checks);
  const failed = lines.filter((line) => line.startsWith("FAILED"));
  expect(failed.length).toBe(failures);
  return failed.map((line) => line.replace(/^FAILED +[\d.]+ s /, ""));
}

const doctor = async (variables: Readonly<Record<string, string>> = {}) => {
  const { code, lines } = await npmRun("doctor", [], { DATA_DIR: join(folder, "data"), ...variables });
  return { code, failed: lines.filter((line) => line.startsWith("FAILED")) };
};

test("faults: Chromium does not start", { timeout: TIMEOUT_MS }, async () => {
  const CHROMIUM_FILES = join(folder, "empty");
  mkdirSync(CHROMIUM_FILES);
  const service = await start({ environment: ({ baseUrl }) => ({ BASE_URL: baseUrl, CHROMIUM_FILES }) });
  expect(await failuresOf(service, ["health", "PNG"])).toEqual([
    expect.stringMatching(/^PNG: Expected status 200, not 50\d: /),
  ]);
  const queries = runbookQueries().filter(isOfFaults);
  expect(queries.length).toBeGreaterThan(2);
  // The line of a request is written after its response.
  const lines = await vi.waitFor(() => {
    const written = readLogLines(join(folder, "data"));
    expect(queries.filter((query) => runQuery(query, written).length === 0)).toEqual([]);
    return written;
  }, 30_000);
  const accounts = runQuery("filter TaintedSandboxes = 1 | stats count() by account_id", lines);
  expect(accounts).toContainEqual({ account_id: expect.stringMatching(/^[1-9]\d+$/), "count()": expect.any(Number) });
  // The alarm `tainted-sandboxes` watches it.
  const tainted = emittedMetricsIn(join(folder, "data")).filter(({ name }) => name === "TaintedSandboxes");
  expect(tainted).toContainEqual(
    expect.objectContaining({ namespace: "ScreenCapture", dimensions: { service: "local" }, value: 1 }),
  );
  expect(await doctor({ CHROMIUM_FILES })).toEqual({ code: 1, failed: [expect.stringMatching(/^FAILED Chromium: /)] });
});

slowTest(
  "faults: a queue does not drain, a link has expired, and then a table refuses",
  {
    timeout: TIMEOUT_MS,
  },
  async () => {
    const service = await start({
      environment: ({ baseUrl }) => ({ BASE_URL: baseUrl, NODE_OPTIONS: `--import=${storageInTheFuture()}` }),
      assembly: async (output) => withoutRenderWorker(await localAssembly(output)),
    });
    expect(await failuresOf(service, ["PNG", "link to a stored result", "asynchronous capture"])).toEqual([
      expect.stringMatching(/^link to a stored result: Expected status 200, not 410: .*has expired/),
      "asynchronous capture: It is still queued after 3 s.",
    ]);
    expect(await doctor()).toEqual({
      code: 1,
      failed: [expect.stringMatching(/^FAILED queue of captures: does not drain: 1 /)],
    });

    const database = new DynamoDBClient({
      endpoint: service.endpoints.dynamodb,
      region: REGION,
      credentials: fakeCredentials,
    });
    await database.send(new DeleteTableCommand({ TableName: service.outputs["UsageTable"] ?? "" }));
    expect(await failuresOf(service, ["health", "PNG"])).toEqual([
      expect.stringMatching(/^PNG: Expected status 200, not 5/),
    ]);
    expect((await doctor()).failed).toContainEqual(expect.stringMatching(/^FAILED table of usage: /));
  },
);

slowTest("faults: a role lacks a permission", { timeout: TIMEOUT_MS }, async () => {
  const logged: string[] = [];
  const service = await start({
    assembly: async (output) => withoutAction(await localAssembly(output), "Screenshot", "dynamodb:UpdateItem"),
    onLog: (source, line) => source === "iam" && logged.push(line),
  });
  expect(await failuresOf(service, ["PNG"])).toEqual([expect.stringMatching(/^PNG: Expected status 200, not 5/)]);
  expect(logged[0]).toMatch(
    /^AccessDenied: \S+-Screenshot\w+ may not dynamodb:UpdateItem on \S+:table\/\S+ with the partition key \S+, because/,
  );
});

/** A module by which the function that answers links takes the time for two months later, but has its own time left. */
function storageInTheFuture(): string {
  const file = join(folder, "later.mjs");
  writeFileSync(
    file,
    `const now = Date.now;
    const isAboutDeadline = () => new Error().stack.includes("getRemainingTimeInMillis");
    if (process.env.AWS_LAMBDA_FUNCTION_NAME?.includes("Storage"))
      Date.now = () => now() + (isAboutDeadline() ? 0 : 60 * 24 * 3_600_000);`,
  );
  return file;
}

/** The assembly without the event source that hands captures of the queue to the function that renders them. */
function withoutRenderWorker(assembly: string): string {
  const file = join(assembly, "screen-capture-local-service.template.json");
  const template = JSON.parse(readFileSync(file, "utf8"));
  const mappings = Object.keys(template.Resources).filter((id) => id.startsWith("RenderSqsEventSource"));
  expect(mappings).toHaveLength(1);
  for (const id of mappings) delete template.Resources[id];
  writeFileSync(file, JSON.stringify(template));
  return assembly;
}

/** The assembly whose role of a function allows an action no more. */
function withoutAction(assembly: string, functionId: string, action: string): string {
  const file = join(assembly, "screen-capture-local-service.template.json");
  const template = JSON.parse(readFileSync(file, "utf8"));
  const id = Object.keys(template.Resources).find((each) => each.startsWith(`${functionId}RoleDefaultPolicy`)) ?? "";
  const { PolicyDocument } = template.Resources[id].Properties;
  const statements: readonly { readonly Action: unknown }[] = PolicyDocument.Statement;
  PolicyDocument.Statement = statements.filter(({ Action }) => Action !== action);
  expect(PolicyDocument.Statement.length).toBeLessThan(statements.length);
  writeFileSync(file, JSON.stringify(template));
  return assembly;
}
