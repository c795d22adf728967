// Ready browser: one that was launched ahead, handed over once, and only while it responds and has the right time.
import { existsSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { type BrowserSession, launchBrowser } from "../../../lib/engine/browser/browser.ts";
import { ReadyBrowser } from "../../../lib/engine/browser/ready-browser.ts";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { captureOne } from "../../../lib/engine/pipeline/capture.ts";
import { PhaseClock } from "../../../lib/engine/pipeline/phase-clock.ts";
import { decode } from "../../fixtures/png.ts";
import { GREEN } from "../../fixtures/site-pages.ts";
import { chromiumFiles, killBrowser, noLists, testLimits } from "../../support/chromium.ts";

const launched: BrowserSession[] = [];
async function launch(signal?: AbortSignal): Promise<BrowserSession> {
  const settings = { files: await chromiumFiles(), allowed: parseAllowedOrigins(""), limits: testLimits, isIdle: true };
  const session = await launchBrowser({ ...settings, frameMode: "begin-frame-control", ...(signal && { signal }) });
  launched.push(session);
  return session;
}
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(launched.splice(0).map((session) => session.close()));
});

const pidOf = (session: BrowserSession | undefined) => session?.browser.process()?.pid ?? 0;
const isRunning = (pid: number) => existsSync(`/proc/${pid}`);

async function prepared(): Promise<ReadyBrowser> {
  const ready = new ReadyBrowser(launch);
  await ready.prepare();
  return ready;
}

const GREEN_PAGE = `<!doctype html><body style="margin:0;background:green">`;

/** Captures a green page with the browser. */
async function captureGreen(session: BrowserSession) {
  const options = parseCaptureOptions({ html: GREEN_PAGE, viewport_width: 100, viewport_height: 100 });
  const clock = new PhaseClock();
  const browser = { first: Promise.resolve(session), launch: () => launch(), lists: noLists };
  const { body } = await captureOne(options, { browser, startedAt: performance.now(), clock });
  return { colour: (await decode(body)).colourAt(50, 50), serverTiming: clock.header() };
}

test("ready browser: Server-Timing says nothing of the kind about a browser that is launched for its capture", async () => {
  const { colour, serverTiming } = await captureGreen(await launch());
  expect(colour).toEqual(GREEN);
  expect(serverTiming).toMatch(/^browser;dur=[\d.]+, /);
});

test("ready browser: there is at most one, it is handed over once, and the next one is another browser", async () => {
  const ready = await prepared();
  await ready.prepare();
  expect(launched).toHaveLength(1);
  const first = await ready.take();
  expect(await ready.take()).toBeUndefined();
  await ready.prepare();
  const second = await ready.take();
  expect([pidOf(first), pidOf(second)]).toEqual([expect.any(Number), expect.any(Number)]);
  expect(pidOf(second)).not.toBe(pidOf(first));
  expect(isRunning(pidOf(second))).toBe(true);
});

test("ready browser: one that has exited is not handed over", async () => {
  const ready = await prepared();
  killBrowser(launched[0] as BrowserSession);
  expect(await ready.take()).toBeUndefined();
});

test("ready browser: one that was frozen and thawed with its sandbox captures a page, and Server-Timing says that it was ready", async () => {
  const ready = await prepared();
  const pid = pidOf(launched[0]);
  process.kill(-pid, "SIGSTOP");
  await expect.poll(() => launched[0]?.browser.process()?.killed).toBe(false);
  process.kill(-pid, "SIGCONT");
  const session = await ready.take();
  expect(pidOf(session)).toBe(pid);
  const { colour, serverTiming } = await captureGreen(session as BrowserSession);
  expect(colour).toEqual(GREEN);
  expect(serverTiming).toMatch(/^browser;dur=[\d.]+;desc="ready", /);
});

test("ready browser: one that does not respond is killed, and the next one is launched after it is gone", async () => {
  const ready = await prepared();
  const pid = pidOf(launched[0]);
  process.kill(-pid, "SIGSTOP");
  expect(await ready.take()).toBeUndefined();
  await ready.prepare();
  expect(isRunning(pid)).toBe(false);
  expect(pidOf(await ready.take())).toBe(pidOf(launched[1]));
});

test("ready browser: one whose clock is an hour behind is not handed over", async () => {
  const ready = await prepared();
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + 3_600_000);
  expect(await ready.take()).toBeUndefined();
});

test("ready browser: a launch that fails is logged, and the next one is tried", async () => {
  const log = vi.spyOn(console, "error").mockReturnValue();
  let attempts = 0;
  const ready = new ReadyBrowser((signal) =>
    attempts++ === 0 ? Promise.reject(new Error("no memory")) : launch(signal),
  );
  await ready.prepare();
  expect(JSON.stringify(log.mock.calls)).toContain("no memory");
  expect(await ready.take()).toBeUndefined();
  await ready.prepare();
  expect(pidOf(await ready.take())).toBe(pidOf(launched[0]));
});

test("ready browser: one that is launched for a requested capture and does not start fails that capture, and no other", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  let attempts = 0;
  const ready = new ReadyBrowser((signal) =>
    attempts++ === 0 ? Promise.reject(new Error("no memory")) : launch(signal),
  );
  await ready.prepare({ isAhead: false });
  await expect(ready.take()).rejects.toThrow("no memory");
  await ready.prepare({ isAhead: false });
  const { isLaunchedAhead, ...session } = (await ready.take()) as BrowserSession;
  expect([isLaunchedAhead, pidOf(session)]).toEqual([undefined, pidOf(launched[0])]);
});

test("ready browser: one that is discarded is killed", async () => {
  const ready = await prepared();
  await ready.discard();
  expect(isRunning(pidOf(launched[0]))).toBe(false);
  expect(await ready.take()).toBeUndefined();
});
