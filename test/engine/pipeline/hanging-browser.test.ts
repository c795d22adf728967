// A browser that does not answer a command of DevTools: the capture is attempted once more in another one.
import type { CDPSession } from "puppeteer-core";
import { describe, expect, test } from "vitest";
import { captureWith, failureOf } from "../../support/chromium.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

/** Quick, for browsers that have little to do. */
const watchdog = { lateMs: 300, pauseMs: 30, looks: 8 };

/** From now on the session never answers `command`. */
function swallow(cdp: CDPSession, command: string): void {
  const send = cdp.send.bind(cdp);
  cdp.send = ((method, ...rest) => {
    const answer = send(method, ...rest);
    return method === command ? new Promise<never>(() => undefined) : answer;
  }) as typeof send;
}

/** Captures an element below the window, in browsers of which the first `hanging` do not answer `command`. */
async function captureIn(hanging: number, command: string, options: Readonly<Record<string, unknown>> = {}) {
  let browsers = 0;
  const work = captureWith(
    { html: '<p style="height: 3000px">Text', full_page: true, ...options },
    {
      watchdog,
      assertsCleanup: true,
      launched: ({ cdp }) => {
        if (++browsers <= hanging) swallow(cdp, command);
      },
    },
  );
  await work.catch(() => undefined);
  return { work, browsers };
}

describe.concurrent("a browser that hangs", () => {
  sampled(test, 8).for([
    ["Browser.setWindowBounds", {}],
    ["Page.getLayoutMetrics", { deterministic: true }],
    ["Page.printToPDF", { format: "pdf", full_page: undefined }],
    ["Browser.getWindowForTarget", {}],
  ] as const)("is replaced once: %s", async ([command, options]) => {
    const { work, browsers } = await captureIn(1, command, options);
    expect((await work).body.length).toBeGreaterThan(0);
    expect(browsers).toBe(2);
  });

  slowTest("is an error that names the command when its replacement hangs as well", async () => {
    const { work, browsers } = await captureIn(2, "Browser.setWindowBounds");
    const { code, message } = await failureOf(work);
    expect(code).toBe("INTERNAL_ERROR");
    expect(message).toContain("Browser.setWindowBounds");
    expect(browsers).toBe(2);
  });

  slowTest(
    "does not finish a frame of a deterministic capture, which needs its frames: the error names it",
    async () => {
      const { work, browsers } = await captureIn(2, "HeadlessExperimental.beginFrame", { deterministic: true });
      const { code, message } = await failureOf(work);
      expect([code, browsers]).toEqual(["INTERNAL_ERROR", 2]);
      expect(message).toContain("HeadlessExperimental.beginFrame");
    },
  );
});
