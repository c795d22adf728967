// The renderer in a function of its own, as a capture sees it: what its response may do, also if a page has taken it over.
import { randomBytes } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { engineOptions } from "../../../lib/contract/options/engine-options.ts";
import type { Slice } from "../../../lib/engine/outputs/screenshot/slices.ts";
import type { Capture } from "../../../lib/engine/pipeline/capture-output.ts";
import type { OutputOutcome } from "../../../lib/engine/pipeline/capture-outputs.ts";
import { PhaseClock } from "../../../lib/engine/pipeline/phase-clock.ts";
import { type RemoteRendererOptions, remoteRenderer } from "../../../lib/service/rendering/remote-renderer.ts";
import {
  errorResponse,
  type Measurements,
  resultResponse,
  uploadedResponse,
} from "../../../lib/service/rendering/render-response.ts";
import type { RenderContext } from "../../../lib/service/rendering/renderer.ts";
import { type RenderCall, serveRender } from "../../../lib/service/rendering/serve-render.ts";
import { getObject, putParts } from "../../../lib/service/rendering/transfer-parts.ts";
import { hasResult } from "../../../lib/service/results/result-store.ts";
import { FunctionError } from "../../../lib/tools/local/lambda/function-error.ts";
import { type InvokeApi, startInvokeApi } from "../../../lib/tools/local/lambda/invoke-api.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

const rendered: Capture = {
  body: Buffer.from("picture"),
  firstFrame: Buffer.from("frame"),
  format: "png",
  mimeType: "image/png",
  finalUrl: "https://example.com/",
  statusCode: 200,
  warnings: ["A warning."],
  problems: [],
  quality: 90,
  attempt: undefined,
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
  return open().capture(options, context());
};

const measured: Measurements = { works: [], descriptions: [], endedAt: 0 };
const whole = () => Readable.from(resultResponse(rendered, measured));
const ended = () => Readable.from(resultResponse(rendered, measured).slice(0, 2));
const failed = () => Promise.reject(new FunctionError("Runtime.ExitError", "killed"));

test("renderer: the result arrives as it was captured", async () => {
  expect(await captureOf(whole)).toEqual(rendered);
});

test("renderer: each invocation names its tenant, where tenants are isolated", async () => {
  tenants.clear();
  await captureOf(whole);
  expect([...tenants]).toEqual(["7"]);
  await open({ isolatesTenants: false }).capture(options, context());
  expect([...tenants]).toEqual(["7", undefined]);
});

test("renderer: an error arrives with what explains it, and without its cause", async () => {
  const target = { http_status_code: 404, net_error: null, final_url: "https://example.com/" };
  const extras = { details: { url: ["is missing"] }, figures: { limit: 3 }, target, cause: new Error("s3cr3t") };
  const error = new ApiError("TARGET_HTTP_ERROR", "The page is missing.", extras);
  const received = await captureOf(() => Readable.from([...errorResponse(error, measured)])).catch((thrown) => thrown);
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
  await expect(renderer.capture(options, context())).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
  expect(invocations).toBe(2);
  expect(uploads.length).toBeGreaterThan(2);
  expect(new Set(uploads.map((address) => new URL(address).pathname)).size).toBe(uploads.length);
});

describe("a renderer that was taken over", () => {
  const head = (json: string, length = Buffer.byteLength(json)) => {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(length);
    return Readable.from([Buffer.concat([header, Buffer.from(json)])]);
  };
  const facts = {
    finalUrl: null,
    statusCode: null,
    warnings: [],
    problems: [],
    quality: 100,
    metadata: {},
    slices: [],
  };
  const result = (changes: object) =>
    head(JSON.stringify({ kind: "result", ...measured, format: "png", bodyBytes: 1, ...facts, ...changes }));

  test.each<[string, () => Readable]>([
    ["a head of four gigabytes", () => head("{}", 0xffffffff)],
    ["no JSON", () => head("<html>")],
    ["an unknown format", () => result({ format: "exe" })],
    ["a larger result than the limit", () => result({ bodyBytes: 1e12 })],
    ["a negative length", () => result({ bodyBytes: -1 })],
    [
      "slices that are larger than the limit",
      () => result({ slices: [{ format: "png", top: 0, height: 1, bytes: 1000 }] }),
    ],
    ["a first frame that is larger than the limit", () => result({ firstFrameBytes: 1e9 })],
    ["text for a header", () => result({ descriptions: [["browser", 'x"\r\nSet-Cookie: a=b']] })],
    [
      "ten thousand pieces of work",
      () => result({ works: Array(10_000).fill({ phase: "browser", name: "", from: 0, to: 1 }) }),
    ],
    ["parts that it has not uploaded", () => head(JSON.stringify({ kind: "uploaded", uploadMs: 0, bytes: 7_000_000 }))],
    ["more parts than the limit", () => head(JSON.stringify({ kind: "uploaded", uploadMs: 0, bytes: 1e12 }))],
    [
      "an unknown error code",
      () => head(JSON.stringify({ kind: "error", ...measured, code: "X", message: "", blame: "us", problems: [] })),
    ],
    ["nothing", () => Readable.from([])],
  ])("makes the capture fail with %s", async (_, response) => {
    await expect(captureOf(response)).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
  });

  test("cannot name the type of its result, or an id", async () => {
    const chunks = [
      ...(await result({ mimeType: "text/html", requestId: 7, stored: { key: "other" } }).toArray()),
      Buffer.from("x"),
    ];
    const received = await captureOf(() => Readable.from(chunks));
    expect(received.mimeType).toBe("image/png");
    expect(Object.keys(received).toSorted()).toEqual(
      Object.keys({ ...rendered, firstFrame: 0 })
        .filter((each) => each !== "firstFrame")
        .toSorted(),
    );
  });

  test("cannot keep the capture waiting after it is killed", async () => {
    responses = [() => new PassThrough()];
    const renderer = open();
    const capturing = renderer.capture(options, context());
    renderer.kill();
    await expect(capturing).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
    expect(invocations).toBeLessThanOrEqual(1);
  });
});

const outcomeOf = (name: string, capturing: Promise<Capture>): Promise<OutputOutcome> =>
  capturing.then(
    (capture) => ({ name, capture }),
    (error) => ({ name, error }),
  );

const serving =
  (capture: (context: RenderContext) => Promise<Capture>) =>
  (event: string): Readable => {
    const stream = new PassThrough();
    void serveRender(JSON.parse(event) as RenderCall, stream, () => ({
      prepare: () => undefined,
      capture: (_, context) => capture(context),
      captureOutputs: async (requested, context) => ({
        loads: requested.length,
        outputs: await Promise.all(requested.map(({ name }) => outcomeOf(name, capture(context)))),
      }),
      kill: () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    }));
    return stream;
  };

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
  const requested = ["first", "second", "third"].map((name) => ({ name, options }));
  const { loads, outputs } = await open().captureOutputs(requested, context());
  expect(loads).toBe(3);
  expect(outputs).toEqual([
    { name: "first", capture: found[0] },
    { name: "second", error: expect.objectContaining({ code: "SELECTOR_NOT_FOUND", blame: "target" }) },
    { name: "third", capture: found[2] },
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
  await open().capture(options, { ...rest, clock });
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
  const large: Capture = {
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
    const received = await renderer.capture(options, { ...rest, clock });
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
    await renderer.capture(long, context());
    const address = String(call?.work);
    expect(JSON.parse(String(await getObject(address)))).toEqual(JSON.parse(JSON.stringify({ options: long })));
    await renderer[Symbol.asyncDispose]();
    await expect(getObject(address)).rejects.toThrow("404");
  });

  test("and a part with another length than the response says is refused", async () => {
    responses = [
      async (event) => {
        const [address = ""] = (JSON.parse(event) as RenderCall).uploads;
        await putParts([Buffer.from("short")], [address]);
        return Readable.from([uploadedResponse({ bytes: 8_000_000, uploadMs: 0 })]);
      },
    ];
    await expect(open({ maxBytes: 9_000_000 }).capture(options, context())).rejects.toMatchObject({
      code: "INTERNAL_ERROR",
    });
  });

  const keyOf = (address: string) => new URL(address).pathname.split("/").slice(2).join("/");
});
