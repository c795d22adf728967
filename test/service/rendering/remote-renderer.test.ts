// The renderer in a function of its own, as a capture sees it: what its response may do, also if a page has taken it over.
import { randomBytes } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { engineOptions } from "../../../lib/contract/options/engine-options.ts";
import { VIDEO_TIMEOUT_S } from "../../../lib/contract/options/groups/waiting.ts";
import type { Slice } from "../../../lib/engine/formats/screenshot/slices.ts";
import { PhaseClock } from "../../../lib/engine/pipeline/phase-clock.ts";
import { rendererLambda } from "../../../lib/service/aws/clients/renderer-lambda.ts";
import type { RequestTimeouts } from "../../../lib/service/aws/clients/request-timeouts.ts";
import { type RemoteRendererOptions, remoteRenderer } from "../../../lib/service/rendering/remote-renderer.ts";
import {
  encodeError,
  encodeOutputs,
  encodePhase,
  encodeThumbnails,
  encodeUploaded,
  MAX_REPORTED_PHASES,
  type Measurements,
} from "../../../lib/service/rendering/render-response.ts";
import {
  type RenderContext,
  type Rendered,
  type RenderedOutput,
  type Renderer,
  renderOne,
} from "../../../lib/service/rendering/renderer.ts";
import { MAX_RENDERING_MS, RENDERING_GRACE_MS } from "../../../lib/service/rendering/rendering-limits.ts";
import { type RenderCall, serveRender } from "../../../lib/service/rendering/serve-render.ts";
import { getObject, putParts } from "../../../lib/service/rendering/transfer-parts.ts";
import { hasResult } from "../../../lib/service/results/result-store.ts";
import { FunctionError, InvalidInvocation } from "../../../lib/tools/local/lambda/function-error.ts";
import { type InvokeApi, startInvokeApi } from "../../../lib/tools/local/lambda/invoke-api.ts";
import { emittedMetrics } from "../../support/emitted-metrics.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

const webp = (content: string) => Buffer.from(`RIFF\0\0\0\0WEBPVP8 ${content}`, "latin1");

const rendered: Rendered = {
  body: Buffer.from("picture"),
  pages: 3,
  reportPicture: webp("picture of a report"),
  format: "png",
  mimeType: "image/png",
  finalUrl: "https://example.com/",
  statusCode: 200,
  warnings: ["A warning."],
  problems: [],
  quality: 90,
  browserAttempt: undefined,
  report: undefined,
  metadata: {},
  beginFrameUnavailable: undefined,
  slices: [{ body: Buffer.from("slice"), format: "png", top: 0, height: 10 }],
};

/** What the function responds, one entry for each invocation; the last one for all further ones. */
let responses: ((event: string) => Readable | Promise<Readable>)[];
let invocations: number;
const tenants = new Set<string | undefined>();
let api: InvokeApi;
let resources: TestResources;
beforeAll(async () => {
  resources = await startTestResources();
  api = await startInvokeApi(async (_, event, tenantId) => {
    tenants.add(tenantId);
    const respond = responses[Math.min(invocations++, responses.length - 1)];
    return { isStreamed: true, payload: await (respond?.(event) ?? Readable.from([])) };
  });
  vi.stubEnv("AWS_ENDPOINT_URL_LAMBDA", api.endpoint);
});
afterAll(async () => {
  await api.stop();
  await resources.close();
});
beforeEach(() => {
  invocations = 0;
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const options = engineOptions(parseCaptureOptions({ url: "https://example.com/", timeout: 5 }));
const requested = { options, thumbnail: false };
const open = (changes: Partial<RemoteRendererOptions> = {}) => {
  const bucket = resources.env.RESULTS_BUCKET;
  return remoteRenderer({ functionName: "renderer", isolatesTenants: true, maxBytes: 1000, bucket, ...changes })();
};
const context = (): RenderContext => ({
  requestId: 1,
  tenantId: "7",
  startedAt: performance.now(),
  clock: new PhaseClock(),
});
const captureOf = (...given: typeof responses) => {
  responses = given;
  invocations = 0;
  return renderOne(open(), requested, context());
};

const measured: Measurements = { works: [], descriptions: [], endedAt: 0 };
const responseWith = (capture: Rendered, measurements = measured) =>
  encodeOutputs({ loads: 1, outputs: [{ capture }] }, measurements);
const whole = () => Readable.from(responseWith(rendered));
const ended = () => Readable.from(responseWith(rendered).slice(0, 2));
const failed = () => Promise.reject(new FunctionError("Runtime.ExitError", "killed"));

test("renderer: the result arrives as it was captured", async () => {
  expect(await captureOf(whole)).toEqual(rendered);
});

test("renderer: each invocation names its tenant, where tenants are isolated", async () => {
  tenants.clear();
  await captureOf(whole);
  expect([...tenants]).toEqual(["7"]);
  await renderOne(open({ isolatesTenants: false }), requested, context());
  expect([...tenants]).toEqual(["7", undefined]);
});

test.each<[string, (error: ApiError) => Buffer[]]>([
  ["a capture", (error) => encodeError(error, measured)],
  ["its one output", (error) => encodeOutputs({ loads: 1, outputs: [{ error }] }, measured)],
])("renderer: an error of %s arrives with what explains it, and without its cause", async (_, respond) => {
  const target = { http_status_code: 404, net_error: null, final_url: "https://example.com/" };
  const extras = { details: { url: ["is missing"] }, figures: { limit: 3 }, target, cause: new Error("s3cr3t") };
  const error = new ApiError("TARGET_HTTP_ERROR", "The page is missing.", extras);
  const received = await captureOf(() => Readable.from(respond(error))).catch((thrown) => thrown);
  expect(received).toBeInstanceOf(ApiError);
  const { code, message, details, figures, blame, cause } = received;
  expect({ code, message, details, figures, blame, target: received.target, cause }).toEqual({
    code: error.code,
    message: error.message,
    details: error.details,
    figures: error.figures,
    blame: error.blame,
    target,
    cause: undefined,
  });
  expect(invocations).toBe(1);
});

test.each([
  ["dies before it responds", failed],
  ["dies in the middle of its response", ended],
])("renderer: one that %s is invoked once more", async (_, lost) => {
  expect((await captureOf(lost, whole)).body).toEqual(rendered.body);
  await expect(captureOf(lost)).rejects.toMatchObject({ code: "INTERNAL_ERROR", blame: "us" });
  expect(invocations).toBe(2);
});

test("renderer: addresses that are presigned ahead are those of the first invocation alone", async () => {
  const uploads: string[] = [];
  const lost = (event: string) => {
    uploads.push(...(JSON.parse(event) as RenderCall).uploads);
    return failed();
  };
  responses = [lost];
  const renderer = open();
  renderer.prepare([{ options }]);
  renderer.prepare([{ options }]);
  await expect(renderer.capture([requested], context())).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
  expect(invocations).toBe(2);
  expect(uploads.length).toBeGreaterThan(2);
  expect(new Set(uploads.map((address) => new URL(address).pathname)).size).toBe(uploads.length);
});

describe("renderer: one that is slow", () => {
  const longest = engineOptions(parseCaptureOptions({ url: "https://example.com/", timeout: VIDEO_TIMEOUT_S }));

  test("is waited for until the deadline of the longest capture, and the page isn't loaded twice", async () => {
    const [invoked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<Readable>()];
    responses = [
      () => {
        invoked.resolve();
        return answer.promise;
      },
    ];
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const capturing = renderOne(open(), { ...requested, options: longest }, context());
      await invoked.promise;
      await vi.advanceTimersByTimeAsync(MAX_RENDERING_MS - 1);
      answer.resolve(whole());
      expect((await capturing).body).toEqual(rendered.body);
      expect(invocations).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test("ends the capture at its deadline, and isn't invoked again", async () => {
    const deadline = new AbortController();
    const clock = vi.spyOn(AbortSignal, "timeout").mockReturnValue(deadline.signal);
    responses = [
      () => {
        deadline.abort(new DOMException("The time is over.", "TimeoutError"));
        return new Promise<Readable>(() => undefined);
      },
    ];
    await expect(open().capture([requested], context())).rejects.toMatchObject({
      code: "INTERNAL_ERROR",
      message: expect.stringContaining("did not respond within 20 s after the time limit"),
    });
    expect(clock).toHaveBeenCalledWith(expect.closeTo(5_000 + RENDERING_GRACE_MS, -4));
    expect(invocations).toBe(1);
    clock.mockRestore();
  });

  test("has a client that waits longer than any rendering takes, and repeats none by itself", async () => {
    const { maxAttempts, requestHandler } = rendererLambda().config;
    const { requestTimeout, socketTimeout } = (
      requestHandler as unknown as { httpHandlerConfigs(): RequestTimeouts }
    ).httpHandlerConfigs();
    const longestMs = VIDEO_TIMEOUT_S * 1000 + RENDERING_GRACE_MS;
    expect(requestTimeout).toBeGreaterThan(longestMs);
    expect(socketTimeout).toBeGreaterThan(longestMs);
    expect(await maxAttempts()).toBe(1);
  });
});

describe("renderer: one that Lambda refuses to start", () => {
  const refused = () =>
    Promise.reject(new InvalidInvocation("Rate exceeded", { status: 429, type: "TooManyRequestsException" }));
  /** What a capture ends with, and the metrics that it emits. Waits are of no length. */
  const captureWithMetrics = async (...given: typeof responses) => {
    vi.stubEnv("STAGE_NAME", "prod");
    const random = vi.spyOn(Math, "random").mockReturnValue(0);
    const written: string[] = [];
    const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
    try {
      return { result: await captureOf(...given).catch((error) => error), metrics: namesOf(written) };
    } finally {
      write.mockRestore();
      random.mockRestore();
      vi.unstubAllEnvs();
      vi.stubEnv("AWS_ENDPOINT_URL_LAMBDA", api.endpoint);
    }
  };
  const namesOf = (written: readonly string[]) => emittedMetrics(written.join("")).map(({ name }) => name);

  test("is invoked again, and each refusal is counted", async () => {
    const { result, metrics } = await captureWithMetrics(refused, refused, whole);
    expect(result.body).toEqual(rendered.body);
    expect(metrics).toEqual(["RendererThrottles", "RendererThrottles"]);
  });

  test("fails the capture with CAPACITY after eight refusals", async () => {
    const { result } = await captureWithMetrics(refused);
    expect(result).toMatchObject({ code: "CAPACITY", headers: { "Retry-After": "1" } });
    expect(invocations).toBe(8);
  });

  test("counts the first response of each execution environment", async () => {
    const first = () => Readable.from(responseWith(rendered, { ...measured, isFirst: true }));
    expect((await captureWithMetrics(first)).metrics).toEqual(["RendererStarts"]);
    expect((await captureWithMetrics(whole)).metrics).toEqual([]);
  });
});

test("renderer: the head of the first response of an execution environment says that it is the first, and no other does", async () => {
  vi.resetModules();
  const fresh = await import("../../../lib/service/rendering/serve-render.ts");
  const heads: string[] = [];
  for (let count = 1; count <= 2; count++) {
    const stream = new PassThrough();
    const work = { outputs: [{ name: "0", ...requested }] };
    const call = { work, request_id: 1, tenant_id: "7", elapsed_ms: 0, uploads: [] };
    const serving = fresh.serveRender(call, stream, () =>
      rendererWith(async () => ({ loads: 1, outputs: [{ capture: rendered }] })),
    );
    const [chunks] = await Promise.all([stream.toArray(), serving]);
    heads.push(Buffer.concat(chunks).toString("latin1"));
  }
  expect(heads.map((head) => head.includes('"isFirst":true'))).toEqual([true, false]);
});

describe("a renderer that was taken over", () => {
  const head = (json: string, { length = Buffer.byteLength(json), following = "" } = {}) => {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(length);
    return Readable.from([Buffer.concat([header, Buffer.from(json + following)])]);
  };
  const facts = {
    ...{ kind: "result", format: "png", bodyBytes: 1 },
    finalUrl: null,
    statusCode: null,
    warnings: [],
    problems: [],
    quality: 100,
    metadata: {},
    slices: [],
  };
  const outputs = (changes: object) =>
    head(JSON.stringify({ kind: "outputs", ...measured, loads: 1, outputs: [facts], ...changes }), { following: "xx" });
  const result = (changes: object) => outputs({ outputs: [{ ...facts, ...changes }] });

  test.each<[string, () => Readable]>([
    ["a head of four gigabytes", () => head("{}", { length: 0xffffffff })],
    ["no JSON", () => head("<html>")],
    ["an unknown format", () => result({ format: "exe" })],
    ["a larger result than the limit", () => result({ bodyBytes: 1e12 })],
    ["a negative length", () => result({ bodyBytes: -1 })],
    [
      "slices that are larger than the limit",
      () => result({ slices: [{ format: "png", top: 0, height: 1, bytes: 1000 }] }),
    ],
    ["a picture of a report that is larger than the limit", () => result({ reportPictureBytes: 500_001 })],
    ["more pages than a PDF can have", () => result({ pages: 100_001 })],
    ["text for a header", () => outputs({ descriptions: [["browser", 'x"\r\nSet-Cookie: a=b']] })],
    [
      "ten thousand pieces of work",
      () => outputs({ works: Array(10_000).fill({ phase: "browser", name: "", from: 0, to: 1 }) }),
    ],
    ["parts that it has not uploaded", () => head(JSON.stringify({ kind: "uploaded", uploadMs: 0, bytes: 7_000_000 }))],
    ["more parts than the limit", () => head(JSON.stringify({ kind: "uploaded", uploadMs: 0, bytes: 1e12 }))],
    [
      "an unknown error code",
      () => head(JSON.stringify({ kind: "error", ...measured, code: "X", message: "", blame: "us", problems: [] })),
    ],
    ["a result that is no output", () => head(JSON.stringify({ ...facts, ...measured }), { following: "x" })],
    ["more outputs than were requested", () => outputs({ outputs: [facts, facts] })],
    ["no output", () => outputs({ outputs: [] })],
    ["nothing", () => Readable.from([])],
  ])("makes the capture fail with %s", async (_, response) => {
    await expect(captureOf(response)).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
  });

  test("cannot name the type of its result, or an id", async () => {
    const received = await captureOf(() =>
      result({ mimeType: "text/html", requestId: 7, stored: { key: "other" }, name: "other" }),
    );
    expect(received.mimeType).toBe("image/png");
    expect(Object.keys(received).toSorted()).toEqual(
      Object.keys(rendered)
        .filter((each) => each !== "reportPicture" && each !== "pages")
        .toSorted(),
    );
  });

  test("cannot keep the capture waiting after it is killed", async () => {
    responses = [() => new PassThrough()];
    const renderer = open();
    const capturing = renderer.capture([requested], context());
    renderer.kill();
    await expect(capturing).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
    expect(invocations).toBeLessThanOrEqual(1);
  });
});

describe("renderer: thumbnails follow the results", () => {
  const thumbnail = webp("thumbnail");
  const withThumbnail = { options, thumbnail: true };
  const following = (...sent: Buffer[]) => Readable.from([...responseWith(rendered), ...sent]);
  const headOf = (bytes: unknown[]) => {
    const json = Buffer.from(JSON.stringify({ kind: "thumbnails", bytes }));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(json.length);
    return Buffer.concat([length, json]);
  };
  const received = async (response: () => Readable) => {
    responses = [response];
    const renderer = open();
    const capture = await renderOne(renderer, withThumbnail, context());
    renderer.kill(); // as soon as the capture is answered
    return { renderer, capture };
  };

  test("and arrive after them, also when the page was ended", async () => {
    const stream = new PassThrough();
    for (const chunk of responseWith(rendered)) stream.write(chunk);
    const { renderer, capture } = await received(() => stream);
    expect(capture.body).toEqual(rendered.body);
    const receiving = capture.thumbnail?.();
    const disposing = renderer[Symbol.asyncDispose]();
    for (const chunk of encodeThumbnails([thumbnail])) stream.write(chunk);
    expect(await receiving).toEqual(thumbnail);
    await disposing;
  });

  test("in the order of the outputs, and none of what has no picture", async () => {
    const formats = ["png", "pdf", "webp", "mp4"] as const;
    const made = (format: string) => async () => (format === "webp" ? undefined : webp(format));
    responses = [
      (event) => {
        const stream = new PassThrough();
        const { tenant_id, work } = JSON.parse(event);
        expect([tenant_id, work.outputs.map((each: { thumbnail: boolean }) => each.thumbnail)]).toEqual([
          "7",
          [true, true, true, true],
        ]);
        const captured = formats.map((format) => ({
          capture: { ...rendered, format, ...(format !== "pdf" && { thumbnail: made(format) }) },
        }));
        void serveRender(JSON.parse(event), stream, () => rendererWith(async () => ({ loads: 1, outputs: captured })));
        return stream;
      },
    ];
    const { outputs } = await open().capture(Array(formats.length).fill(withThumbnail), context());
    const thumbnails = outputs.map(async (output) => "capture" in output && output.capture.thumbnail?.());
    expect(await Promise.all(thumbnails)).toEqual([webp("png"), undefined, undefined, webp("mp4")]);
  });

  test("behind a response that was uploaded, too", async () => {
    const noise = randomBytes(7_000_000);
    responses = [serving(async () => ({ ...rendered, body: noise, thumbnail: async () => thumbnail }))];
    const capture = await renderOne(open({ maxBytes: 8_000_000 }), withThumbnail, context());
    expect(capture.body.equals(noise)).toBe(true);
    expect(await capture.thumbnail?.()).toEqual(thumbnail);
  });

  test("and one that can't be made is left out", async () => {
    responses = [serving(async () => ({ ...rendered, thumbnail: () => Promise.reject(new Error("no picture")) }))];
    const capture = await renderOne(open(), withThumbnail, context());
    expect(await capture.thumbnail?.()).toBeUndefined();
  });

  test("where none was requested, none is read", async () => {
    expect((await captureOf(() => following(...encodeThumbnails([thumbnail])))).thumbnail).toBeUndefined();
  });

  test.each<[string, Buffer[]]>([
    ["no thumbnails", []],
    ["text", [Buffer.from("<html>".repeat(1000))]],
    ["a head of four gigabytes", [Buffer.from([0xff, 0xff, 0xff, 0xff])]],
    ["more thumbnails than results", [headOf([9, 9]), thumbnail, thumbnail]],
    ["no thumbnail of a result", [headOf([])]],
    ["a thumbnail beyond its limit", [headOf([15_001]), Buffer.concat([thumbnail, Buffer.alloc(15_001)])]],
    ["a negative length", [headOf([-1])]],
    ["half a thumbnail", [headOf([thumbnail.length]), thumbnail.subarray(5)]],
    ["an SVG", [headOf([1_000]), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'.padEnd(1_000))]],
    ["HTML", [headOf([1_000]), Buffer.from("<!doctype html><script>".padEnd(1_000))]],
    ["a PNG", [headOf([1_000]), Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(1_000)])]],
    ["an empty thumbnail", [headOf([0])]],
  ])("a renderer that was taken over sends %s: the result stays, and nothing is stored", async (_, sent) => {
    const { renderer, capture } = await received(() => following(...sent));
    expect(capture.body).toEqual(rendered.body);
    await expect(capture.thumbnail?.()).rejects.toThrow();
    await renderer[Symbol.asyncDispose]();
    expect(invocations).toBe(1);
  });

  test("a picture of a report that is no WebP is left out", async () => {
    const capture = await captureOf(() =>
      Readable.from(responseWith({ ...rendered, reportPicture: Buffer.from("<svg xmlns=…>") })),
    );
    expect(capture).toEqual({ ...rendered, reportPicture: undefined });
  });
});

const outcomeOf = (capturing: Promise<Rendered>): Promise<RenderedOutput> =>
  capturing.then(
    (capture) => ({ capture }),
    (error) => ({ error }),
  );

/** A renderer that captures in this way. */
const rendererWith = (capture: Renderer["capture"]): Renderer => ({
  prepare: () => undefined,
  capture,
  kill: () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
});

/** The response of a renderer that captures each output in this way. */
const serving =
  (capture: (context: RenderContext) => Promise<Rendered>) =>
  (event: string): Readable => {
    const stream = new PassThrough();
    void serveRender(JSON.parse(event) as RenderCall, stream, () =>
      rendererWith(async (requested, context) => ({
        loads: requested.length,
        outputs: await Promise.all(requested.map(() => outcomeOf(capture(context)))),
      })),
    );
    return stream;
  };

test("renderer: the phases that a capture reaches arrive while it runs, where the caller reads them, and are limited", async () => {
  const [seen, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const serve = serving(async ({ clock }) => {
    await clock.measure("navigate", async () => undefined);
    await clock.measure("settle", () => goOn.promise);
    return rendered;
  });
  responses = [serve];
  const clock = new PhaseClock();
  const enter = vi.spyOn(clock, "enter").mockImplementation((phase) => void (phase === "settle" && seen.resolve()));
  const capturing = renderOne(open(), requested, { ...context(), clock, reportsPhases: true });
  await seen.promise; // before the capture has ended
  goOn.resolve();
  expect((await capturing).body).toEqual(rendered.body);
  expect(enter.mock.calls).toEqual([["navigate"], ["settle"]]);
  const silent = new PhaseClock();
  await renderOne(open(), requested, { ...context(), clock: silent });
  expect(silent.current).toBe("auth");
  const many = Array.from({ length: MAX_REPORTED_PHASES }, () => encodePhase("settle"));
  expect((await captureOf(() => Readable.from([...many, ...responseWith(rendered)]))).body).toEqual(rendered.body);
  const tooMany = [...many, encodePhase("settle"), ...responseWith(rendered)];
  await expect(captureOf(() => Readable.from(tooMany))).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
});

test("renderer: outputs arrive in their order, and one that failed with its error", async () => {
  const found = [
    rendered,
    new ApiError("SELECTOR_NOT_FOUND", "There is no such element."),
    { ...rendered, slices: [] },
  ];
  const left = [...found];
  responses = [
    serving(async () => {
      const next = left.shift();
      if (next && "body" in next) return next;
      throw next;
    }),
  ];
  const { loads, outputs } = await open().capture([requested, requested, requested], context());
  expect(loads).toBe(3);
  expect(outputs).toEqual([
    { capture: found[0] },
    { error: expect.objectContaining({ code: "SELECTOR_NOT_FOUND", blame: "target" }) },
    { capture: found[2] },
  ]);
});

test("renderer: phases are those of the function, after the time of the invocation", async () => {
  responses = [
    serving(({ clock }) => {
      clock.describe("browser", "ready");
      return clock.measure("navigate", async () => rendered);
    }),
  ];
  const { clock, ...rest } = context();
  await open().capture([requested], { ...rest, clock });
  expect(clock.works().map(({ phase, name }) => [phase, name])).toEqual([
    ["browser", "invocation"],
    ["navigate", "navigate"],
  ]);
  for (const { startedAt, endedAt } of clock.works()) {
    expect(startedAt).toBeGreaterThanOrEqual(rest.startedAt);
    expect(endedAt).toBeGreaterThanOrEqual(startedAt);
    expect(endedAt).toBeLessThanOrEqual(performance.now());
  }
  expect(clock.header()).toContain('desc="ready"');
});

describe("renderer: what is too long for Lambda passes through the bucket", () => {
  const noise = randomBytes(25_000_000);
  const large: Rendered = {
    ...rendered,
    body: noise,
    slices: [{ ...(rendered.slices[0] as Slice), body: noise.subarray(0, 9) }],
  };

  test("as a result, which is deleted when it was read", async () => {
    let call: RenderCall | undefined;
    responses = [
      (event) => {
        call = JSON.parse(event);
        return serving(async () => large)(event);
      },
    ];
    const renderer = open({ maxBytes: 30_000_000 });
    const { clock, ...rest } = context();
    const received = await renderOne(renderer, requested, { ...rest, clock });
    expect(received.body.equals(noise)).toBe(true);
    expect({ ...received, body: undefined }).toEqual({ ...large, body: undefined });
    expect(clock.works().map(({ name }) => name)).toEqual(["transfer", "invocation"]);
    const [first = "", , third = "", fourth = ""] = call?.uploads ?? [];
    await renderer[Symbol.asyncDispose]();
    for (const address of [first, third])
      expect(await hasResult(resources.env.RESULTS_BUCKET, keyOf(address))).toBe(false);
    expect(await hasResult(resources.env.RESULTS_BUCKET, keyOf(fourth))).toBe(false);
  });

  test("as options", async () => {
    const html = "\u0001".repeat(2_000_000); // 12 MB as JSON
    const long = { ...options, html };
    let call: RenderCall | undefined;
    responses = [
      async (event) => {
        call = JSON.parse(event);
        expect(event.length).toBeLessThan(6_000_000);
        return whole();
      },
    ];
    const renderer = open();
    await renderer.capture([{ options: long, thumbnail: true }], context());
    const address = String(call?.work);
    expect(JSON.parse(String(await getObject(address)))).toEqual(
      JSON.parse(JSON.stringify({ outputs: [{ name: "0", options: long, thumbnail: true }] })),
    );
    await renderer[Symbol.asyncDispose]();
    await expect(getObject(address)).rejects.toThrow("404");
  });

  test("and a part with another length than the response says is refused", async () => {
    responses = [
      async (event) => {
        const [address = ""] = (JSON.parse(event) as RenderCall).uploads;
        await putParts([Buffer.from("short")], [address]);
        return Readable.from([encodeUploaded({ bytes: 8_000_000, uploadMs: 0 })]);
      },
    ];
    await expect(open({ maxBytes: 9_000_000 }).capture([requested], context())).rejects.toMatchObject({
      code: "INTERNAL_ERROR",
    });
  });

  const keyOf = (address: string) => new URL(address).pathname.split("/").slice(2).join("/");
});
