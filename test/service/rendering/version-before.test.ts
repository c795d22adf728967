// A caller and a renderer of two versions, as during a rollout: the responses and the calls of the version before were recorded with it,
// from the results below. Record them again when a version was released.
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { PhaseClock } from "../../../lib/engine/pipeline/phase-clock.ts";
import { remoteRenderer } from "../../../lib/service/rendering/remote-renderer.ts";
import {
  encodeError,
  encodeOutputs,
  encodeSingleResult,
  encodeThumbnails,
  encodeUploaded,
  type Measurements,
  readOutputs,
} from "../../../lib/service/rendering/render-response.ts";
import type {
  RenderContext,
  Rendered,
  RenderedOutput,
  RenderedOutputs,
  Renderer,
  RequestedRendering,
} from "../../../lib/service/rendering/renderer.ts";
import { type RenderCall, serveRender } from "../../../lib/service/rendering/serve-render.ts";
import { type InvokeApi, startInvokeApi } from "../../../lib/tools/local/lambda/invoke-api.ts";
import recorded from "./fixtures/version-before.json" with { type: "json" };

const webp = (content: string) => Buffer.from(`RIFF\0\0\0\0WEBPVP8 ${content}`, "latin1");
const rendered: Rendered = {
  body: Buffer.from("picture"),
  pages: 3,
  reportPicture: webp("report"),
  format: "png",
  mimeType: "image/png",
  finalUrl: "https://example.com/",
  statusCode: 200,
  warnings: ["A warning."],
  problems: [],
  quality: 90,
  browserAttempt: undefined,
  report: undefined,
  metadata: { page_title: "Title" },
  beginFrameUnavailable: undefined,
  slices: [{ body: Buffer.from("slice"), format: "png", top: 0, height: 10 }],
};
const thumbnail = webp("thumbnail");
const measured: Measurements = {
  works: [{ phase: "navigate", name: "navigate", from: 1, to: 2, awaited: "load", outcome: "met" }],
  descriptions: [["browser", "ready"]],
  endedAt: 3,
};
const error = new ApiError("TARGET_HTTP_ERROR", "The page is missing.", {
  details: { url: ["is missing"] },
  figures: { limit: 3 },
  target: { http_status_code: 404, net_error: null, final_url: "https://example.com/" },
});
/** What a caller reads of the error. */
const facts = {
  code: error.code,
  message: error.message,
  blame: error.blame,
  details: error.details,
  figures: error.figures,
  target: error.target,
};
const one: RenderedOutputs = { loads: 1, outputs: [{ capture: rendered }] };
const oneError: RenderedOutputs = { loads: 1, outputs: [{ error }] };
const several: RenderedOutputs = { loads: 1, outputs: [{ capture: rendered }, { error }] };

const decode = (base64: string) => Buffer.from(base64, "base64");
async function* bytesOf(...base64: string[]): AsyncGenerator<Buffer> {
  for (const each of base64) yield decode(each);
}

/** The JSON at the beginning of a response, and the bytes after it. */
function splitResponse(response: Buffer): { readonly head: object; readonly bytes: Buffer } {
  const end = 4 + response.readUInt32BE();
  return { head: JSON.parse(response.toString("utf8", 4, end)), bytes: response.subarray(end) };
}

describe("rollout: a new caller reads of the old renderer", () => {
  const reading = (uploaded = "") => {
    const seen: Measurements[] = [];
    const onMeasured = (each: Measurements) => seen.push(each);
    const readUploaded = vi.fn(async () => decode(uploaded));
    return { seen, maxBytes: 1_000, onMeasured, readUploaded };
  };
  const wanted = (count: number) => Array.from({ length: count }, () => ({ thumbnail: true }));
  /** The same outputs, their thumbnails as functions and their errors as what is read of them. */
  const asRead = ({ loads, outputs }: RenderedOutputs) => ({
    loads,
    outputs: outputs.map((output) =>
      "error" in output
        ? { error: expect.objectContaining(facts) }
        : { capture: { ...output.capture, thumbnail: expect.any(Function) } },
    ),
  });
  const thumbnailsOf = ({ outputs }: RenderedOutputs) =>
    Promise.all(outputs.map((output) => ("error" in output ? "no result" : output.capture.thumbnail?.())));

  const responses = [
    ["one output", recorded.oneOutput, one, [thumbnail]],
    ["one output that failed", recorded.oneError, oneError, ["no result"]],
    ["several outputs", recorded.outputs, several, [thumbnail, "no result"]],
  ] as const;

  test.each(responses)("%s, with their thumbnails", async (_, response, outputs, thumbnails) => {
    const parts = reading();
    const read = await readOutputs(wanted(outputs.outputs.length), bytesOf(response), parts);
    expect(read).toEqual(asRead(outputs));
    expect(parts.seen).toEqual([expect.objectContaining(measured)]);
    expect(await thumbnailsOf(read)).toEqual(thumbnails);
    expect(parts.readUploaded).not.toHaveBeenCalled();
  });

  test.each(responses)("%s, uploaded, with the thumbnails in the stream", async (_, response, outputs, thumbnails) => {
    const parts = reading(response);
    const stream = bytesOf(recorded.uploaded, recorded.thumbnails);
    const read = await readOutputs(wanted(outputs.outputs.length), stream, parts);
    expect(read).toEqual(asRead(outputs));
    expect(parts.seen).toEqual([expect.objectContaining(measured)]);
    expect(await thumbnailsOf(read)).toEqual(thumbnails);
    expect(parts.readUploaded).toHaveBeenCalledExactlyOnceWith(
      { kind: "uploaded", bytes: 7, uploadMs: 1 },
      expect.any(Number),
    );
  });

  test.each([1, 2])("an error of a capture as a whole, where %s outputs were requested", async (count) => {
    for (const [stream, uploaded] of [[recorded.error], [recorded.uploaded, recorded.error]] as const) {
      const parts = reading(uploaded);
      await expect(readOutputs(wanted(count), bytesOf(stream), parts)).rejects.toMatchObject(facts);
      expect(parts.seen).toEqual([expect.objectContaining(measured)]);
    }
  });
});

test.each([
  ["result", Buffer.concat(encodeSingleResult(rendered, measured))],
  ["error", Buffer.concat(encodeError(error, measured))],
  ["outputs", Buffer.concat(encodeOutputs(several, measured))],
  ["oneOutput", Buffer.concat(encodeOutputs(one, measured))],
  ["oneError", Buffer.concat(encodeOutputs(oneError, measured))],
  ["uploaded", encodeUploaded({ bytes: 7, uploadMs: 1 })],
  ["thumbnails", Buffer.concat(encodeThumbnails([thumbnail]))],
] as const)("rollout: the new renderer's %s has all that an old caller reads, as it was", (kind, response) => {
  const [before, now] = [splitResponse(decode(recorded[kind])), splitResponse(response)];
  expect(now.head).toMatchObject(before.head); // an old caller leaves out what is new in it
  expect(before.bytes.subarray(0, now.bytes.length)).toEqual(now.bytes); // the thumbnails follow
});

describe("rollout: the new renderer answers the call of an old caller", () => {
  beforeEach(() => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
  });

  /** What a renderer that captures in this way answers to a recorded call, and what is requested of it. */
  async function answer(call: string, capture: () => Promise<RenderedOutputs>) {
    let requested: readonly RequestedRendering[] = [];
    let context: RenderContext | undefined;
    const renderer: Renderer = {
      prepare: () => undefined,
      capture: async (given, { tenantId, requestId, startedAt, clock }) => {
        requested = given;
        context = { tenantId, requestId, startedAt, clock };
        for (const { from, to, phase, name } of measured.works)
          clock.record({ phase, name, startedAt: startedAt + from, endedAt: startedAt + to, ...waited });
        for (const described of measured.descriptions) clock.describe(...described);
        now.mockReturnValue(startedAt + measured.endedAt);
        return capture();
      },
      kill: () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    };
    const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
    const stream = new PassThrough();
    try {
      const serving = serveRender(JSON.parse(call) as RenderCall, stream, () => renderer);
      const [chunks] = await Promise.all([stream.toArray(), serving]);
      const { head, bytes } = splitResponse(Buffer.concat(chunks));
      const { isFirst: _, ...rest } = head as { readonly isFirst?: boolean }; // of this process, not of the capture
      return { response: { head: rest, bytes }, requested, context };
    } finally {
      now.mockRestore();
    }
  }
  const waited = { awaited: "load", outcome: "met" } as const;
  const withThumbnail: RenderedOutput = { capture: { ...rendered, thumbnail: async () => thumbnail } };

  test("for one result with exactly the result that the old caller reads", async () => {
    const capture = async () => ({ loads: 1, outputs: [withThumbnail] });
    const { response, requested, context } = await answer(recorded.call, capture);
    expect(response).toEqual(splitResponse(decode(recorded.result)));
    const { work, request_id, tenant_id, elapsed_ms } = JSON.parse(recorded.call);
    expect(requested).toEqual([work]);
    expect(work).toMatchObject({ options: { url: "https://example.com/" }, thumbnail: true });
    expect(context).toMatchObject({ requestId: request_id, tenantId: tenant_id, startedAt: 1_000 - elapsed_ms });
  });

  test.each([
    ["its output", async () => oneError],
    ["the capture as a whole", () => Promise.reject(error)],
  ])("for one result with exactly the error that the old caller reads, where %s fails", async (_, capture) => {
    const { response } = await answer(recorded.call, capture);
    expect(response).toEqual(splitResponse(decode(recorded.error)));
  });

  test("for several outputs with exactly the outputs that the old caller reads", async () => {
    const capture = async () => ({ loads: 1, outputs: [withThumbnail, { error }] });
    const { response, requested, context } = await answer(recorded.outputsCall, capture);
    expect(response).toEqual(splitResponse(decode(recorded.outputs)));
    const { work, request_id, tenant_id } = JSON.parse(recorded.outputsCall);
    expect(requested).toMatchObject(work.outputs.map(({ name: _, ...output }: { name: string }) => output));
    expect(requested.map((output) => [output.options.format, output.thumbnail])).toEqual([
      ["png", true],
      ["webp", false],
    ]);
    expect(context).toMatchObject({ requestId: request_id, tenantId: tenant_id });
  });

  test("for several outputs with exactly the error that the old caller reads, where the capture as a whole fails", async () => {
    const { response } = await answer(recorded.outputsCall, () => Promise.reject(error));
    expect(response).toEqual(splitResponse(decode(recorded.error)));
  });
});

describe("rollout: the new caller calls the old renderer", () => {
  let api: InvokeApi;
  let events: string[] = [];
  let response: string;
  beforeAll(async () => {
    api = await startInvokeApi(async (_, event) => {
      events.push(event);
      return { isStreamed: true, payload: Readable.from([decode(response)]) };
    });
    vi.stubEnv("AWS_ENDPOINT_URL_LAMBDA", api.endpoint);
    vi.stubEnv("AWS_REGION", "us-east-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  });
  afterAll(async () => {
    await api.stop();
    vi.unstubAllEnvs();
  });
  beforeEach(() => {
    events = [];
  });

  interface OldOutput extends RequestedRendering {
    readonly name: string;
  }
  const call = JSON.parse(recorded.call);
  const outputsCall = JSON.parse(recorded.outputsCall);
  const outputs: OldOutput[] = outputsCall.work.outputs;
  const context = () => ({ requestId: 1, tenantId: "7", startedAt: performance.now(), clock: new PhaseClock() });
  const open = () =>
    remoteRenderer({ functionName: "renderer", isolatesTenants: true, maxBytes: 1_000, bucket: "results" })();

  test.each<[string, RequestedRendering[], string, RenderedOutputs]>([
    ["one output", [call.work], recorded.oneOutput, one],
    ["one output that fails", [call.work], recorded.oneError, oneError],
    ["several outputs", outputs.map(({ name: _, ...output }) => output), recorded.outputs, several],
    ["several outputs that have names", outputs, recorded.outputs, several],
  ])("as an old caller calls it for outputs, which it answers: %s", async (_, requested, answered, expected) => {
    response = answered;
    const read = await open().capture(requested, context());
    expect(read).toMatchObject({
      loads: expected.loads,
      outputs: expected.outputs.map((output) => ("error" in output ? { error: facts } : output)),
    });
    const work = { outputs: requested.map(({ options, thumbnail }, n) => ({ name: String(n), options, thumbnail })) };
    const event = JSON.parse(events.join());
    expect(event).toEqual({ ...outputsCall, work, elapsed_ms: expect.any(Number), uploads: expect.any(Array) });
    expect(event.uploads).toEqual(expect.arrayContaining([expect.stringMatching(/^https:\/\//)]));
  });

  test("and reads that the capture as a whole failed", async () => {
    response = recorded.error;
    await expect(open().capture([call.work], context())).rejects.toMatchObject(facts);
    await expect(open().capture(outputs, context())).rejects.toMatchObject(facts);
    expect(events.length).toBe(2);
  });
});
