// A caller and a renderer of two versions, as during a rollout: the responses and the call of the version before were recorded with it,
// from the results below. Record them again when a version was released.
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import {
  errorResponse,
  type Measurements,
  outputsResponse,
  readCapture,
  readOutputs,
  resultResponse,
  uploadedResponse,
} from "../../../lib/service/rendering/render-response.ts";
import type { Rendered, RenderedOutputs } from "../../../lib/service/rendering/renderer.ts";
import { type RenderCall, serveRender } from "../../../lib/service/rendering/serve-render.ts";
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
  attempt: undefined,
  report: undefined,
  metadata: { page_title: "Title" },
  beginFrameUnavailable: undefined,
  slices: [{ body: Buffer.from("slice"), format: "png", top: 0, height: 10 }],
};
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
const outputs: RenderedOutputs = {
  loads: 1,
  outputs: [
    { name: "first", capture: rendered },
    { name: "second", error },
  ],
};

async function* bytesOf(base64: string): AsyncGenerator<Buffer> {
  yield Buffer.from(base64, "base64");
}

const reading = () => {
  const seen: Measurements[] = [];
  const onMeasured = (each: Measurements) => seen.push(each);
  return { seen, maxBytes: 1_000, onMeasured, readUploaded: async () => Buffer.from(recorded.result, "base64") };
};

test("rollout: a new caller reads a result of the old renderer, with its thumbnail, in the stream or uploaded", async () => {
  for (const response of [recorded.result, recorded.uploaded]) {
    const parts = reading();
    const { thumbnail, ...result } = await readCapture({ thumbnail: true }, bytesOf(response), parts);
    expect(result).toEqual(rendered);
    expect(parts.seen).toEqual([expect.objectContaining(measured)]);
    if (response === recorded.result) expect(await thumbnail?.()).toEqual(webp("thumbnail"));
  }
});

test("rollout: a new caller reads an error, and several outputs, of the old renderer", async () => {
  const facts = { code: error.code, message: error.message, details: error.details, target: error.target };
  await expect(readCapture({ thumbnail: false }, bytesOf(recorded.error), reading())).rejects.toMatchObject(facts);
  const requested = ["first", "second"].map((name) => ({ name, thumbnail: false }));
  const read = await readOutputs(requested, bytesOf(recorded.outputs), reading());
  expect(read).toMatchObject({ loads: 1, outputs: [{ capture: rendered }, { name: "second", error: facts }] });
});

/** The JSON at the beginning of a response, and the bytes after it. */
function splitResponse(response: Buffer): { readonly head: object; readonly bytes: Buffer } {
  const end = 4 + response.readUInt32BE();
  return { head: JSON.parse(response.toString("utf8", 4, end)), bytes: response.subarray(end) };
}

test.each([
  ["result", Buffer.concat(resultResponse(rendered, measured))],
  ["error", Buffer.concat(errorResponse(error, measured))],
  ["outputs", Buffer.concat(outputsResponse(outputs, measured))],
  ["uploaded", uploadedResponse({ bytes: 7, uploadMs: 1 })],
] as const)("rollout: the new renderer's %s has all that an old caller reads, as it was", (kind, response) => {
  const [before, now] = [splitResponse(Buffer.from(recorded[kind], "base64")), splitResponse(response)];
  expect(now.head).toMatchObject(before.head); // what is new beside it, an old caller leaves out
  expect(before.bytes.subarray(0, now.bytes.length)).toEqual(now.bytes); // the thumbnails follow
});

test("rollout: the new renderer renders the call of an old caller", async () => {
  const stream = new PassThrough();
  const serving = serveRender(JSON.parse(recorded.call) as RenderCall, stream, () => ({
    prepare: () => undefined,
    capture: async ({ options, thumbnail }, { tenantId }) => {
      expect([options.url, thumbnail, tenantId]).toEqual(["https://example.com/", true, "7"]);
      return rendered;
    },
    captureOutputs: () => Promise.reject(new Error("There is one output.")),
    kill: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }));
  const [chunks] = await Promise.all([stream.toArray(), serving]);
  expect(splitResponse(Buffer.concat(chunks)).head).toMatchObject({ kind: "result" });
});
