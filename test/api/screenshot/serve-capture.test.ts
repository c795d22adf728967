// A request for a capture that ends in an error: its caller does not wait for the browser to go, the function does.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccount } from "../../../lib/accounts/open-account.ts";
import { serveCapture } from "../../../lib/api/screenshot/serve-capture.ts";
import type { LazyBrowser } from "../../../lib/engine/browser/browser-launcher.ts";
import { ApiError } from "../../../lib/errors/api-error.ts";
import { anApiRequest } from "../../support/builders.ts";
import { noLists } from "../../support/chromium.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let key: string;
beforeAll(async () => {
  running = await startTestResources();
  const owner = { plan: "max", label: "Test", now: Date.now() } as const;
  ({ key } = await openAccount(running.env.ACCOUNTS_TABLE, owner));
});
afterAll(() => running.close());

/** A browser whose page goes beyond a limit, and which is gone when `going` resolves. */
function aFailingBrowser(going: Promise<void>): LazyBrowser {
  const first = Promise.reject(new ApiError("TARGET_TOO_LARGE", "The page is too large."));
  first.catch(() => undefined);
  return { first, launch: () => first, lists: noLists, [Symbol.asyncDispose]: () => going };
}

test.each([
  ["a capture that fails", () => key, "TARGET_TOO_LARGE"],
  ["a key that nobody has", () => `${key.slice(0, -8)}00000000`, "UNAUTHORIZED"],
])("the caller is told of %s before the browser has gone", async (_, keyOf, code) => {
  const { promise: going, resolve: go } = Promise.withResolvers<void>();
  const query = [["html", "<p>text"]] as const;
  const request = anApiRequest({
    headers: { authorization: `Bearer ${keyOf()}` },
    query,
    startedAt: performance.now(),
  });
  const serving = { begin: () => aFailingBrowser(going), places: running.env, allowed: new Set<string>() };

  await expect(serveCapture(request, serving)).rejects.toMatchObject({ code });

  const over = Promise.all(request.afterwards).then(() => "gone");
  expect(await Promise.race([over, "still going"])).toBe("still going");
  go();
  expect(await over).toBe("gone");
});
