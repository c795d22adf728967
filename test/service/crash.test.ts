// Processes that die in the middle of a capture: the caller hears of it, nothing stays behind, the next one works.
import { execFileSync } from "node:child_process";
import { beforeAll, expect, inject, test, vi } from "vitest";
import { type Client, openClient } from "../support/client.ts";

const { site, dataDir } = inject("service");
let client: Client;

beforeAll(async () => {
  client = await openClient();
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

/** Begins a capture that would take half a minute, and waits for its browser. */
async function beginLongCapture() {
  const before = browsers().map(({ pid }) => pid);
  const response = client.capture({ url: `${site}/box`, delay: "28" });
  const browser = await vi.waitFor(() => {
    const own = browsers().find(({ pid }) => !before.includes(pid));
    if (!own) throw new Error("The browser has not started yet.");
    return own;
  });
  return { response, browser };
}

test("a browser that is killed is replaced once, and then the capture fails", async () => {
  const { response, browser } = await beginLongCapture();
  process.kill(browser.pid, "SIGKILL");
  const second = await vi.waitFor(() => {
    const next = browsers().find(({ pid, parent }) => parent === browser.parent && pid !== browser.pid);
    if (!next) throw new Error("It has not been replaced yet.");
    return next;
  });
  process.kill(second.pid, "SIGKILL");
  const failed = await response;
  expect([failed.status, (await failed.json()).code]).toEqual([500, "INTERNAL_ERROR"]);
  expect((await client.logs())[0]).toMatchObject({ status: "failed" });
});

test("a function that is killed takes its browser along, and the next capture works", async () => {
  const { response, browser } = await beginLongCapture();
  process.kill(browser.parent, "SIGKILL");
  const failed = await response;
  expect(failed.status).toBeGreaterThanOrEqual(500);
  expect(await failed.json()).toMatchObject({ retryable: true });
  await vi.waitFor(() => expect(browsers().map(({ pid }) => pid)).not.toContain(browser.pid));
  expect((await client.capture({ url: `${site}/box` })).status).toBe(200);
});
