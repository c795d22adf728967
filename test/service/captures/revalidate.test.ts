// stale-while-revalidate: which capture replaces a stale result, how often, and when none does.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { plans } from "../../../lib/contract/plans.ts";
import { toCaller } from "../../../lib/service/account/account.ts";
import { revalidationKey } from "../../../lib/service/aws/table-keys.ts";
import { QuotaReservation } from "../../../lib/service/billing/quota-reservation.ts";
import { cachePolicy } from "../../../lib/service/captures/cache-key.ts";
import { acquireLease } from "../../../lib/service/captures/lease-store.ts";
import { revalidate, revalidationOptions, type StaleRequest } from "../../../lib/service/captures/revalidate.ts";
import { acquireSlot, releaseSlot } from "../../../lib/service/jobs/slot-store.ts";
import { anAccount, anApiKey } from "../../support/builders.ts";
import { aQueuedJob } from "../../support/queued-job.ts";
import { receiveMessages, startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let env: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  env = running.env;
});
afterAll(() => running.close());

const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
afterEach(() => errors.mockClear());

const url = "https://example.com/";
const MINUTE_MS = 60_000;

/** A request of a new account, in its trial, that a stale result answered. */
function aStale({
  openedAt = Date.now(),
  ...more
}: Record<string, unknown> & { openedAt?: number } = {}): StaleRequest {
  const { account_id, outputs, id: requestId } = aQueuedJob();
  const created_at = new Date(openedAt).toISOString();
  const account = anAccount({ id: account_id, plan: "free", billed_from: null, created_at });
  const caller = toCaller(account, anApiKey({ account_id }));
  const rawOptions = { url, cache: true, cache_stale_ttl: 600, ...more };
  const facts = { rawOptions, options: parseCaptureOptions(rawOptions), sourceIp: "192.0.2.1", requestId };
  const reservation = new QuotaReservation(outputs[0].allowance, env);
  const cache = { accountId: account_id, key: "a" };
  return { ...facts, caller, reservation, cache, staleSince: Date.now() };
}

const refresh = (stale: StaleRequest, other: Partial<typeof env> = {}) => revalidate(stale, { ...env, ...other });
const enqueued = () => receiveMessages(env.RENDER_QUEUE_URL);

describe("a stale result is revalidated", () => {
  test("once for many requests at once, with their options", async () => {
    const stale = aStale({ format: "jpeg" });
    await Promise.all(Array.from({ length: 10 }, () => refresh(stale)));
    const inline = { url, cache: true, cache_stale_ttl: 600, format: "jpeg", async: true, cache_refresh: true };
    expect(await enqueued()).toEqual([
      { account_id: stale.caller.account.id, job_id: expect.any(Number), options: { inline } },
    ]);
    expect(errors).not.toHaveBeenCalled();
  });

  test("again when its replacement is stale as well", async () => {
    const stale = aStale();
    await refresh(stale);
    await refresh({ ...stale, staleSince: stale.staleSince + 1 });
    expect(await enqueued()).toHaveLength(2);
  });

  test("again when the lease of the first time has expired", async () => {
    const stale = aStale({ timeout: 10 });
    const { cache, staleSince } = stale;
    const key = revalidationKey(cache.accountId, cache.key, staleSince);
    const first = { table: env.ACTIVITY_TABLE, key, holder: "first" };
    await acquireLease(first, { now: Date.now(), leaseMs: MINUTE_MS });
    await refresh(stale);
    expect(await enqueued()).toEqual([]);
    await acquireLease(first, { now: Date.now() + MINUTE_MS, leaseMs: -MINUTE_MS });
    await refresh(stale);
    expect(await enqueued()).toHaveLength(1);
  });
});

describe("a stale result is not revalidated, and nothing is logged,", () => {
  test("when the trial is over", async () => {
    await refresh(aStale({ openedAt: Date.UTC(2020, 0, 1) }));
    expect(await enqueued()).toEqual([]);
    expect(errors).not.toHaveBeenCalled();
  });

  test("when the account has as many jobs as its plan allows", async () => {
    const stale = aStale();
    const accountId = stale.caller.account.id;
    const take = () => acquireSlot(env.USAGE_TABLE, accountId, { limits: plans.free, now: Date.now() });
    const taken = await Promise.all(Array.from({ length: plans.free.concurrentJobs }, take));
    const slots = taken.flatMap((each) => ("slot" in each ? each.slot : []));
    expect(slots).toHaveLength(plans.free.concurrentJobs);
    await refresh(stale);
    expect(await enqueued()).toEqual([]);
    expect(errors).not.toHaveBeenCalled();
    for (const slot of slots) await releaseSlot(env.USAGE_TABLE, accountId, slot);
    await refresh({ ...stale, staleSince: 1 });
    expect(await enqueued()).toHaveLength(1);
  });
});

test("a revalidation that fails by our fault is logged and does not reject", async () => {
  const stale = aStale();
  await refresh(stale, { RENDER_QUEUE_URL: `${env.RENDER_QUEUE_URL}-none` });
  expect(errors).toHaveBeenCalledOnce();
  expect(errors.mock.lastCall?.[0]).toMatchObject({ request_id: stale.requestId });
});

test.each<Record<string, unknown>>([
  {},
  { cache_ttl: "60", format: "pdf", external_identifier: "order-1" },
  { attachment_name: "a.png" },
  { attachment_name: "a.png", response_type: "json" },
  { attachment_name: "a.png", response_type: "empty", async: "false" },
  { accept_language: "de-CH", cache_key: "a", cache_refresh: "false" },
])("a revalidated capture replaces the stale result: %j", (more) => {
  const rawOptions = { url, cache: "true", ...more };
  const options = parseCaptureOptions(rawOptions);
  const refreshing = parseCaptureOptions(revalidationOptions({ rawOptions, options }));
  const plan = cachePolicy(options, 3);
  expect(plan).toBeDefined();
  expect(cachePolicy(refreshing, 3)).toEqual({ ...plan, isRefreshed: true });
});
