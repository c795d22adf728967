// The life of a browser: killed at any moment, it keeps nobody waiting.
import { expect, test } from "vitest";
import { launchBrowser } from "../../../lib/capture/browser/browser.ts";
import { chromiumFiles, testLimits } from "../../support/chromium.ts";

const settings = async (signal?: AbortSignal) => ({
  files: await chromiumFiles(),
  allowed: new Set<string>(),
  limits: testLimits,
  ...(signal && { signal }),
});

test.each([1, 10, 20, 30, 40, 50, 60, 70, 80, 100])("a launch that is ended after %i ms settles", async (moment) => {
  const ending = new AbortController();
  const launching = launchBrowser(await settings(ending.signal));
  setTimeout(() => ending.abort(), moment);
  const outcome = await launching.then(
    (session) => session.gone.then(() => session.close()),
    () => undefined,
  );
  expect(outcome).toBeUndefined();
});

test("a browser that is closed does not count as gone by itself", async () => {
  const session = await launchBrowser(await settings());
  await session.close();
  await session.close();
  expect(await Promise.race([session.gone, "still waiting"])).toBe("still waiting");
});
