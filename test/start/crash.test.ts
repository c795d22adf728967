// Processes that die in the middle of a capture: the caller hears of it, nothing stays behind, the next one works.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { npmStart, type Started } from "../support/npm-start.ts";

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

/** Begins a capture that would take half a minute, and waits for its browser. */
async function beginLongCapture() {
  const response = ask("/api/v1/screenshot", { html: "<h1>Slow</h1>", delay: "28" });
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
    { timeout: 15_000 },
  );
}

test("a browser that is killed is replaced once, and then the capture fails", async () => {
  const { response, browser } = await beginLongCapture();
  process.kill(browser.pid, "SIGKILL");
  const second = await browserOtherThan(browser.pid);
  process.kill(second.pid, "SIGKILL");
  const failed = await response;
  expect([failed.status, (await failed.json()).code]).toEqual([500, "INTERNAL_ERROR"]);
  const { data } = await (await ask("/api/v1/usage")).json();
  expect(data).toMatchObject([{ status: "failed", format: "png" }]);
});

test("a function that is killed takes its browser along, and the next capture works", async () => {
  const { response, browser } = await beginLongCapture();
  process.kill(browser.parent, "SIGKILL");
  const failed = await response;
  expect(failed.status).toBeGreaterThanOrEqual(500);
  expect(await failed.json()).toMatchObject({ retryable: true });
  await vi.waitFor(() => expect(browsers()).toEqual([]));
  expect((await ask("/api/v1/screenshot", { html: "<h1>Next</h1>" })).status).toBe(200);
  await vi.waitFor(() => expect(browsers()).toEqual([]));
});
