// A renderer that a page has taken over: for any response, its caller gets a valid capture or an error, within its limits.
import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ApiError } from "../../lib/contract/errors/api-error.ts";
import { mimeTypes } from "../../lib/contract/options/formats.ts";
import { MAX_REPORT_PICTURE_BYTES, MAX_THUMBNAIL_BYTES } from "../../lib/engine/formats/thumbnail-limits.ts";
import { UnreadableResponse } from "../../lib/service/rendering/byte-reader.ts";
import { readOutputs } from "../../lib/service/rendering/render-response.ts";
import { holds, nasty } from "../support/fuzzing.ts";

const MAX_BYTES = 1_000;

const result = {
  ...{ kind: "result", format: "png", finalUrl: null, statusCode: null },
  ...{ warnings: [], problems: [], quality: 100, metadata: {}, bodyBytes: 3, slices: [] },
};
const failure = { kind: "error", code: "SELECTOR_NOT_FOUND", message: "No element.", blame: "target", problems: [] };
const measured = { works: [], descriptions: [], endedAt: 5 };
const validHead = (count: number) => ({ kind: "outputs", ...measured, loads: 1, outputs: Array(count).fill(result) });
const [valid, validOutputs] = [validHead(1), validHead(2)];
/** A result that is no output. */
const alone = { ...result, ...measured };

function encode(head: unknown, rest: Uint8Array): Buffer {
  const json = Buffer.from(JSON.stringify(head) ?? "");
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, rest]);
}

interface Sent {
  /** Size of the chunks in which the response arrives. */
  readonly chunkBytes: number;
  /** How many outputs were requested. */
  readonly count?: number;
}

/** Reads a response. Resolves to its kind; throws for one that breaks a promise. */
async function read(bytes: Buffer, { chunkBytes, count = 1 }: Sent): Promise<string> {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, n) =>
    bytes.subarray(n * chunkBytes, (n + 1) * chunkBytes),
  );
  let requested = 0;
  try {
    const { outputs } = await readOutputs(Array(count).fill({ thumbnail: true }), Readable.from(chunks), {
      maxBytes: MAX_BYTES,
      onMeasured: () => undefined,
      readUploaded: async (uploaded) => {
        requested = uploaded.bytes;
        return bytes;
      },
    });
    expect(outputs.length).toBe(count);
    const captures = outputs.flatMap((output) => ("error" in output ? [] : [output.capture]));
    for (const capture of captures) expect(capture.mimeType).toBe(mimeTypes[capture.format]);
    const bodies = captures.flatMap(({ body, slices }) => [body, ...slices.map((slice) => slice.body)]);
    expect(bodies.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(MAX_BYTES);
    for (const { thumbnail: receive, reportPicture } of captures) {
      const received = await receive?.().catch(refused);
      expect(received?.length ?? 0).toBeLessThanOrEqual(MAX_THUMBNAIL_BYTES);
      expect(reportPicture?.length ?? 0).toBeLessThanOrEqual(MAX_REPORT_PICTURE_BYTES);
    }
    return captures.length === count ? "capture" : "failed output";
  } catch (error) {
    if (error instanceof UnreadableResponse) return "unreadable";
    if (error instanceof ApiError) return "error";
    throw error;
  } finally {
    expect(requested).toBeLessThan(80_000_000);
  }
}

function refused(error: unknown): undefined {
  expect(error).toBeInstanceOf(UnreadableResponse);
}

const hostile = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(...nasty),
  fc.constantFrom(-1, 0.5, 1e12, 2 ** 53, null, [], {}, true),
);

test("a valid head is read, so that the following heads differ from it in one place only", async () => {
  expect(await read(encode(valid, Buffer.from("abc")), { chunkBytes: 2 })).toBe("capture");
  expect(await read(encode(validOutputs, Buffer.from("abcdef")), { chunkBytes: 2, count: 2 })).toBe("capture");
  const failed = { ...validOutputs, outputs: [result, failure] };
  expect(await read(encode(failed, Buffer.from("abc")), { chunkBytes: 2, count: 2 })).toBe("failed output");
  expect(await read(encode({ ...failure, ...measured }, Buffer.alloc(0)), { chunkBytes: 2 })).toBe("error");
});

test("another kind of response than was requested is none", async () => {
  expect(await read(encode(validOutputs, Buffer.from("abcdef")), { chunkBytes: 100 })).toBe("unreadable");
  expect(await read(encode(valid, Buffer.from("abc")), { chunkBytes: 100, count: 2 })).toBe("unreadable");
  expect(await read(encode(alone, Buffer.from("abc")), { chunkBytes: 100 })).toBe("unreadable");
});

test.each([
  [0, 1],
  [0, 2],
  [1, 2],
  [3, 2],
])("%s outputs are none where %s were requested", async (sent, count) => {
  expect(await read(encode(validHead(sent), Buffer.alloc(20)), { chunkBytes: 100, count })).toBe("unreadable");
});

test("outputs that are larger than the limit together are none", async () => {
  const large = { ...result, bodyBytes: 0.6 * MAX_BYTES };
  const head = { ...validOutputs, outputs: [large, large] };
  expect(await read(encode(head, Buffer.alloc(1.2 * MAX_BYTES)), { chunkBytes: 100, count: 2 })).toBe("unreadable");
});

test("random bytes are no capture", () =>
  holds(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 50 }), async (bytes, chunk) => {
      expect(await read(Buffer.from(bytes), { chunkBytes: chunk })).toBe("unreadable");
    }),
  ));

test("each field of a head can be anything", () =>
  holds(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(valid), "uploadMs", "bytes", "code", "message", "blame", "__proto__"),
      hostile,
      fc.uint8Array({ maxLength: 20 }),
      fc.integer({ min: 1, max: 50 }),
      async (field, value, rest, chunk) => {
        const head = Object.defineProperty({ ...valid }, field, { value, enumerable: true });
        expect(await read(encode(head, rest), { chunkBytes: chunk })).toMatch(/^(?:capture|unreadable|error)$/);
      },
    ),
  ));

test.each([
  ["one output", [], result],
  ["the last of two outputs", [result], result],
  ["an output that failed", [], failure],
])("each field of %s can be anything", (_, before, last) =>
  holds(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(last), "reportPictureBytes", "pages", "report", "code", "name", "__proto__"),
      hostile,
      fc.uint8Array({ maxLength: 20 }),
      fc.integer({ min: 1, max: 50 }),
      async (field, value, rest, chunk) => {
        const outputs = [...before, Object.defineProperty({ ...last }, field, { value, enumerable: true })];
        const sent = { chunkBytes: chunk, count: outputs.length };
        const kind = await read(encode({ ...valid, outputs }, rest), sent);
        expect(kind).toMatch(last === failure ? /^(?:failed output|unreadable)$/ : /^(?:capture|unreadable)$/);
      },
    ),
  ),
);

test("a response that says that it was uploaded can't do so again", async () => {
  const uploaded = encode({ kind: "uploaded", uploadMs: 1, bytes: 10 }, Buffer.alloc(0));
  expect(await read(uploaded, { chunkBytes: 100 })).toBe("unreadable");
});

test("what follows the results can be anything", () =>
  holds(
    fc.asyncProperty(
      fc.oneof(fc.jsonValue(), fc.record({ kind: fc.constant("thumbnails"), bytes: fc.array(hostile) })),
      fc.uint8Array({ maxLength: 50 }),
      fc.integer({ min: 1, max: 50 }),
      async (head, rest, chunk) => {
        const response = Buffer.concat([encode(valid, Buffer.from("abc")), encode(head, rest)]);
        expect(await read(response, { chunkBytes: chunk })).toBe("capture");
      },
    ),
  ));
