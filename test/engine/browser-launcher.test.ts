// Browser launcher: its environment variables, what happens when Chromium does not start, and the browser of the next capture.
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { buildChromiumLayer } from "../../layers/chromium/build.ts";
import { buildFontsLayer } from "../../layers/fonts/build.ts";
import { parseCaptureOptions } from "../../lib/contract/options/capture-options.ts";
import type { BrowserSession } from "../../lib/engine/browser/browser.ts";
import { browserMemoryMegabytes } from "../../lib/engine/browser-launcher.ts";
import { NO_ORIGINS } from "../../lib/engine/egress/egress-policy.ts";
import { captureOne } from "../../lib/engine/pipeline/capture.ts";
import { PhaseClock } from "../../lib/engine/pipeline/phase-clock.ts";
import { engineSettings } from "../../lib/service/platform/engine-settings.ts";
import { browserProcesses } from "../../lib/tools/local/ready-browsers.ts";
import { killBrowser } from "../support/chromium.ts";
import { profileFolder } from "../support/leftovers.ts";
import { createLockedFolder } from "../support/locked-folder.ts";
import { slowTest } from "../support/slow-run.ts";

let folder: string;
let createBrowserLauncher: typeof import("../../lib/engine/browser-launcher.ts").createBrowserLauncher;
let leaveCondemned: typeof import("../../lib/engine/browser/tainted-sandbox.ts").exitTaintedSandbox;

/** Starts a sandbox: modules in their first state, and a temporary folder. */
async function enterSandbox(): Promise<void> {
  vi.resetModules();
  ({ createBrowserLauncher } = await import("../../lib/engine/browser-launcher.ts"));
  ({ exitTaintedSandbox: leaveCondemned } = await import("../../lib/engine/browser/tainted-sandbox.ts"));
  folder = mkdtempSync(join(tmpdir(), "launcher-test-"));
  vi.stubEnv("TMPDIR", folder);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.stubEnv("FONT_FILES", "/opt/fonts");
  vi.stubEnv("BLOCKING_FILES", "/opt/blocking");
}

function leaveSandbox(): void {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

describe("browser launcher:", () => {
  beforeEach(enterSandbox);
  afterEach(leaveSandbox);

  test("never launches a browser for rejected options", async () => {
    vi.stubEnv("CHROMIUM_FILES", "/nowhere/at-all");
    const refusal = new Error("refused");
    await using browser = createBrowserLauncher(engineSettings(NO_ORIGINS))(Promise.reject(refusal));
    await expect(browser.first).rejects.toBe(refusal);
  });

  slowTest(
    "a sandbox whose disk was full captures again once Chromium can be unpacked, and one that cannot ends",
    async () => {
      const exit = vi.spyOn(process, "exit").mockImplementation((() => undefined) as never);
      const layer = join(folder, "at-all");
      vi.stubEnv("CHROMIUM_FILES", layer);
      vi.stubEnv("FONT_FILES", join(buildFontsLayer(), "fonts"));
      const use = Promise.resolve({ frameMode: "continuous", recordsVideo: false } as const);
      const begin = createBrowserLauncher(engineSettings(NO_ORIGINS));
      {
        await using failing = begin(use);
        await expect(failing.first).rejects.toThrow(/ENOENT.*at-all/);
        const requested = { browser: failing, startedAt: performance.now(), clock: new PhaseClock() };
        await expect(captureOne(parseCaptureOptions({ html: "<p>x" }), requested)).rejects.toThrow(
          /^The browser could not be started .*Nothing was billed\.$/,
        );
      }
      leaveCondemned();
      expect(exit).toHaveBeenCalledExactlyOnceWith(1);
      symlinkSync(join(buildChromiumLayer(), "chromium"), layer);
      await using healed = begin(use);
      expect((await healed.first).browser.connected).toBe(true);
    },
  );

  test.each(["chromium", "profile", "fonts", "fonts.conf"])(
    "a foreign file in the temporary folder is not touched: %s",
    async (name) => {
      writeFileSync(join(folder, name), "of another program");
      vi.stubEnv("CHROMIUM_FILES", "/nowhere/at-all");
      const refused = createBrowserLauncher(engineSettings(NO_ORIGINS))(
        Promise.resolve({ frameMode: "continuous", recordsVideo: false }),
      );
      await expect(refused.first).rejects.toThrow(/at-all/);
      await refused[Symbol.asyncDispose]();
      expect(readFileSync(join(folder, name), "utf8")).toBe("of another program");
      expect(readdirSync(folder)).toEqual([name]);
    },
  );
});

test("browser launcher: a browser gets all memory that the function does not need, and less when a video is recorded", () => {
  const [image, video] = [false, true].map((recordsVideo) => browserMemoryMegabytes(2_048, { recordsVideo }));
  expect(image).toBe(browserMemoryMegabytes(1_048, { recordsVideo: false }) + 1_000);
  expect(video).toBe((image ?? 0) - 400);
});

describe("browser launcher: the browser of the next capture", () => {
  // The tests share a sandbox, as its captures do, since Chromium is unpacked once there.
  beforeAll(async () => {
    await enterSandbox();
    vi.stubEnv("CHROMIUM_FILES", join(buildChromiumLayer(), "chromium"));
    vi.stubEnv("FONT_FILES", join(buildFontsLayer(), "fonts"));
    vi.stubEnv("LAUNCH_AHEAD", "true");
  });
  afterAll(leaveSandbox);
  afterEach(async () => {
    runningBrowsers().forEach((pid) => void process.kill(-pid, "SIGKILL"));
    await expect.poll(runningBrowsers).toEqual([]);
  });

  const use = Promise.resolve({ frameMode: "begin-frame-control", recordsVideo: false } as const);
  const pidOf = (session: BrowserSession) => session.browser.process()?.pid ?? 0;
  /** Process ids of the browsers of this sandbox. */
  const runningBrowsers = () => browserProcesses(folder);
  test("is ready when the last one is gone", async () => {
    const start = createBrowserLauncher(engineSettings(NO_ORIGINS));
    const browser = start(use);
    const used = pidOf(await browser.first);
    await browser[Symbol.asyncDispose]();
    const [ready, ...others] = runningBrowsers();
    expect(others).toEqual([]);
    expect(ready).not.toBe(used);

    const next = start(use);
    const { isLaunchedAhead, ...session } = await next.first;
    expect([isLaunchedAhead, pidOf(session)]).toEqual([true, ready]);
  });

  test("is launched once for requests that are refused, and stays for the next capture", async () => {
    const start = createBrowserLauncher(engineSettings(NO_ORIGINS));
    const ready = { frameMode: "begin-frame-control", recordsVideo: false } as const;
    await Promise.all([start.prepare?.(ready), start.prepare?.(ready)]);
    await start.prepare?.(ready);
    const [launched, ...others] = runningBrowsers();
    expect(others).toEqual([]);
    await start.prepare?.({ ...ready, frameMode: "continuous" });
    await start.prepare?.({ ...ready, locale: "de-DE" });
    expect(runningBrowsers()).toEqual([launched]);

    await using browser = start(use);
    const { isLaunchedAhead, ...session } = await browser.first;
    expect([isLaunchedAhead, pidOf(session)]).toEqual([undefined, launched]);
  });

  test("does not serve a capture in another language", async () => {
    const start = createBrowserLauncher(engineSettings(NO_ORIGINS));
    await start.prepare?.({ frameMode: "begin-frame-control", recordsVideo: false });
    const [prepared] = runningBrowsers();
    await using browser = start(
      Promise.resolve({ frameMode: "begin-frame-control", recordsVideo: false, locale: "de-DE" }),
    );
    expect(pidOf(await browser.first)).not.toBe(prepared);
  });

  test("is launched while the sandbox has the permit, which is requested again for each capture", async () => {
    const permit = join(folder, "permit");
    vi.stubEnv("READY_BROWSER_PERMIT", permit);
    const start = createBrowserLauncher(engineSettings(NO_ORIGINS));
    vi.stubEnv("READY_BROWSER_PERMIT", undefined);
    const capturing = async () => {
      const browser = start(use);
      await browser.first;
      await browser[Symbol.asyncDispose]();
      return runningBrowsers().length;
    };
    expect(await capturing()).toBe(0);
    writeFileSync(permit, "");
    expect(await capturing()).toBe(1);
    rmSync(permit);
    expect(await capturing()).toBe(0);
  });

  test("is not launched after one that crashed", async () => {
    const browser = createBrowserLauncher(engineSettings(NO_ORIGINS))(use);
    const session = await browser.first;
    killBrowser(session);
    expect(await session.exitReason).toBe("crashed");
    await browser[Symbol.asyncDispose]();
    expect(runningBrowsers()).toEqual([]);
  });

  // The last one: from then on, the sandbox is tainted.
  test("does not stay in a sandbox in which the last one has left something", async () => {
    const browser = createBrowserLauncher(engineSettings(NO_ORIGINS))(use);
    const profile = profileFolder(await browser.first);
    using _ = createLockedFolder(join(profile, "kept"));
    await browser[Symbol.asyncDispose]();
    expect(runningBrowsers()).toEqual([]);
  });
});
