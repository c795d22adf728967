// LZW compression of GIF, decoded by libnsgif and compared.
import sharp from "sharp";
import { expect, test } from "vitest";
import { FILE_END, fileHeader, gifFrame } from "../../../../../lib/engine/formats/video/gif/gif-file.ts";
import { compress } from "../../../../../lib/engine/formats/video/gif/lzw.ts";
import { seededRandom } from "../../../../fixtures/seeded-random.ts";
import { sample } from "../../../../support/slow-run.ts";

/** Colours that can be distinguished, one for each index; the last index is transparent. */
function greys(depth: number): number[] {
  return Array.from({ length: (1 << depth) - 1 }, (_, index) => index * 0x010101);
}

/** What a decoder makes of indices: the grey of each pixel. */
async function decoded(indices: Uint8Array, { width = indices.length, depth = 8, alternatives = indices } = {}) {
  const size = { width, height: indices.length / width };
  const data = compress({ indices, alternatives, depth });
  const transparent = (1 << depth) - 1;
  const frame = gifFrame({ box: { left: 0, top: 0, ...size }, transparent, palette: undefined, data }, 10);
  const file = Buffer.concat([fileHeader(size, greys(depth), depth), frame, FILE_END]);
  const pixels = await sharp(file, { failOn: "warning" }).ensureAlpha().raw().toBuffer();
  return { bytes: data.length, greys: Buffer.from(indices.map((_, at) => pixels.readUInt8(at * 4))) };
}

function noise(length: number, colours: number): Uint8Array {
  const random = seededRandom(length + colours);
  return Uint8Array.from({ length }, () => Math.floor(random() * colours));
}

test.each([2, 3, 4, 5, 6, 7, 8])(
  "lzw: noise in indices of %i bits is decoded, regardless of the width of the codes",
  async (depth) => {
    const indices = noise(300 * 200, (1 << depth) - 1);
    expect((await decoded(indices, { width: 300, depth })).greys.equals(indices)).toBe(true);
  },
);

test("lzw: every length is decoded, so that codes grow and tables end at any pixel", async () => {
  const all = noise(5000, 200);
  for (const length of sample(lengthsToTry(), 5)) {
    const indices = all.subarray(0, length);
    expect((await decoded(indices)).greys.equals(indices)).toBe(true);
  }
});

test("lzw: the end code has as many bits as the code before it made codes grow to", () => {
  for (const depth of sample([2, 3, 4, 5, 6, 7, 8], 3)) {
    const all = noise(600, (1 << depth) - 1);
    for (let length = 1; length < all.length; length++) {
      const indices = all.subarray(0, length);
      expectEndedWell(compress({ indices, alternatives: indices, depth }));
    }
  }
});

/** A code is a pixel or two here. Those with 9 bits end at the 254th, and those with 12 bits about the 3,840th. */
function lengthsToTry(): number[] {
  return [
    [1, 40],
    [245, 275],
    [3800, 3900],
  ].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from }, (_, at) => from + at));
}

/** Reads codes as strictly as the format is, which decoders are not: nothing comes after the one that ends them. */
function expectEndedWell(data: Buffer): void {
  const depth = data.readUInt8(0);
  const [clear, end] = [1 << depth, (1 << depth) + 1];
  const bytes = blocksOf(data);
  let [position, bits, known, isFirst] = [0, depth + 1, end, true];
  for (;;) {
    const at = position >> 3;
    const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    const code = (word >> (position & 7)) & ((1 << bits) - 1);
    position += bits;
    if (code === end || at >= bytes.length) break;
    // Each code makes a sequence known with the one before it.
    known = code === clear ? end : isFirst ? known : Math.min(known + 1, 4095);
    isFirst = code === clear;
    bits = Math.min(12, Math.floor(Math.log2(known + 1)) + 1);
  }
  expect(Math.ceil(position / 8)).toBe(bytes.length);
}

function blocksOf(data: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 1; data.readUInt8(at) > 0; at += 1 + data.readUInt8(at)) {
    blocks.push(data.subarray(at + 1, at + 1 + data.readUInt8(at)));
  }
  return Buffer.concat(blocks);
}

test("lzw: a single pixel, and long runs of one color, are decoded and compress well", async () => {
  expect((await decoded(Uint8Array.of(7))).greys.equals(Uint8Array.of(7))).toBe(true);
  const run = new Uint8Array(1280 * 720).fill(3);
  const { greys, bytes } = await decoded(run, { width: 1280 });
  expect(greys.equals(run)).toBe(true);
  expect(bytes).toBeLessThan(3_000);
});

test("lzw: a pixel with an alternative takes whichever continues a known sequence", async () => {
  const pattern = noise(64, 200);
  const indices = Uint8Array.from({ length: 64 * 64 }, (_, at) => pattern[at % 64] ?? 0);
  const torn = indices.map((index, at) => (at % 7 === 3 ? 250 : index));
  const free = await decoded(torn, { width: 64, alternatives: indices });
  const fixed = await decoded(torn, { width: 64 });
  expect(free.greys.every((grey, at) => grey === indices[at] || grey === torn[at])).toBe(true);
  expect(free.bytes).toBeLessThan(fixed.bytes);
});
