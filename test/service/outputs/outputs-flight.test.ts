// Single-flight of equal requests with `outputs`: who captures, and who waits.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseOutputs } from "../../../lib/contract/options/outputs.ts";
import { PhaseClock } from "../../../lib/engine/pipeline/phase-clock.ts";
import { toCaller } from "../../../lib/service/account/account.ts";
import { reserveQuota } from "../../../lib/service/billing/quota-reservation.ts";
import { captureRequest } from "../../../lib/service/captures/capture-request.ts";
import type { Lease } from "../../../lib/service/captures/lease-store.ts";
import type { OutputRequest } from "../../../lib/service/outputs/output-request.ts";
import { endOutputsFlight, joinOutputsFlight } from "../../../lib/service/outputs/outputs-flight.ts";
import { planOutputs } from "../../../lib/service/outputs/plan-outputs.ts";
import { anAccount, anApiKey } from "../../support/builders.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let env: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  env = running.env;
});
afterAll(() => running.close());

const account = anAccount({ id: 1, plan: "max" });
const caller = toCaller(account, anApiKey({ account_id: 1 }));

/** Tells when a request waits for another one. */
class WatchedClock extends PhaseClock {
  readonly #onWait: () => void;
  constructor(onWait: () => void) {
    super();
    this.#onWait = onWait;
  }
  override measure<T>(...measured: Parameters<typeof PhaseClock.prototype.measure<T>>): Promise<T> {
    this.#onWait();
    return super.measure(...measured);
  }
}

interface Requested {
  readonly options?: object;
  readonly onWait?: () => void;
}

/** A request with two outputs; those with one `salt` are equal. */
async function request(
  salt: string,
  { options = {}, onWait = () => undefined }: Requested = {},
): Promise<readonly OutputRequest[]> {
  const outputs = [{ name: "a" }, { name: "b", format: "webp" }];
  const sent = { html: `<p>${salt}</p>`, cache_ttl: 60, ...options, outputs };
  const planned = planOutputs(caller, parseOutputs(sent));
  const facts = {
    caller,
    sourceIp: "192.0.2.1",
    startedAt: performance.now(),
    clock: new WatchedClock(onWait),
    maxBodyBytes: 0,
  };
  const build = async ({ name, ...plan }: (typeof planned)[number], index: number) => {
    const reservation = await reserveQuota({ caller, options: plan.options, receivedAt: Date.now() }, env);
    const group = { id: 1, output: name, size: planned.length };
    return {
      name,
      capture: captureRequest({ ...facts, ...plan, requestId: 1 + index, reservation, group, job: undefined }),
    };
  };
  return Promise.all(planned.map(build));
}

const join = async (salt: string, requested?: Requested) => joinOutputsFlight(await request(salt, requested), env);

/** The lease of a request that joins; undefined when it captures without one. */
async function leaseOf(flight: ReturnType<typeof joinOutputsFlight>): Promise<Lease | undefined> {
  const joined = await flight;
  return "lease" in joined ? joined.lease : expect.unreachable("There are cached results.");
}

test("one of equal requests captures under a lease, and another one waits until its timeout", async () => {
  const salt = randomUUID();
  expect(await leaseOf(join(salt))).toBeDefined();
  await expect(join(salt, { options: { timeout: 1 } })).rejects.toMatchObject({ code: "CAPTURE_TIMEOUT" });
});

/** Requests that wait for the one that has the lease. */
async function waitFor(salt: string, count: number) {
  const waits = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const leases = waits.map(({ resolve }) => leaseOf(join(salt, { onWait: resolve })));
  await Promise.all(waits.map(({ promise }) => promise));
  return { leases };
}

test("requests that have waited for one of which an output failed capture at the same time", async () => {
  const salt = randomUUID();
  const lease = await leaseOf(join(salt));
  const { leases } = await waitFor(salt, 2);
  await endOutputsFlight(lease, false);
  expect(await Promise.all(leases)).toEqual([undefined, undefined]);
});

test("one of the requests that have waited captures if the results of the first are not in the cache after all", async () => {
  const salt = randomUUID();
  const lease = await leaseOf(join(salt));
  const { leases } = await waitFor(salt, 1);
  await endOutputsFlight(lease, true);
  expect(await Promise.all(leases)).toEqual([expect.anything()]);
});

test("a request after one that failed captures under a new lease", async () => {
  const salt = randomUUID();
  await endOutputsFlight(await leaseOf(join(salt)), false);
  expect(await leaseOf(join(salt))).toBeDefined();
});

test.each([
  ["that do not use the cache", { cache_ttl: 0 }],
  ["that refresh the cache", { cache_refresh: true }],
])("requests %s do not wait", async (_, options) => {
  const salt = randomUUID();
  expect(await leaseOf(join(salt))).toBeDefined();
  expect(await leaseOf(join(salt, { options }))).toBeUndefined();
});
