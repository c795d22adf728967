// Requests for a capture: what the client does not wait for, and what becomes of a reservation that is not used.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { plans } from "../../../lib/contract/plans.ts";
import type { LazyBrowser } from "../../../lib/engine/browser-launcher.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { periodAt } from "../../../lib/service/billing/billing-period.ts";
import { allowanceFor } from "../../../lib/service/billing/quota.ts";
import { readUsedQuota } from "../../../lib/service/billing/quota-store.ts";
import { serveCaptures } from "../../../lib/service/captures/serve.ts";
import { createApiKey, KEY_ENTROPY_BYTES } from "../../../lib/service/keys/api-key.ts";
import { embeddedRenderer } from "../../../lib/service/rendering/embedded-renderer.ts";
import { anApiRequest, JSON_TYPE } from "../../support/builders.ts";
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
  return {
    first,
    launch: () => first,
    lists: noLists,
    egressRefusals: () => 0,
    kill: () => undefined,
    [Symbol.asyncDispose]: () => going,
  };
}

/** A well-formed key of no account. */
const unknownKey = createApiKey(new Uint8Array(KEY_ENTROPY_BYTES));
const query = [["html", "<p>text"]] as const;
const withKey = (value: string) => ({ headers: { authorization: `Bearer ${value}` }, query });

test.each([
  ["a capture that fails", () => key, "TARGET_TOO_LARGE"],
  ["a key that does not exist", () => unknownKey, "UNAUTHORIZED"],
])("the caller receives the error of %s before the browser has gone or is ready", async (_, keyOf, code) => {
  const { promise: going, resolve: go } = Promise.withResolvers<void>();
  const request = anApiRequest({ ...withKey(keyOf()), startedAt: performance.now() });
  const startBrowser = Object.assign(() => aFailingBrowser(going), { prepare: () => going });
  const serving = { createRenderer: embeddedRenderer(startBrowser), env: running.env, allowed: new Set<string>() };

  await expect(serveCaptures(request, serving)).rejects.toMatchObject({ code });

  const over = request.responded().then(() => "gone");
  expect(await Promise.race([over, "still going"])).toBe("still going");
  go();
  expect(await over).toBe("gone");
});

const forged = (keyId: string, signature: string) => ({
  query: [...query, ["key_id", keyId], ["expires", "4000000000"], ["signature", signature]] as const,
});

test.each([
  ["without a key", { query }, 0],
  ["with half a key", withKey("cap_123"), 0],
  ["with a key of another checksum", withKey(`${unknownKey.slice(0, -1)}!`), 0],
  ["with a key in its body", { method: "POST", headers: JSON_TYPE, body: { html: "x", access_key: unknownKey } }, 0],
  ["with a link without a signature's form", forged("1", "abc"), 0],
  ["with a link without a key's id", forged("x", "a".repeat(64)), 0],
  ["with half a session", { query, sessionToken: "ses_1", headers: { "sec-fetch-site": "same-origin" } }, 0],
  ["with a well-formed key that does not exist", withKey(unknownKey), 1],
  ["with a link of a wrong signature", forged("1", "a".repeat(64)), 1],
])(
  "a request %s is refused and takes no browser; one may be launched during the look-up",
  async (_, parts, launches) => {
    const prepare = vi.fn(() => Promise.resolve());
    const start = vi.fn(() => expect.unreachable());
    const startBrowser = Object.assign(start, { prepare });
    const request = anApiRequest({ ...parts, receivedAt: Date.now(), startedAt: performance.now() });
    const serving = serveCaptures(request, {
      createRenderer: embeddedRenderer(startBrowser),
      env: running.env,
      allowed: new Set<string>(),
    });
    await expect(serving).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await request.responded();
    expect([start.mock.calls.length, prepare.mock.calls.length]).toEqual([0, launches]);
  },
);

test("a request whose response is replayed or refused by its idempotency key leaves no quota reserved", async () => {
  const env = running.env;
  const opened = await openAccount(env.ACCOUNTS_TABLE, { plan: "free", label: "Test", now: Date.now() });
  const { account } = opened.ring;
  const send = async (html: string) => {
    const headers = { ...JSON_TYPE, authorization: `Bearer ${opened.key}`, "idempotency-key": "order-1" };
    const body = { html, async: true };
    const request = anApiRequest({
      method: "POST",
      headers,
      body,
      receivedAt: Date.now(),
      startedAt: performance.now(),
    });
    const startBrowser = () => {
      throw new Error("A browser was started.");
    };
    const serving = serveCaptures(request, {
      createRenderer: embeddedRenderer(startBrowser),
      env,
      allowed: new Set<string>(),
    });
    const outcome = await serving.then(
      ({ status, headers: { "Idempotent-Replayed": replayed } = {} }) => [status, replayed],
      ({ status }) => [status],
    );
    await request.responded();
    return outcome;
  };
  const reserved = () => {
    const capture = { accountId: account.id, attempt: "a", period: periodAt(account, Date.now()) };
    const allowance = allowanceFor({ ...capture, credit: "screenshots" }, plans.free);
    return readUsedQuota(env.USAGE_TABLE, allowance, Date.now());
  };

  expect([await send("a"), await reserved()]).toEqual([[202, undefined], 1]);
  expect([await send("a"), await reserved()]).toEqual([[202, "true"], 1]);
  expect([await send("b"), await reserved()]).toEqual([[409], 1]);
});
