// Protection from code that has broken out of Chromium: what the browser process may do, and what is reported where the machine
// refuses it. What such code reaches is tested in test/attacks/broken-out.test.ts.
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { hardeningFolder } from "../../../layers/hardening/build.ts";
import { type BrowserSession, launchBrowser } from "../../../lib/engine/browser/browser.ts";
import { idleCheck } from "../../../lib/engine/browser/process-idle.ts";
import { chromiumFiles, testLimits } from "../../support/chromium.ts";

let errors: MockInstance;
beforeEach(() => {
  vi.resetModules(); // each problem is reported once for a process
  errors = vi.spyOn(console, "error").mockReturnValue(undefined);
});
afterEach(() => vi.restoreAllMocks());

const reported = () => errors.mock.calls.map(([{ event, protection }]) => [event, protection]);

async function launch(files: Awaited<ReturnType<typeof chromiumFiles>>): Promise<BrowserSession> {
  const { launchBrowser: launchFresh } = await import("../../../lib/engine/browser/browser.ts");
  return launchFresh({ files, allowed: new Set(), limits: testLimits });
}

const pidOf = ({ browser }: BrowserSession) => browser.process()?.pid ?? 0;
const statusOf = (session: BrowserSession) => readFileSync(`/proc/${pidOf(session)}/status`, "utf8");

describe("protection: the browser", () => {
  test("has a filter, gains no privileges, and keeps no capability that opens other processes", async () => {
    const session = await launch(await chromiumFiles());
    const status = statusOf(session);
    await session.close();
    expect(status).toMatch(/^NoNewPrivs:\t1\nSeccomp:\t2$/m);
    // CAP_DAC_OVERRIDE (bit 1) stays for a service that root runs in the folder of another user.
    expect(status).toMatch(/^CapPrm:\t0{15}[02]\nCapEff:\t0{15}[02]$/m);
    expect(reported()).toEqual([]);
  });

  test("stays readable to the function, which looks for its leftovers and whether it is idle", async () => {
    const session = await launchBrowser({ files: await chromiumFiles(), allowed: new Set(), limits: testLimits });
    const folder = `/proc/${pidOf(session)}`;
    expect(readFileSync(`${folder}/environ`)).not.toHaveLength(0);
    await vi.waitFor(() => expect(readlinkSync(`${folder}/cwd`)).toContain("/profile-")); // it changes there at its start
    await vi.waitFor(async () => expect(await idleCheck(session.browser)()).toBe(true));
    await session.close();
  });

  test("runs without a filter where it can't have one, which is reported once", async () => {
    const { preload: _, ...files } = await chromiumFiles();
    for (let launches = 0; launches < 2; launches++) {
      const session = await launch(files);
      expect(statusOf(session)).toMatch(/^Seccomp:\t0$/m);
      await session.close();
    }
    expect(reported()).toEqual([["protection missing", "browser filter"]]);
  });
});

describe("protection: the function's process", () => {
  const close = async (folder: string, access?: "open") =>
    (await import("../../../lib/engine/browser/protection.ts")).closeProcess(folder, access);

  test("is closed without a word", async () => {
    await close(hardeningFolder("x64"));
    expect(reported()).toEqual([]);
    expect(existsSync("/proc/self/stat")).toBe(true);
  });

  test("goes on where the library can't be loaded, which is reported", async () => {
    await close(join(hardeningFolder("x64"), "missing"));
    expect(reported()).toEqual([["protection missing", "closed process"]]);
  });

  test("stays open for tools that measure it", async () => {
    await close("/nowhere", "open");
    expect(reported()).toEqual([]);
  });
});
