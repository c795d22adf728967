// Single-flight: several requests for one capture share it, and its failure if that is not our fault. Traces of captures.
import { randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import type { LazyBrowser } from "../../../lib/engine/browser-launcher.ts";
import { PhaseClock } from "../../../lib/engine/pipeline/phase-clock.ts";
import { leaseKey } from "../../../lib/service/aws/table-keys.ts";
import { QuotaReservation } from "../../../lib/service/billing/quota-reservation.ts";
import { cachePolicy } from "../../../lib/service/captures/cache-key.ts";
import { type CachedCapture, findAllCached } from "../../../lib/service/captures/cache-lookup.ts";
import type { CaptureRequest } from "../../../lib/service/captures/capture-request.ts";
import { type CreationParts, createCaptures } from "../../../lib/service/captures/create.ts";
import { acquireLease, type Lease, readLeaseState } from "../../../lib/service/captures/lease-store.ts";
import { claimJob, putJob } from "../../../lib/service/jobs/job-store.ts";
import { embeddedRenderer } from "../../../lib/service/rendering/embedded-renderer.ts";
import type { CreateRenderer } from "../../../lib/service/rendering/renderer.ts";
import { removeReference } from "../../../lib/service/results/reference-store.ts";
import { openResult } from "../../../lib/service/results/result-reader.ts";
import { hasResult } from "../../../lib/service/results/result-store.ts";
import { queryCaptures } from "../../../lib/service/usage/list-store.ts";
import { NotRecordedError } from "../../../lib/service/usage/usage-store.ts";
import { chromiumFiles, noLists, realBrowser } from "../../support/chromium.ts";
import { createFakeRenderer } from "../../support/fake-renderer/fake-renderer.ts";
import { fakePage } from "../../support/fake-renderer/instructions.ts";
import { aQueuedJob } from "../../support/queued-job.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let env: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  env = running.env;
  await chromiumFiles();
});
afterAll(() => running.close());

interface Sending extends Partial<Pick<CreationParts, "afterResponse">> {
  readonly cached?: CachedCapture | undefined;
  readonly timeout?: number;
  /** Creates the capture for a job that this worker claims. */
  readonly isJob?: boolean;
  /** Whether the job is claimed by another worker meanwhile. */
  readonly isTakenOver?: boolean;
  readonly exceeded?: ApiError;
  readonly maxBodyBytes?: number;
}

/** Requests of one account, all of them for the same capture. */
function requests(sent: object = {}) {
  const { account_id: accountId } = aQueuedJob();
  const options = parseCaptureOptions({ html: `<p>${randomUUID()}</p>`, viewport_width: 200, cache_ttl: 600, ...sent });
  const cache = cachePolicy(options, accountId);
  const lease: Lease = { table: env.ACTIVITY_TABLE, key: leaseKey(accountId, cache?.key ?? ""), holder: "test" };

  const aRequest = async ({ maxBodyBytes = 10_000_000, ...sending }: Sending) => {
    const { timeout = options.timeout, isJob = false, isTakenOver = false, exceeded } = sending;
    const job = aQueuedJob({ account_id: accountId });
    const { caller } = job.request;
    const [{ allowance }] = job.outputs;
    const claim = { holder: randomUUID(), until: Date.now() + 60_000 };
    if (isJob) {
      await putJob(env.ACTIVITY_TABLE, job);
      const lease = isTakenOver ? { ...claim, holder: "another" } : claim;
      await claimJob(env.ACTIVITY_TABLE, job, { lease, now: Date.now() });
    }
    const startedAt = performance.now();
    const claimed = { startDelivery: async () => undefined, output: { index: 0, loads: 0, endsJob: false } };
    const request: CaptureRequest = {
      caller,
      options: { ...options, timeout },
      rawOptions: {},
      requestId: job.id,
      sourceIp: "",
      reservation: new QuotaReservation(allowance, env, exceeded),
      cache,
      startedAt,
      deadline: startedAt + timeout * 1000,
      clock: new PhaseClock(),
      maxBodyBytes,
      job: isJob ? { ...claimed, job, lease: claim, cancellation: new AbortController().signal } : undefined,
    };
    return request;
  };
  return {
    accountId,
    lease,
    aRequest,
    create: async (createRenderer: CreateRenderer, sending: Sending = {}) => {
      const request = await aRequest(sending);
      const { cached, afterResponse = () => undefined } = sending;
      const parts = { renderer: createRenderer(), afterResponse };
      const { captures } = await createCaptures({ captures: [request], cached: cached && [cached] }, parts, env);
      const [ended] = captures;
      if (!ended) throw new Error("The capture has not ended.");
      if ("error" in ended) throw ended.error;
      return ended.result;
    },
    /** Whether each logged capture succeeded, and was cached. */
    logs: async () => {
      const view = { activity: env.ACTIVITY_TABLE, usage: env.USAGE_TABLE, retentionDays: 400, now: Date.now() };
      const { logs } = await queryCaptures({ ...view, accountId }, { page: 1, per_page: 25 });
      return logs.map(({ status, cached }) => `${status}${cached ? ", cached" : ""}`).sort();
    },
  };
}

/** A renderer without Chromium that calls `before` first, and renders when what that returns is resolved. */
function renderingAfter(before: () => Promise<void> | void): CreateRenderer {
  return () => {
    const renderer = createFakeRenderer();
    const capture = renderer.capture.bind(renderer);
    return Object.assign(renderer, {
      capture: async (...request: Parameters<typeof capture>) => {
        await before();
        return capture(...request);
      },
    });
  };
}

/** A browser whose launch fails when `fail` is called: our fault. */
function aBrokenBrowser() {
  const launching = Promise.withResolvers<never>();
  launching.promise.catch(() => undefined);
  const launch = () => launching.promise;
  const browser: LazyBrowser = {
    first: launch(),
    launch,
    lists: noLists,
    egressRefusals: () => 0,
    kill: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return {
    createRenderer: embeddedRenderer(() => browser),
    fail: () => launching.reject(new Error("no browser starts")),
  };
}

const noRendering = renderingAfter(() => {
  throw new Error("A capture was rendered.");
});
const findCached = async (request: CaptureRequest) => (await findAllCached([request], env))?.[0];
const codeOf = (capture: Promise<unknown>) => capture.then(undefined, (error: ApiError) => error.code);
const isHeld = (lease: Lease) => expect.poll(() => readLeaseState(lease)).toMatchObject({ holder: expect.any(String) });

describe("single-flight: of several requests for one capture", () => {
  test("the next one renders when the first one failed by our fault", async () => {
    const { lease, create, logs } = requests();
    const broken = aBrokenBrowser();
    const first = codeOf(create(broken.createRenderer));
    await isHeld(lease);
    const others = [create(createFakeRenderer), create(createFakeRenderer)];
    broken.fail();
    expect(await first).toBe("INTERNAL_ERROR");
    const created = await Promise.all(others);
    expect(created.map(({ fromCache }) => fromCache).sort()).toEqual([false, true]);
    expect(created[0]?.body?.equals(created[1]?.body ?? Buffer.of())).toBe(true);
    expect(await logs()).toEqual(["failed", "success", "success, cached"]);
    expect(await readLeaseState(lease)).toBeUndefined();
  });

  test("all fail when the first one failed by the page's fault", async () => {
    const { create, logs } = requests({ selector: "#missing", timeout: 8 });
    const rendered = vi.fn(() => undefined);
    const counted = renderingAfter(rendered);
    const codes = await Promise.all([create(counted), create(counted), create(counted)].map(codeOf));
    expect(codes).toEqual(Array(3).fill("SELECTOR_NOT_FOUND"));
    expect(rendered).toHaveBeenCalledOnce();
    expect(await logs()).toEqual(Array(3).fill("failed"));
  });

  test("one with a long timeout does not fail with one whose timeout was too short", async () => {
    const { lease, create, logs } = requests({ html: `<p>${randomUUID()}</p>${fakePage({ afterMs: 3_000 })}` });
    const hasty = codeOf(create(createFakeRenderer, { timeout: 2 }));
    await isHeld(lease);
    const patient = create(createFakeRenderer, { timeout: 20 });
    expect([await hasty, (await patient).fromCache]).toEqual(["CAPTURE_TIMEOUT", false]);
    expect(await logs()).toEqual(["failed", "success"]);
  });

  test("none waits for a job that is retried, nor for one that another worker ended", async () => {
    const { lease, create, logs } = requests();
    const broken = aBrokenBrowser();
    broken.fail();
    expect(await codeOf(create(broken.createRenderer, { isJob: true }))).toBe("INTERNAL_ERROR");
    expect(await readLeaseState(lease)).toBeUndefined();
    const takenOver = create(createFakeRenderer, { isJob: true, isTakenOver: true });
    await expect(takenOver).rejects.toBeInstanceOf(NotRecordedError);
    expect([await readLeaseState(lease), await logs()]).toEqual([undefined, []]);
    expect((await create(createFakeRenderer)).fromCache).toBe(false);
  });

  test("one without quota waits for the result of another, and renders none", async () => {
    const { lease, create } = requests();
    const exceeded = new ApiError("QUOTA_EXCEEDED", "Nothing is left.");
    const started = Promise.withResolvers<void>();
    const first = create(renderingAfter(() => started.promise));
    await isHeld(lease);
    const waiting = create(noRendering, { exceeded });
    started.resolve();
    expect((await waiting).fromCache).toBe(true);
    await first;
    expect(await codeOf(requests().create(noRendering, { exceeded }))).toBe("QUOTA_EXCEEDED");
  });
});

test("a result that is deleted after it was found is rendered again", async () => {
  const { create, aRequest, accountId } = requests();
  const created = await create(createFakeRenderer, { isJob: true });
  const request = await aRequest({ isJob: true });
  const cached = await findCached(request);
  expect(cached).toMatchObject({ isReferenceCounted: true, stored: { key: created.stored?.key } });
  await removeReference(env.ACTIVITY_TABLE, { accountId, key: created.stored?.key ?? "" }, created.requestId);
  // Its cache entry and its bytes are still there: the deletion is in progress.
  const next = await create(createFakeRenderer, { isJob: true, cached });
  expect([next.fromCache, next.stored?.key !== created.stored?.key]).toEqual([false, true]);
});

test("cache_refresh neither waits for another request nor ends its lease", async () => {
  const { lease, create, logs } = requests({ cache_refresh: true });
  await acquireLease(lease, { now: Date.now() });
  expect((await create(createFakeRenderer)).fromCache).toBe(false);
  expect(await readLeaseState(lease)).toMatchObject({ holder: "test" });
  expect(await logs()).toEqual(["success"]);
});

test("nothing is rendered for a cached result", async () => {
  const { create } = requests();
  await create(createFakeRenderer);
  expect((await create(noRendering)).fromCache).toBe(true);
});

describe("a result that is larger than its response may be", () => {
  const maxBodyBytes = 10;

  test("is stored and linked to", async () => {
    const { create, logs } = requests({ cache_ttl: 0, attachment_name: "page.png" });
    const { body, stored, sizeBytes } = await create(createFakeRenderer, { maxBodyBytes });
    expect({ body, sizeBytes, logs: await logs() }).toEqual({
      body: undefined,
      sizeBytes: stored?.size_bytes,
      logs: ["success"],
    });
    const object = await openResult(env.RESULTS_BUCKET, stored?.key ?? "");
    object?.body.destroy();
    expect(object).toMatchObject({ sizeBytes, disposition: 'attachment; filename="page.png"' });
    expect(stored?.expires_at).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  });

  test("is linked to from the cache, and then survives the deletion of the job that made it", async () => {
    const { accountId, aRequest, create, logs } = requests();
    const { stored, requestId } = await create(createFakeRenderer, { isJob: true });
    const found = await findCached(await aRequest({ maxBodyBytes }));
    expect(found).toMatchObject({ body: undefined, stored: { key: stored?.key } });
    const hit = await create(noRendering, { cached: found, maxBodyBytes });
    expect([hit.body, hit.stored?.key, await logs()]).toEqual([undefined, stored?.key, ["success", "success, cached"]]);
    const result = { accountId, key: stored?.key ?? "" };
    expect(await removeReference(env.ACTIVITY_TABLE, result, requestId)).toBeUndefined();
  });
});

describe("a thumbnail", () => {
  const thumbnailOf = async (accountId: number) => {
    const view = { activity: env.ACTIVITY_TABLE, usage: env.USAGE_TABLE, retentionDays: 400, now: Date.now() };
    const { logs } = await queryCaptures({ ...view, accountId }, { page: 1, per_page: 25 });
    return logs[0]?.thumbnail;
  };

  test("is recorded with the capture, and stored by the work that follows the response", async () => {
    const { create, accountId } = requests();
    const works: (() => unknown)[] = [];
    const afterResponse = (work: () => unknown) => void works.push(work);
    const { stored } = await create(createFakeRenderer, { afterResponse });
    const place = await thumbnailOf(accountId);
    expect(stored?.thumbnail).toEqual(place);
    expect(await hasResult(env.RESULTS_BUCKET, place?.key ?? "")).toBe(false);
    expect(works).toHaveLength(1);
    await works[0]?.();
    expect(await hasResult(env.RESULTS_BUCKET, place?.key ?? "")).toBe(true);

    await create(noRendering, { afterResponse }); // from the cache
    expect([works.length, await thumbnailOf(accountId)]).toEqual([1, place]);
  });

  test("is neither recorded nor made where the request does not want it", async () => {
    const { create, accountId } = requests({ store_thumbnail: false });
    const afterResponse = vi.fn();
    await create(createFakeRenderer, { afterResponse });
    expect(await thumbnailOf(accountId)).toBeNull();
    expect(afterResponse).not.toHaveBeenCalled();
  });
});

/** What stands in for Lambda's X-Ray daemon; the environment of the test names it and a trace that is sampled, or is not. */
async function startDaemon(sampled: "0" | "1") {
  const daemon = createSocket("udp4");
  const documents: Record<string, unknown>[] = [];
  daemon.on("message", (datagram) => {
    const [header = "", document = ""] = datagram.toString().split("\n");
    expect(JSON.parse(header)).toEqual({ format: "json", version: 1 });
    documents.push(JSON.parse(document));
  });
  daemon.bind(0, "127.0.0.1");
  await once(daemon, "listening");
  onTestFinished(() => void daemon.close());
  vi.stubEnv("AWS_XRAY_DAEMON_ADDRESS", `127.0.0.1:${daemon.address().port}`);
  vi.stubEnv("_X_AMZN_TRACE_ID", `Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=${sampled}`);
  return documents;
}

describe("traces: a capture is a subsegment", () => {
  test("with its phases in order and within it, and with what traces are searched by", async () => {
    const documents = await startDaemon("1");
    const { create } = requests();
    const { requestId } = await create(embeddedRenderer(realBrowser));
    await expect.poll(() => documents.length).toBe(1);
    const [document] = documents as { start_time: number; end_time: number; subsegments: TracedPhase[] }[];
    expect(document).toMatchObject({
      type: "subsegment",
      name: "capture",
      trace_id: "1-5759e988-bd862e3fe1be46a994272793",
      parent_id: "53995c3f42cd8ad8",
      annotations: { request_id: String(requestId), format: "png", from_cache: false },
    });
    expect(document).not.toHaveProperty("fault");
    const { start_time = 0, end_time = 0, subsegments = [] } = document ?? {};
    expect(Math.abs(start_time - Date.now() / 1000)).toBeLessThan(60);
    expect(subsegments.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["browser", "navigate", "settle", "capture", "encode"]),
    );
    for (const phase of subsegments) {
      expect(phase.id).toMatch(/^[0-9a-f]{16}$/);
      expect([start_time <= phase.start_time + 0.001, phase.start_time <= phase.end_time]).toEqual([true, true]);
      expect(phase.end_time).toBeLessThanOrEqual(end_time + 0.1);
    }
  });

  test("that is a fault when the service fails", async () => {
    const documents = await startDaemon("1");
    const broken = aBrokenBrowser();
    broken.fail();
    await codeOf(requests().create(broken.createRenderer));
    await expect.poll(() => documents[0]).toMatchObject({ fault: true, annotations: { code: "INTERNAL_ERROR" } });
  });

  test("only of invocations that X-Ray samples", async () => {
    const documents = await startDaemon("0");
    const { create } = requests();
    const first = await create(createFakeRenderer);
    vi.stubEnv("_X_AMZN_TRACE_ID", "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1");
    const second = await create(createFakeRenderer);
    await expect.poll(() => documents).toMatchObject([{ annotations: { request_id: String(second.requestId) } }]);
    expect(first.requestId).not.toBe(second.requestId);
  });
});

interface TracedPhase {
  readonly id: string;
  readonly name: string;
  readonly start_time: number;
  readonly end_time: number;
}
