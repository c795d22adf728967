// Processes that die in the middle of a capture: the caller hears of it, nothing stays behind, the next one works.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChangeMessageVisibilityCommand } from "@aws-sdk/client-sqs";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";
import { sqs } from "../../lib/service/aws/clients/sqs.ts";
import { jobKey } from "../../lib/service/aws/table-keys.ts";
import { findJob } from "../../lib/service/jobs/job-store.ts";
import { createApiKey, KEY_ENTROPY_BYTES } from "../../lib/service/keys/api-key.ts";
import { findJobResources } from "../../lib/tools/local/cli/find-service.ts";
import { functionProcesses } from "../../lib/tools/local/function-processes.ts";
import { npmStart, type Started } from "../support/npm-start.ts";
import { slowTest } from "../support/slow-run.ts";

// A service of its own, so that every browser is one of these tests.
let dataDir: string;
let service: Started;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "crash-test-"));
  service = await npmStart({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await service.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

const ask = (path: string, query: Record<string, string> = {}) =>
  fetch(`${service.baseUrl}${path}?${new URLSearchParams(query)}`, {
    headers: { Authorization: `Bearer ${service.key}` },
  });

interface Process {
  readonly pid: number;
  readonly parent: number;
}

/** The browsers of this service, each with the process of the function that launched it. */
function browsers(): Process[] {
  return execFileSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(`--user-data-dir=${dataDir}/`))
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0]) => ({ pid, parent }));
}

/** Takes `delay` seconds of real time, since the page has no clock of its own. */
const slowPage = { html: "<h1>Slow</h1>", javascript: "false" };

/** Begins a capture that would take half a minute, and waits for its browser. */
async function beginLongCapture() {
  const response = ask("/api/v1/screenshot", { ...slowPage, delay: "28" });
  return { response, browser: await browserOtherThan(undefined) };
}

/** The one browser that runs, once it is not the given one. */
function browserOtherThan(old: number | undefined): Promise<Process> {
  return vi.waitFor(
    () => {
      const [browser] = browsers().filter(({ pid }) => pid !== old);
      if (!browser) throw new Error("No browser has started yet.");
      return browser;
    },
    { timeout: 60_000 },
  );
}

/** The only browser of the service. Throws while there is none, or another one as well. */
function readyBrowser(): Process {
  const [browser, ...others] = browsers();
  if (!browser || others.length > 0) throw new Error(`${others.length + 1} browsers are running.`);
  return browser;
}

/** The process of the function that makes asynchronous captures. It has no browser, so its environment can be read. */
function renderFunction(): number {
  const [found, ...others] = functionProcesses(dataDir).filter(({ name }) => /-Render[0-9A-F]{8}$/.test(name));
  if (!found || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} functions render.`);
  return found.pid;
}

/** Names of the threads of a process. */
function threads(pid: number): string[] {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).map((thread) => readFileSync(join(folder, thread, "comm"), "utf8").trim());
}

slowTest("crash: a killed browser is replaced once, then the capture fails", async () => {
  const { response, browser } = await beginLongCapture();
  process.kill(browser.pid, "SIGKILL");
  const second = await browserOtherThan(browser.pid);
  process.kill(second.pid, "SIGKILL");
  const failed = await response;
  // It may not have shown the page yet, which is not at fault then.
  expect([failed.status, (await failed.json()).code]).toBeOneOf([
    [422, "PAGE_CRASHED"],
    [500, "INTERNAL_ERROR"],
  ]);
  const { data } = await (await ask("/api/v1/usage")).json();
  expect(data).toMatchObject([{ status: "failed", format: "png" }]);
});

test("crash: a renderer that is killed takes its browser along and is replaced once, then the capture fails, and the next one works", async () => {
  const { response, browser } = await beginLongCapture();
  process.kill(browser.parent, "SIGKILL");
  const second = await browserOtherThan(browser.pid);
  process.kill(second.parent, "SIGKILL");
  const failed = await response;
  expect(failed.status).toBeGreaterThanOrEqual(500);
  expect(await failed.json()).toMatchObject({ retryable: true });
  await vi.waitFor(() => expect(browsers()).toEqual([]), { timeout: 60_000 });
  expect((await ask("/api/v1/screenshot", { html: "<h1>Next</h1>" })).status).toBe(200);
});

test("crash: after a capture its browser is gone, and one other is ready for the next capture, which does not launch any", async () => {
  expect((await ask("/api/v1/screenshot", { html: "<h1>First</h1>" })).status).toBe(200);
  const ready = await vi.waitFor(readyBrowser, { timeout: 60_000 });
  const second = await ask("/api/v1/screenshot", { html: "<h1>Second</h1>" });
  expect(second.headers.get("server-timing")).toMatch(/browser;dur=[\d.]+;desc="ready"/);
  await vi.waitFor(() => expect(readyBrowser().pid).not.toBe(ready.pid), { timeout: 60_000 });
  expect(threads(ready.parent)).toContain("watchdog");
});

test("crash: requests that are refused before they are authenticated neither end the ready browser nor launch one", async () => {
  const ready = await vi.waitFor(readyBrowser, { timeout: 60_000 });
  const refused: readonly [query: Record<string, string>, headers: Record<string, string>][] = [
    [{}, {}],
    [{}, { Authorization: "Bearer cap_123" }],
    [{}, { Authorization: `Bearer ${createApiKey(new Uint8Array(KEY_ENTROPY_BYTES))}` }],
    [{ key_id: "1", expires: "4000000000", signature: "a".repeat(64) }, {}],
    [{}, { Cookie: "session=ses_1", "Sec-Fetch-Site": "same-origin" }],
  ];
  for (const [query, headers] of refused) {
    const address = `${service.baseUrl}/api/v1/screenshot?${new URLSearchParams({ html: "<h1>Refused</h1>", ...query })}`;
    expect((await fetch(address, { headers })).status).toBe(401);
    expect(browsers()).toEqual([ready]);
  }
  const next = await ask("/api/v1/screenshot", { html: "<h1>Next</h1>" });
  expect(next.headers.get("server-timing")).toMatch(/browser;dur=[\d.]+;desc="ready"/);
});

slowTest("crash: a ready browser that is killed is not missed by the next capture", async () => {
  const ready = await vi.waitFor(readyBrowser, { timeout: 60_000 });
  process.kill(ready.pid, "SIGKILL");
  const next = await ask("/api/v1/screenshot", { html: "<h1>Next</h1>" });
  expect(next.status).toBe(200);
  expect(next.headers.get("server-timing")).not.toContain("ready");
});

slowTest(
  "crash: a function that is killed during an asynchronous capture is replaced within a minute, with a single outcome",
  async () => {
    const before = await loggedCaptures();
    const accepted = await ask("/api/v1/screenshot", { ...slowPage, delay: "5", async: "true" });
    const { request_id: id } = await accepted.json();
    await vi.waitFor(async () => expect((await jobNow(id))?.status).toBe("processing"), { timeout: 60_000 });
    process.kill(renderFunction(), "SIGKILL");
    const held = await heldSeconds(id);
    expect(held).toHaveLength(2);
    for (const seconds of held) expect(seconds).toBeLessThan(60);
    await leaseIsOver(id);
    await vi.waitFor(async () => expect((await jobNow(id))?.status).toBe("success"), { timeout: 60_000 });
    const state = await (await ask(`/api/v1/screenshot/${id}`)).json();
    expect((await fetch(state.url)).status).toBe(200);
    expect(await loggedCaptures()).toEqual([{ id, status: "success" }, ...before]);
  },
);

slowTest("crash: an asynchronous capture continues at once after a restart of the service", async () => {
  const accepted = await ask("/api/v1/screenshot", { ...slowPage, delay: "5", async: "true" });
  const { request_id: id } = await accepted.json();
  await vi.waitFor(async () => expect((await jobNow(id))?.status).toBe("processing"), { timeout: 60_000 });
  expect(await service.end("SIGTERM")).toBe(0);
  service = await npmStart({ DATA_DIR: dataDir });
  await browserOtherThan(undefined); // no lease and no message keeps it waiting
  const state = async () => (await ask(`/api/v1/screenshot/${id}`)).json();
  await vi.waitFor(async () => expect(await state()).toMatchObject({ status: "success" }), {
    timeout: 60_000,
    interval: 500,
  });
});

slowTest("crash: a service whose functions have ended and were replaced has a browser ready all the same", async () => {
  await Promise.all([1, 2, 3, 4].map(() => ask("/api/v1/screenshot", { ...slowPage, delay: "2" })));
  await vi.waitFor(() => expect(browsers().length).toBeGreaterThan(0), { timeout: 60_000 });
  for (const { parent } of browsers()) process.kill(parent, "SIGKILL");
  await vi.waitFor(() => expect(browsers()).toEqual([]), { timeout: 60_000 });
  // A function whose browser is ready may still be ending its last invocation, so that another one gets the next request.
  await expect
    .poll(async () => (await ask("/api/v1/screenshot", { html: "<h1>Next</h1>" })).headers.get("server-timing"))
    .toMatch(/browser;dur=[\d.]+;desc="ready"/);
});

async function loggedCaptures(): Promise<{ id: number; status: string }[]> {
  const { data } = await (await ask("/api/v1/usage")).json();
  return data.map(({ id, status }: { id: number; status: string }) => ({ id, status }));
}

async function jobNow(id: number) {
  const { ACTIVITY_TABLE: activity } = await findJobResources({ dataDir });
  return findJob(activity, { account_id: await accountId(), id }, Date.now());
}

let known: Promise<number> | undefined;

/** Of the demo account, requested once because each request counts. */
function accountId(): Promise<number> {
  known ??= ask("/api/v1/account").then(async (response) => (await response.json()).id);
  return known;
}

/** Seconds until what holds a job back ends by itself: its lease, and the visibility timeout of its message. */
async function heldSeconds(id: number): Promise<number[]> {
  const until = (await jobNow(id))?.lease?.until ?? Number.NaN;
  return [until, ...(await inFlight()).map((message) => message.visibilityDeadline)].map(
    (time) => (time - Date.now()) / 1000,
  );
}

async function inFlight(): Promise<{ readonly receiptHandle: string; readonly visibilityDeadline: number }[]> {
  const { RENDER_QUEUE_URL: renders } = await findJobResources({ dataDir });
  const { endpoints } = JSON.parse(readFileSync(join(dataDir, "service.json"), "utf8"));
  const queue = await (await fetch(`${endpoints.sqs}/_fauxqs/queues/${renders.split("/").at(-1)}`)).json();
  return queue.messages.inflight;
}

/** Does not wait until a function that was killed is missed: its lease ends now, and its message is free. */
async function leaseIsOver(id: number): Promise<void> {
  const { ACTIVITY_TABLE: activity, RENDER_QUEUE_URL: renders } = await findJobResources({ dataDir });
  await dynamodb().send(
    new UpdateCommand({
      TableName: activity,
      Key: jobKey(await accountId(), id),
      UpdateExpression: "SET lease.#until = :now",
      ExpressionAttributeNames: { "#until": "until" },
      ExpressionAttributeValues: { ":now": Date.now() },
    }),
  );
  for (const { receiptHandle: ReceiptHandle } of await inFlight()) {
    const command = new ChangeMessageVisibilityCommand({ QueueUrl: renders, ReceiptHandle, VisibilityTimeout: 0 });
    await sqs().send(command);
  }
}
