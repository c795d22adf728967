// The smoke test and the doctor: green against a service that works, red for each fault that an owner could have.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LogEntry } from "../../lib/tools/operate/smoke/capture-log.ts";
import { runSmoke } from "../../lib/tools/operate/smoke/run-smoke.ts";
import { smokeChecks } from "../../lib/tools/operate/smoke/smoke-checks.ts";
import { npmStart, type Started } from "../support/npm-start.ts";
import { npmRun } from "../support/operator-command.ts";
import { slowTest } from "../support/slow-run.ts";

let dataDir: string;
let service: Started;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "smoke-test-"));
  service = await npmStart({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await service.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs `npm run smoke` with these arguments. */
const smoke = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
  npmRun("smoke", args, { DATA_DIR: dataDir, ...variables });

/** Passes requests on to the service, but answers those that `spoil` picks itself. */
async function spoiled(spoil: (path: string, body: string) => { status: number; body: string } | undefined) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const answer = spoil(request.url ?? "", body.toString());
    if (answer) return void response.writeHead(answer.status).end(answer.body);
    const { authorization, "content-type": type } = request.headers;
    const passed = await fetch(`${service.baseUrl}${request.url}`, {
      method: request.method ?? "GET",
      headers: { ...(authorization && { authorization }), ...(type && { "content-type": type }) },
      ...(body.length > 0 && { body }),
    });
    const headers = Object.fromEntries([...passed.headers].filter(([name]) => name !== "content-length"));
    response.writeHead(passed.status, headers).end(Buffer.from(await passed.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

slowTest("smoke: every check passes against a service that works, and the key of the test is revoked", async () => {
  const { code, lines } = await smoke([]);
  expect(lines.filter((line) => line.startsWith("FAILED"))).toEqual([]);
  expect(lines.at(-1)).toMatch(/^(\d+) of \1 checks passed, 1 not tried\.$/); // the schedule of the canary is off
  expect(code).toBe(0);
});

slowTest("smoke: each fault fails its check", async () => {
  const crash = JSON.stringify({ error: "The service failed.", code: "INTERNAL_ERROR" });
  await using faulty = await spoiled((path, body) => {
    if (path.startsWith("/storage/")) return { status: 410, body: "gone" };
    if (/^\/api\/v1\/screenshot\/\d/.test(path)) return { status: 200, body: JSON.stringify({ status: "failed" }) };
    if (body.includes('"pdf"')) return { status: 500, body: crash };
    return undefined;
  });
  const spoiledChecks = ["PDF", "asynchronous capture", "webhook of an asynchronous capture", "log of a capture"];
  const lines: string[] = [];
  const target = {
    baseUrl: faulty.address,
    key: service.key,
    isFull: false,
    print: (line: string) => lines.push(line),
  };
  const failures = await runSmoke(
    target,
    smokeChecks.filter(({ name }) => spoiledChecks.includes(name)),
  );
  const failed = lines
    .filter((line) => line.startsWith("FAILED"))
    .map((line) => line.replace(/^FAILED +[\d.]+ s /, ""));
  expect(failed).toEqual([
    expect.stringMatching(/^PDF: Expected status 200, not 500: .*INTERNAL_ERROR/),
    expect.stringMatching(/^asynchronous capture: It ended as \{"status":"failed"\}\.$/),
    "webhook of an asynchronous capture: The capture failed.",
  ]);
  expect(lines.at(-1)).toBe("0 of 3 checks passed, 1 not tried."); // without a stage, an address has no log
  expect(failures).toBe(3);
});

slowTest("smoke: a capture that isn't in the log, or has no metrics there, fails its check", async () => {
  const lines: string[] = [];
  const failuresWith = (entries: readonly LogEntry[]) => {
    const log = { waitMs: 0, entries: async () => entries };
    const check = smokeChecks.filter(({ name }) => name === "log of a capture");
    return runSmoke({ ...service, log, isFull: false, print: (line) => lines.push(line) }, check);
  };
  const request = { message: { event: "request", status: 200 } };
  expect(await failuresWith([])).toBe(1);
  expect(await failuresWith([request])).toBe(1);
  expect(await failuresWith([request, { _aws: {}, Captures: 1 }])).toBe(0);
  expect(lines.filter((line) => line.startsWith("FAILED"))).toEqual([
    expect.stringMatching(/The log has no entry 'request' of the capture after 0 s\.$/),
    expect.stringMatching(/The log has no metrics of the capture after 0 s\.$/),
  ]);
});

slowTest("smoke: says what is missing where there is no service", async () => {
  const { code, lines } = await smoke([], { DATA_DIR: join(dataDir, "none") });
  expect([code, lines[0]]).toEqual([1, expect.stringMatching(/^No service is running with the data folder/)]);
});

test("smoke: exits with 1 where checks fail", async () => {
  const { code, lines } = await smoke(["--base-url", "http://127.0.0.1:1"], { SCREEN_CAPTURE_KEY: service.key });
  expect([code, lines.at(-1)]).toEqual([1, expect.stringMatching(/^0 of \d+ checks passed/)]);
});

test("doctor: finds nothing wrong with this machine and a service that works", async () => {
  const { code, lines } = await npmRun("doctor", [], { DATA_DIR: dataDir });
  expect(lines.filter((line) => !line.startsWith("ok "))).toEqual(["Nothing is wrong."]);
  expect(lines.map((line) => line.slice(7).split(":")[0])).toEqual(
    expect.arrayContaining(["Chromium", "address", "table of accounts", "queue of captures", "dead letters (list)"]),
  );
  expect(code).toBe(0);
});

slowTest("doctor: without credentials it says so, and asks AWS nothing else", async () => {
  const { code, lines } = await npmRun("doctor", ["--stage", "prod"], {
    AWS_REGION: "us-east-1",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_SHARED_CREDENTIALS_FILE: join(dataDir, "none"),
    AWS_CONFIG_FILE: join(dataDir, "none"),
    AWS_ACCESS_KEY_ID: "",
    AWS_SECRET_ACCESS_KEY: "",
  });
  expect(lines.filter((line) => line.startsWith("FAILED"))).toEqual([expect.stringMatching(/^FAILED credentials: /)]);
  expect(lines.at(-2)).toBe("The other checks need this one.");
  expect(code).toBe(1);
});
