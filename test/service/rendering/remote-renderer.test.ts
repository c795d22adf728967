// The renderer in a function of its own, as a capture sees it: what its response may do, whatever has taken it over.
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { engineOptions } from "../../../lib/contract/options/engine-options.ts";
import type { Capture } from "../../../lib/engine/pipeline/capture-output.ts";
import { PhaseClock } from "../../../lib/engine/pipeline/phase-clock.ts";
import { remoteRenderer } from "../../../lib/service/rendering/remote-renderer.ts";
import { errorFrame, resultChunks } from "../../../lib/service/rendering/render-frames.ts";
import type { RenderContext } from "../../../lib/service/rendering/renderer.ts";
import { type RenderCall, serveRender } from "../../../lib/service/rendering/serve-render.ts";
import { FunctionError } from "../../../lib/tools/local/lambda/function-error.ts";
import { type InvokeApi, startInvokeApi } from "../../../lib/tools/local/lambda/invoke-api.ts";

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
let api: InvokeApi;
beforeAll(async () => {
  api = await startInvokeApi(async (_, event) => {
    const respond = responses[Math.min(invocations++, responses.length - 1)];
    return { isStreamed: true, payload: await (respond?.(event) ?? Readable.from([])) };
  });
  vi.stubEnv("AWS_ENDPOINT_URL", api.endpoint);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
});
afterAll(() => api.stop());
beforeEach(() => {
  invocations = 0;
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const options = engineOptions(parseCaptureOptions({ url: "https://example.com/", timeout: 5 }));
const open = () => remoteRenderer({ functionName: "renderer", maxBytes: 1000 })();
const context = (): RenderContext => ({ requestId: 1, startedAt: performance.now(), clock: new PhaseClock() });
const captureOf = (...given: typeof responses) => {
  responses = given;
  invocations = 0;
  return open().capture(options, context());
};

const whole = () => Readable.from(resultChunks(rendered));
const ended = () => Readable.from(resultChunks(rendered).slice(0, 2));
const failed = () => Promise.reject(new FunctionError("Runtime.ExitError", "killed"));

test("renderer: the result arrives as it was captured", async () => {
  expect(await captureOf(whole)).toEqual(rendered);
});

test("renderer: an error arrives with what explains it, and without its cause", async () => {
  const target = { http_status_code: 404, net_error: null, final_url: "https://example.com/" };
  const extras = { details: { url: ["is missing"] }, figures: { limit: 3 }, target, cause: new Error("s3cr3t") };
  const error = new ApiError("TARGET_HTTP_ERROR", "The page is missing.", extras);
  const received = await captureOf(() => Readable.from([errorFrame(error)])).catch((thrown) => thrown);
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

describe("a renderer that was taken over", () => {
  const frame = (json: string, length = Buffer.byteLength(json)) => {
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
    frame(JSON.stringify({ kind: "result", format: "png", bodyBytes: 1, ...facts, ...changes }));

  test.each<[string, () => Readable]>([
    ["a frame of four gigabytes", () => frame("{}", 0xffffffff)],
    ["no JSON", () => frame("<html>")],
    ["an unknown format", () => result({ format: "exe" })],
    ["a larger result than the limit", () => result({ bodyBytes: 1e12 })],
    ["a negative length", () => result({ bodyBytes: -1 })],
    [
      "an unknown error code",
      () => frame(JSON.stringify({ kind: "error", code: "X", message: "", blame: "us", problems: [] })),
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

test("renderer: phases are those of the function, after the time of the invocation", async () => {
  const serve = (event: string) => {
    const stream = new PassThrough();
    void serveRender(JSON.parse(event) as RenderCall, stream, () => ({
      prepare: () => undefined,
      capture: async (_, { clock }) => clock.measure("navigate", async () => rendered),
      kill: () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    }));
    return stream;
  };
  responses = [serve];
  const { clock, ...rest } = context();
  await open().capture(options, { ...rest, clock });
  expect(clock.works().map(({ phase, name }) => [phase, name])).toEqual([
    ["browser", "invocation"],
    ["navigate", "navigate"],
  ]);
  for (const { startedAt, endedAt } of clock.works()) {
    expect(startedAt).toBeGreaterThanOrEqual(rest.startedAt);
    expect(endedAt).toBeGreaterThanOrEqual(startedAt);
  }
});
