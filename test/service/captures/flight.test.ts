// Single-flight of equal requests with `outputs`: who captures, and who waits.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { PhaseClock } from "../../../lib/engine/pipeline/phase-clock.ts";
import { toCaller } from "../../../lib/service/account/account.ts";
import { reserveQuota } from "../../../lib/service/billing/quota-reservation.ts";
import { planCaptures } from "../../../lib/service/captures/cache-policies.ts";
import { type CaptureRequest, captureRequest } from "../../../lib/service/captures/capture-request.ts";
import { type FlightLead, joinFlight } from "../../../lib/service/captures/flight.ts";
import { releaseLease } from "../../../lib/service/captures/lease-store.ts";
import { parseRawOptions } from "../../../lib/service/captures/parse.ts";
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
): Promise<readonly CaptureRequest[]> {
  const outputs = [{ name: "a" }, { name: "b", format: "webp" }];
  const sent = { html: `<p>${salt}</p>`, cache_ttl: 60, ...options, outputs };
  const planned = planCaptures(parseRawOptions(sent), caller);
  const facts = {
    caller,
    sourceIp: "192.0.2.1",
    startedAt: performance.now(),
    clock: new WatchedClock(onWait),
    maxBodyBytes: 0,
  };
  const build = async ({ group: place, ...plan }: (typeof planned)[number], index: number) => {
    const [reservation] = await reserveQuota({ caller, outputs: [plan], receivedAt: Date.now() }, env);
    const group = place && { ...place, id: 1 };
    return captureRequest({ ...facts, ...plan, requestId: 1 + index, reservation, group, job: undefined });
  };
  return Promise.all(planned.map(build));
}

const join = async (salt: string, requested?: Requested) => joinFlight(await request(salt, requested), env);

/** The lead of a request that joins; undefined when it captures without a lease. */
async function leadOf(flight: ReturnType<typeof joinFlight>): Promise<FlightLead | undefined> {
  const joined = await flight;
  const lead = "lead" in joined ? joined.lead : expect.unreachable("There are cached results.");
  if (lead) onTestFinished(() => lead[Symbol.asyncDispose]());
  return lead;
}

/** Ends a flight as the record of the last capture does whose results are in the cache. */
async function endCached(lead: FlightLead | undefined): Promise<void> {
  const end = lead?.prepareCommit([{ completed: {} }]);
  if (!end) throw new Error("There is no flight.");
  expect(end.outcome).toBeUndefined();
  await releaseLease(end.lease);
  end.settle();
}

test("one of equal requests captures under a lease, and another one waits until its timeout", async () => {
  const salt = randomUUID();
  expect(await leadOf(join(salt))).toBeDefined();
  await expect(join(salt, { options: { timeout: 1 } })).rejects.toMatchObject({ code: "CAPTURE_TIMEOUT" });
});

/** Requests that wait for the one that has the lease. */
async function waitFor(salt: string, count: number) {
  const waits = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const leads = waits.map(({ resolve }) => leadOf(join(salt, { onWait: resolve })));
  await Promise.all(waits.map(({ promise }) => promise));
  return { leads };
}

test("requests that have waited for one of which an output failed capture at the same time", async () => {
  const salt = randomUUID();
  const lead = await leadOf(join(salt));
  const { leads } = await waitFor(salt, 2);
  await lead?.[Symbol.asyncDispose]();
  expect(await Promise.all(leads)).toEqual([undefined, undefined]);
});

test("one of the requests that have waited captures if the results of the first are not in the cache after all", async () => {
  const salt = randomUUID();
  const lead = await leadOf(join(salt));
  const { leads } = await waitFor(salt, 1);
  await endCached(lead);
  expect(await Promise.all(leads)).toEqual([expect.anything()]);
});

test("a request after one that failed captures under a new lease", async () => {
  const salt = randomUUID();
  await (await leadOf(join(salt)))?.[Symbol.asyncDispose]();
  expect(await leadOf(join(salt))).toBeDefined();
});

test.each([
  ["that do not use the cache", { cache_ttl: 0 }],
  ["that refresh the cache", { cache_refresh: true }],
])("requests %s do not wait", async (_, options) => {
  const salt = randomUUID();
  expect(await leadOf(join(salt))).toBeDefined();
  expect(await leadOf(join(salt, { options }))).toBeUndefined();
});
