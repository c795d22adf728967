// What is stale, taken anew: with which options, how often, and what becomes of it where there is no room for it.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { toCaller } from "../../lib/accounts/account.ts";
import { revalidationKey } from "../../lib/aws/table-keys.ts";
import { plans } from "../../lib/billing/plans.ts";
import { cachePlan } from "../../lib/captures/cache-plan.ts";
import { acquireLease } from "../../lib/captures/lease-store.ts";
import { revalidate, revalidationOptions, type StaleCapture } from "../../lib/captures/revalidate.ts";
import { PhaseClock } from "../../lib/engine/pipeline/phase-clock.ts";
import { acquireSlot, releaseSlot } from "../../lib/jobs/slot-store.ts";
import { parseCaptureOptions } from "../../lib/options/capture-options.ts";
import { anAccount, anApiKey, anApiRequest } from "../support/builders.ts";
import { aQueuedJob } from "../support/queued-job.ts";
import { receiveMessages, startTestResources, type TestResources } from "../support/test-resources.ts";

let running: TestResources;
let places: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  places = running.env;
});
afterAll(() => running.close());

const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
afterEach(() => errors.mockClear());

const url = "https://example.com/";
const MINUTE_MS = 60_000;

/** A request of an account of its own, in its trial, that was answered by what is stale. */
function aStale({
  openedAt = Date.now(),
  ...more
}: Record<string, unknown> & { openedAt?: number } = {}): StaleCapture {
  const { account_id, request: order, id: requestId } = aQueuedJob();
  const created_at = new Date(openedAt).toISOString();
  const account = anAccount({ id: account_id, plan: "free", billed_from: null, created_at });
  const caller = toCaller(account, anApiKey({ account_id }));
  const sent = { url, cache: true, cache_stale_ttl: 600, ...more };
  const facts = { sent, options: parseCaptureOptions(sent), sourceIp: "192.0.2.1", startedAt: 0, requestId };
  return {
    order: { ...facts, caller, allowance: order.allowance, refusal: undefined, clock: new PhaseClock() },
    hash: "a",
    staleSince: Date.now(),
  };
}

const refresh = (stale: StaleCapture, other: Partial<typeof places> = {}) =>
  revalidate(anApiRequest({ receivedAt: Date.now() }), stale, { ...places, ...other });
const ordered = () => receiveMessages(places.RENDER_QUEUE_URL);

describe("what is stale is taken anew", () => {
  test("once, by many requests at once, with their options", async () => {
    const stale = aStale({ format: "jpeg" });
    await Promise.all(Array.from({ length: 10 }, () => refresh(stale)));
    const inline = { url, cache: true, cache_stale_ttl: 600, format: "jpeg", async: true, cache_refresh: true };
    expect(await ordered()).toEqual([
      { account_id: stale.order.caller.account.id, job_id: expect.any(Number), options: { inline } },
    ]);
    expect(errors).not.toHaveBeenCalled();
  });

  test("again, once what took its place is stale as well", async () => {
    const stale = aStale();
    await refresh(stale);
    await refresh({ ...stale, staleSince: stale.staleSince + 1 });
    expect(await ordered()).toHaveLength(2);
  });

  test("again, where the first time led to nothing", async () => {
    const stale = aStale({ timeout: 10 });
    const { hash, staleSince, order } = stale;
    const key = revalidationKey(order.caller.account.id, hash, staleSince);
    const first = { table: places.ACTIVITY_TABLE, key, holder: "first" };
    await acquireLease(first, { now: Date.now(), leaseMs: MINUTE_MS });
    await refresh(stale);
    expect(await ordered()).toEqual([]);
    await acquireLease(first, { now: Date.now() + MINUTE_MS, leaseMs: -MINUTE_MS });
    await refresh(stale);
    expect(await ordered()).toHaveLength(1);
  });
});

describe("what is stale stays, without a word,", () => {
  test("where the trial is over", async () => {
    await refresh(aStale({ openedAt: Date.UTC(2020, 0, 1) }));
    expect(await ordered()).toEqual([]);
    expect(errors).not.toHaveBeenCalled();
  });

  test("where the account has as many captures in the background as it may", async () => {
    const stale = aStale();
    const accountId = stale.order.caller.account.id;
    const limit = plans.free.concurrentJobs;
    const slots = Array.from({ length: limit }, (_, index) => ({ accountId, attempt: String(index) }));
    const now = Date.now();
    for (const slot of slots) await acquireSlot(places.USAGE_TABLE, slot, { limit, now, until: now + MINUTE_MS });
    await refresh(stale);
    expect(await ordered()).toEqual([]);
    expect(errors).not.toHaveBeenCalled();
    for (const slot of slots) await releaseSlot(places.USAGE_TABLE, slot);
    await refresh({ ...stale, staleSince: 1 });
    expect(await ordered()).toHaveLength(1);
  });
});

test("what cannot be ordered by a fault of ours is logged, and spoils no answer", async () => {
  const stale = aStale();
  await refresh(stale, { RENDER_QUEUE_URL: `${places.RENDER_QUEUE_URL}-none` });
  expect(errors).toHaveBeenCalledOnce();
  expect(JSON.parse(String(errors.mock.lastCall?.[0]))).toMatchObject({ request_id: stale.order.requestId });
});

test.each<Record<string, unknown>>([
  {},
  { cache_ttl: "60", format: "pdf", external_identifier: "order-1" },
  { attachment_name: "a.png" },
  { attachment_name: "a.png", response_type: "json" },
  { attachment_name: "a.png", response_type: "empty", async: "false" },
  { accept_language: "de-CH", cache_key: "a", cache_refresh: "false" },
])("what is taken anew takes the place of what is stale: %j", (more) => {
  const sent = { url, cache: "true", ...more };
  const options = parseCaptureOptions(sent);
  const refreshing = parseCaptureOptions(revalidationOptions({ sent, options }));
  const plan = cachePlan(options, 3);
  expect(plan).toBeDefined();
  expect(cachePlan(refreshing, 3)).toEqual({ ...plan, isRefreshed: true });
});
