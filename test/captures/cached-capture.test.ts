// Captures that others want, too: what becomes of those who wait when the one who takes it fails, by whoever's fault.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobKey, leaseKey } from "../../lib/aws/table-keys.ts";
import { cachePlan } from "../../lib/captures/cache-plan.ts";
import { type CachedCaptureOptions, captureThroughCache, findCapture } from "../../lib/captures/cached-capture.ts";
import { acquireLease, type Lease, readLeaseState } from "../../lib/captures/lease-store.ts";
import type { CaptureRequest } from "../../lib/captures/render-capture.ts";
import { launchBrowser } from "../../lib/engine/browser/browser.ts";
import type { LazyBrowser } from "../../lib/engine/browser/browser-launcher.ts";
import type { BrowserUse } from "../../lib/engine/browser/browser-use.ts";
import { PhaseClock } from "../../lib/engine/pipeline/phase-clock.ts";
import type { ApiError } from "../../lib/errors/api-error.ts";
import { parseCaptureOptions } from "../../lib/options/capture-options.ts";
import { removeReference } from "../../lib/results/reference-store.ts";
import { listCaptures } from "../../lib/usage/list-store.ts";
import { NotRecordedError } from "../../lib/usage/usage-store.ts";
import { chromiumFiles, noLists, testLimits } from "../support/chromium.ts";
import { aQueuedJob } from "../support/queued-job.ts";
import { startTestResources, type TestResources } from "../support/test-resources.ts";

let running: TestResources;
let places: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  places = running.env;
  await chromiumFiles();
});
afterAll(() => running.close());

/** Orders of one account, all of them for the same capture, and how they are taken. */
function orders(sent: object = {}) {
  const { account_id: accountId } = aQueuedJob();
  const options = parseCaptureOptions({ html: `<p>${randomUUID()}</p>`, viewport_width: 200, cache_ttl: 600, ...sent });
  const plan = cachePlan(options, accountId);
  const flight: Lease = { table: places.ACTIVITY_TABLE, key: leaseKey(accountId, plan?.hash ?? ""), holder: "test" };

  const anOrder = (timeout: number): CaptureRequest => {
    const { id, request: order } = aQueuedJob({ account_id: accountId });
    const own = { startedAt: performance.now(), clock: new PhaseClock(), options: { ...options, timeout } };
    return { ...order, ...own, sent: {}, sourceIp: "", requestId: id, refusal: undefined };
  };
  return {
    accountId,
    plan,
    flight,
    take: (browser: () => LazyBrowser, how: Partial<CachedCaptureOptions> = {}, timeout = options.timeout) =>
      captureThroughCache(anOrder(timeout), { plan, withBody: true, keptSeconds: undefined, browser, ...how }, places),
    /** Whether each capture that is logged succeeded, and was cached. */
    logs: async () => {
      const view = { activity: places.ACTIVITY_TABLE, usage: places.USAGE_TABLE, retentionDays: 400, now: Date.now() };
      const { logs } = await listCaptures({ ...view, accountId }, { page: 1, per_page: 25 });
      return logs.map(({ status, cached }) => `${status}${cached ? ", cached" : ""}`).sort();
    },
  };
}

/** A real browser. */
function begin(): LazyBrowser {
  const launch = async ({ painting }: BrowserUse) =>
    launchBrowser({ files: await chromiumFiles(), allowed: new Set(), limits: testLimits, frameMode: painting });
  const first = launch({ painting: "begin-frame-control", isFilmed: false }); // as for all pictures of a window
  return { first, launch, lists: noLists, [Symbol.asyncDispose]: async () => (await first).close() };
}

/** A browser that does not start, once it is told so: a fault of ours. */
function aBrokenBrowser() {
  const breaking = Promise.withResolvers<never>();
  breaking.promise.catch(() => undefined);
  const launch = () => breaking.promise;
  const begun: LazyBrowser = { first: launch(), launch, lists: noLists, [Symbol.asyncDispose]: async () => undefined };
  return { begin: () => begun, breakDown: () => breaking.reject(new Error("no browser starts")) };
}

const codeOf = (capture: Promise<unknown>) => capture.then(undefined, (error: ApiError) => error.code);
const isHeld = (flight: Lease) =>
  expect.poll(() => readLeaseState(flight)).toMatchObject({ holder: expect.any(String) });

describe("of several orders for one capture", () => {
  test("the next one takes it where the first one failed by a fault of ours", async () => {
    const { flight, take, logs } = orders();
    const broken = aBrokenBrowser();
    const first = codeOf(take(broken.begin));
    await isHeld(flight);
    const others = [take(begin), take(begin)];
    broken.breakDown();
    expect(await first).toBe("INTERNAL_ERROR");
    const taken = await Promise.all(others);
    expect(taken.map(({ fromCache }) => fromCache).sort()).toEqual([false, true]);
    expect(taken[0]?.body?.equals(taken[1]?.body ?? Buffer.of())).toBe(true);
    expect(await logs()).toEqual(["failed", "success", "success, cached"]);
    expect(await readLeaseState(flight)).toBeUndefined();
  });

  test("all fail where the first one failed by the page's fault", async () => {
    const { take, logs } = orders({ selector: "#missing", timeout: 3 });
    let begun = 0;
    const counted = () => {
      begun++;
      return begin();
    };
    const codes = await Promise.all([take(counted), take(counted), take(counted)].map(codeOf));
    expect([begun, codes]).toEqual([1, Array(3).fill("SELECTOR_NOT_FOUND")]);
    expect(await logs()).toEqual(Array(3).fill("failed"));
  });

  test("one that has more time is not failed by one that had too little", async () => {
    const { flight, take, logs } = orders({ wait_for_expression: "performance.now() > 1500" });
    const hasty = codeOf(take(begin, {}, 1));
    await isHeld(flight);
    const patient = take(begin, {}, 20);
    expect([await hasty, (await patient).fromCache]).toEqual([expect.stringMatching(/TIMEOUT|EXPRESSION/), false]);
    expect(await logs()).toEqual(["failed", "success"]);
  });

  test("none has to wait for one that will be taken again, nor for one that was recorded by somebody else", async () => {
    const { flight, take, logs } = orders();
    const broken = aBrokenBrowser();
    broken.breakDown();
    expect(await codeOf(take(broken.begin, { isRetried: () => true }))).toBe("INTERNAL_ERROR");
    expect(await readLeaseState(flight)).toBeUndefined();
    const unmet = {
      Update: {
        TableName: places.ACTIVITY_TABLE,
        Key: jobKey(1, 1),
        UpdateExpression: "SET a = :a",
        ConditionExpression: "attribute_exists(pk)",
        ExpressionAttributeValues: { ":a": 1 },
      },
    };
    const foreign = take(begin, { companions: () => [{ write: unmet, isRequired: true }] });
    await expect(foreign).rejects.toBeInstanceOf(NotRecordedError);
    expect([await readLeaseState(flight), await logs()]).toEqual([undefined, []]);
    expect((await take(begin)).fromCache).toBe(false);
  });
});

test("an order whose result is deleted when it was just found takes a new one", async () => {
  const { take, plan, accountId } = orders();
  const made = await take(begin, { referrer: 1 });
  const found = await findCapture({ plan, accountId, withBody: true }, places);
  expect(found).toMatchObject({ isReferenceCounted: true, stored: { key: made.stored?.key } });
  await removeReference(places.ACTIVITY_TABLE, { accountId, key: made.stored?.key ?? "" }, 1);
  // Its cache entry and its bytes are still there: the deletion is under way.
  const next = await take(begin, { referrer: 2, found });
  expect([next.fromCache, next.stored?.key !== made.stored?.key]).toEqual([false, true]);
});

test("an order for a new capture neither waits for others nor ends their waiting", async () => {
  const { flight, take, logs } = orders({ cache_refresh: true });
  await acquireLease(flight, { now: Date.now() });
  expect((await take(begin)).fromCache).toBe(false);
  expect(await readLeaseState(flight)).toMatchObject({ holder: "test" });
  expect(await logs()).toEqual(["success"]);
});

test("no browser begins for what is found", async () => {
  const { take } = orders();
  await take(begin);
  const none = () => {
    throw new Error("A browser was begun.");
  };
  expect((await take(none)).fromCache).toBe(true);
});
