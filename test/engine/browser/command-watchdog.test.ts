// Watchdog for DevTools commands: a command hangs when it is not answered although nothing works for it.
import type { CDPSession } from "puppeteer-core";
import { expect, onTestFinished, test } from "vitest";
import { CommandHung, type WatchedBrowser, watchCommands } from "../../../lib/engine/browser/command-watchdog.ts";

const LIMITS = { lateMs: 5, pauseMs: 2, looks: 3 };
const idle: WatchedBrowser = { hasWorked: () => false, isLoading: () => false };
const never = new Promise<never>(() => undefined);

/** A session that does not answer the commands in `swallowed`. */
function sessionWithout(...swallowed: readonly string[]): CDPSession {
  const send = (method: string) => (swallowed.includes(method) ? never : Promise.resolve({}));
  return { send } as unknown as CDPSession;
}

/** Sends a command, and resolves to the error of the watchdog, or to "not hung" after `looks` looks at the browser. */
async function outcome(
  cdp: CDPSession,
  command: Parameters<CDPSession["send"]>,
  browser: WatchedBrowser = idle,
): Promise<unknown> {
  let looks = 0;
  const enough = Promise.withResolvers<string>();
  const counted: WatchedBrowser = {
    ...browser,
    hasWorked: () => {
      if (++looks === 12) enough.resolve("not hung");
      return browser.hasWorked();
    },
  };
  const watchdog = watchCommands(cdp, counted, LIMITS);
  onTestFinished(() => watchdog.stop());
  void cdp.send(...command);
  return Promise.race([watchdog.hung.catch((error) => error), enough.promise]);
}

test("watchdog: a command that is not answered by an idle browser hangs, and the error names it", async () => {
  const error = await outcome(sessionWithout("Page.getLayoutMetrics"), ["Page.getLayoutMetrics"]);
  expect(error).toBeInstanceOf(CommandHung);
  expect(error).toMatchObject({ command: "Page.getLayoutMetrics" });
});

test("watchdog: a command is waited for while something works for it", async () => {
  const working = { ...idle, hasWorked: () => true };
  expect(await outcome(sessionWithout("Page.captureScreenshot"), ["Page.captureScreenshot"], working)).toBe("not hung");
});

test("watchdog: a command is waited for while the page loads something", async () => {
  const loading = { ...idle, isLoading: () => true };
  expect(await outcome(sessionWithout("Page.printToPDF"), ["Page.printToPDF"], loading)).toBe("not hung");
});

test("watchdog: a page that computes does not respond, and is waited for", async () => {
  const busy = sessionWithout("Runtime.evaluate");
  const watchdog = watchCommands(busy, idle, LIMITS);
  onTestFinished(() => watchdog.stop());
  void busy.send("Runtime.evaluate", { expression: "for(;;);" });
  const late = new Promise((resolve) => setTimeout(resolve, 60, "not hung"));
  expect(await Promise.race([watchdog.hung.catch((error) => error), late])).toBe("not hung");
});

test.each([
  ["Page.navigate", { url: "https://example.com/" }],
  ["Runtime.callFunctionOn", { functionDeclaration: "() => new Promise(() => {})", awaitPromise: true }],
] as const)("watchdog: %s may wait for the page for any time", async (method, parameters) => {
  const cdp = sessionWithout(method);
  const watchdog = watchCommands(cdp, idle, LIMITS);
  onTestFinished(() => watchdog.stop());
  void cdp.send(method, parameters);
  const late = new Promise((resolve) => setTimeout(resolve, 60, "not hung"));
  expect(await Promise.race([watchdog.hung.catch((error) => error), late])).toBe("not hung");
});
