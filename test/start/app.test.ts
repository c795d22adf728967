// The CDK app, run like `cdk` and the local service run it. Only this test bundles all functions.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "../../lib/infra/bundling/bundle.ts";
import { STATUS_FRAME_FILE } from "../../lib/site/site-files.ts";
import { loadServiceDefinition } from "../../lib/tools/local/assembly/service-definition.ts";
import type { ConditionContext } from "../../lib/tools/local/iam/policy.ts";
import { functionsOf } from "../infra/synthesized.ts";
import { localAssembly } from "../support/local-assembly.ts";
import { slowTest } from "../support/slow-run.ts";

const projectRoot = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "synth-"));
const outdir = join(folder, "assembly");

// The assembly that the tests of the running service use too: to bundle all functions takes as long as many of them.
beforeAll(() => localAssembly(outdir), 240_000);

afterAll(() => rmSync(folder, { recursive: true }));

test("CDK app: synthesizes without network, credentials or the CDK CLI", () => {
  expect(readdirSync(outdir)).toEqual(
    expect.arrayContaining(["screen-capture-local-data.template.json", "screen-capture-local-service.template.json"]),
  );
});

test("CDK app: the layers and the largest function fit the 250 MB limit of Lambda", () => {
  const [layers, functions] = [assets().filter(isLayer), assets().filter((asset) => !isLayer(asset))];
  const sizes = (some: Asset[]) => some.map(({ path }) => sizeOf(join(outdir, path)));
  const unpacked = Math.max(...sizes(functions)) + sizes(layers).reduce((sum, size) => sum + size, 0);
  expect(layers).toHaveLength(3);
  // https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
  expect(unpacked).toBeLessThan(250 * 1024 * 1024);
});

test("CDK app: every function is an ES module", () => {
  const bundles = assets().filter((asset) => !isLayer(asset));
  const functions = bundles.map(({ path }) => readdirSync(join(outdir, path)).toSorted());
  expect(functions.length).toBeGreaterThan(0);
  for (const files of functions) {
    expect(files).toContain("index.mjs");
    expect(
      files.filter((file) => !["node_modules", "site", STATUS_FRAME_FILE].includes(file) && !file.endsWith(".mjs")),
    ).toEqual([]);
  }
  for (const name of ["site", STATUS_FRAME_FILE])
    expect(functions.filter((files) => files.includes(name))).toHaveLength(1);
});

test("CDK app: the functions that only deployed stages have can be bundled, too", () => {
  const template = JSON.parse(readFileSync(join(outdir, "screen-capture-local-service.template.json"), "utf8"));
  const local = [...functionsOf(Template.fromJSON(template)).keys()];
  const files = readdirSync(join(projectRoot, "functions")).map((file) => basename(file, ".ts"));
  const others = files.filter((name) => !local.includes(name));
  expect(others).toEqual(["budget-guard", "pre-traffic"]);
  for (const name of others) {
    const target = join(folder, name);
    bundle(join(projectRoot, "functions", `${name}.ts`), target, { nativePackages: ["sharp"], withPageScripts: true });
    expect(readFileSync(join(target, "index.mjs"), "utf8")).toMatch(/export\{[^}]*\bhandler\b[^}]*\}/);
  }
});

test("CDK app: the local runner allows a function what its role does, and no more", async () => {
  const cloud = { region: "us-east-1", accountId: "000000000000", sqsEndpoint: "http://queues.test" };
  const { permissions } = await loadServiceDefinition({ assembly: outdir, cloud, baseUrl: "http://api.test" });
  const isAllowed = (functionName: string, action: string, resource: string, context: ConditionContext = {}) =>
    permissions.decide(functionName, { action, resource, context }).isAllowed;
  const [screenshot, render] = [nameOf("Screenshot"), nameOf("Render")];
  const item = (operation: string, table: string, ...leadingKeys: string[]) =>
    [
      `dynamodb:${operation}`,
      `arn:aws:dynamodb:us-east-1:000000000000:table/${tableOf(table)}`,
      { "dynamodb:LeadingKeys": leadingKeys },
    ] as const;
  expect(isAllowed(screenshot, ...item("GetItem", "Accounts", "CALLER#1", "LINK#2"))).toBe(true);
  expect(isAllowed(screenshot, ...item("GetItem", "Accounts", "CALLER#1", "ACCOUNT#2"))).toBe(false);
  expect(isAllowed(screenshot, ...item("PutItem", "Accounts", "CALLER#1"))).toBe(false);
  expect(isAllowed(screenshot, ...item("GetItem", "Usage", "CALLER#1"))).toBe(false);
  expect(isAllowed("unknown", ...item("GetItem", "Accounts", "CALLER#1"))).toBe(false);

  const queue = "arn:aws:sqs:us-east-1:000000000000:screen-capture-local-data-QueuesRenderA1DD4690";
  const ofCode = { "lambda:SourceFunctionArn": ["arn:aws:lambda:us-east-1:000000000000:function:render"] };
  const actions = ["SendMessage", "ChangeMessageVisibility", "ReceiveMessage"].map((name) => `sqs:${name}`);
  expect(actions.map((action) => isAllowed(render, action, queue, ofCode))).toEqual(
    [false, true, false], // Lambda's poller receives
  );
  expect(isAllowed(render, "sqs:ReceiveMessage", queue)).toBe(true);
});

test("CDK app: the operator's function counts the messages of queues and receives none; it can invoke the one that may, and no other", async () => {
  const cloud = { region: "us-east-1", accountId: "000000000000", sqsEndpoint: "http://queues.test" };
  const { permissions } = await loadServiceDefinition({ assembly: outdir, cloud, baseUrl: "http://api.test" });
  const isAllowed = (functionName: string, action: string, resource: string) =>
    permissions.decide(functionName, { action, resource, context: {} }).isAllowed;
  const [operator, deadLetters] = [nameOf("Operator"), nameOf("DeadLetters")];
  const [renders, failedRenders, webhookDeadLetters] = ["Render", "FailedRenders", "WebhookDeadLetters"].map(
    (id) =>
      `arn:aws:sqs:us-east-1:000000000000:screen-capture-local-data-${idOf("data", new RegExp(`^Queues${id}[0-9A-F]{8}$`))}`,
  ) as [string, string, string];
  const actions = ["ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility", "PurgeQueue"].map(
    (name) => `sqs:${name}`,
  );
  for (const queue of [renders, failedRenders, webhookDeadLetters]) {
    expect(isAllowed(operator, "sqs:GetQueueAttributes", queue)).toBe(true);
    expect(actions.filter((action) => isAllowed(operator, action, queue))).toEqual([]);
  }
  for (const queue of [failedRenders, webhookDeadLetters]) {
    expect(actions.filter((action) => isAllowed(deadLetters, action, queue))).toEqual(actions.slice(0, 3));
  }
  const invoked = ["DeadLetters", "Renderer", "Identity", "Webhook"].filter((id) =>
    isAllowed(operator, "lambda:InvokeFunction", `arn:aws:lambda:us-east-1:000000000000:function:${nameOf(id)}`),
  );
  expect(invoked).toEqual(["DeadLetters"]);
});

slowTest("CDK app: an unknown stage fails with the names of the known ones", () => {
  expect(() => synthesize({ CDK_OUTDIR: join(folder, "none"), CDK_CONTEXT_JSON: '{"stage":"nowhere"}' })).toThrow(
    'Unknown stage "nowhere". Choose one of dev, prod, local',
  );
});

const nameOf = (id: string) => `screen-capture-local-service-${idOf("service", new RegExp(`^${id}[0-9A-F]{8}$`))}`;
const tableOf = (id: string) => `screen-capture-local-data-${idOf("data", new RegExp(`^${id}Table[0-9A-F]{8}$`))}`;

function idOf(stack: string, pattern: RegExp): string | undefined {
  const template = JSON.parse(readFileSync(join(outdir, `screen-capture-local-${stack}.template.json`), "utf8"));
  return Object.keys(template.Resources).find((id) => pattern.test(id));
}

function synthesize(environment: Record<string, string>): void {
  execFileSync(process.execPath, ["bin/app.ts"], {
    cwd: projectRoot,
    env: { PATH: process.env["PATH"], ...environment },
    stdio: "pipe",
  });
}

interface Asset {
  readonly path: string;
}

function assets(): Asset[] {
  const manifest = JSON.parse(readFileSync(join(outdir, "screen-capture-local-service.assets.json"), "utf8"));
  const files = Object.values(manifest.files) as { source: { path: string; packaging: string } }[];
  return files.map(({ source }) => source).filter(({ packaging }) => packaging === "zip");
}

function isLayer({ path }: Asset): boolean {
  return !existsSync(join(outdir, path, "index.mjs"));
}

function sizeOf(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
