// Images, fonts and videos that are small and expand enormously, or are broken.
import { crc32 } from "node:zlib";
import type { Pages } from "../page.ts";
import { list, script } from "../page.ts";
import { type Bombs, harmless, heavy } from "./bomb.ts";
import { packed } from "./packed.ts";

export const imageBombs: Bombs = {
  "a PNG of 60,000 × 60,000": { page: `<img src=/bomb/png?side=60000>`, ends: heavy },
  "ten PNGs of 20,000 × 20,000": {
    page: list(10, (n) => `<img width=99 src="/bomb/png?side=20000&${n}">`).join(""),
    ends: heavy,
  },
  "a WebP of 16,383 × 16,383": { page: "<img src=/bomb/webp>", ends: heavy },
  "a GIF of 10,000 frames": { page: "<img src=/bomb/gif>", ends: heavy },
  "a PNG of 10,000 frames": { page: "<img src=/bomb/apng>", ends: heavy },
  "an SVG of 1,000,000,000 pixels": { page: `<img src="/bomb/svg">`, ends: heavy },
  "a cursor, an icon and a mask that are huge": {
    page: `<link rel=icon href="/bomb/png?side=22000"><style>body{cursor:url(/bomb/png?side=22000),auto;mask:url(/bomb/png?side=22000);border-image:url(/bomb/png?side=22000) 1}</style>`,
    ends: heavy,
  },
  "pictures decoded by script": {
    page: script(
      "fetch('/bomb/webp').then((answer) => answer.blob()).then(async (blob) => { const keep = []; for (;;) keep.push(await createImageBitmap(blob)) })",
    ),
    options: { delay: 1 },
    ends: heavy,
  },
  "fonts that unpack to a gigabyte": {
    page: list(
      20,
      (n) => `<style>@font-face{font-family:f${n};src:url(/bomb/font?${n})}</style><p style="font-family:f${n}">x`,
    ).join(""),
    ends: heavy,
  },
  "broken films": {
    page: `<video autoplay controls src=/bomb/mp4></video><audio autoplay src=/bomb/mp4></audio><video autoplay src="/bomb/png?side=99"></video>`,
    ends: harmless,
  },
};

export const imagePages: Pages = {
  "/bomb/png": (query, answer) => {
    void png(Number(query.get("side"))).then((image) => answer.setHeader("content-type", "image/png").end(image));
    return undefined;
  },
  "/bomb/webp": (_, answer) => void answer.setHeader("content-type", "image/webp").end(webp()),
  "/bomb/gif": (_, answer) => void answer.setHeader("content-type", "image/gif").end(gif(10_000)),
  "/bomb/apng": (_, answer) => {
    void apng(10_000).then((image) => answer.setHeader("content-type", "image/png").end(image));
    return undefined;
  },
  "/bomb/svg": (_, answer) =>
    void answer
      .setHeader("content-type", "image/svg+xml")
      .end(
        `<svg xmlns="http://www.w3.org/2000/svg" width="1000000000" height="1000000000"><circle r="900000000"/></svg>`,
      ),
  "/bomb/font": (_, answer) => {
    void woff().then((font) => answer.setHeader("content-type", "font/woff").end(font));
    return undefined;
  },
  /** A film whose first box says that it is 4 GB large. ISO/IEC 14496-12, section 4.2. */
  "/bomb/mp4": (_, answer) =>
    void answer
      .setHeader("content-type", "video/mp4")
      .end(
        Buffer.concat([
          Buffer.from("00000018667479706d70343200000000", "hex"),
          Buffer.from("ffffffff6d6f6f76", "hex"),
          Buffer.alloc(9_999, 255),
        ]),
      ),
};

const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** A chunk of a PNG. PNG specification, section 5.3. */
function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([numbers(data.length), named, numbers(crc32(named))]);
}

function numbers(...values: readonly number[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])));
}

const header = (width: number, height: number) =>
  chunk("IHDR", Buffer.concat([numbers(width, height), Buffer.from([1, 0, 0, 0, 0])]));

/** Black and white, one bit for each pixel, all of them black. */
async function png(side: number): Promise<Buffer> {
  const rowBytes = 1 + Math.ceil(side / 8);
  const data = await packed("deflate", Buffer.alloc(rowBytes * 100), Math.ceil(side / 100));
  return Buffer.concat([PNG_SIGNATURE, header(side, side), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

/** Frames of one pixel on a canvas of 4,000 × 4,000. APNG specification of Mozilla, "fcTL" and "fdAT". */
async function apng(frames: number): Promise<Buffer> {
  const side = 4_000;
  const first = await packed("deflate", Buffer.alloc((1 + side / 8) * 100), side / 100);
  const pixel = await packed("deflate", Buffer.alloc(2), 1);
  const control = (sequence: number, size: number) =>
    chunk("fcTL", Buffer.concat([numbers(sequence, size, size, 0, 0), Buffer.from([0, 1, 0, 100, 0, 0])]));
  const further = list(frames - 1, (n) => [
    control(2 * n + 1, 1),
    chunk("fdAT", Buffer.concat([numbers(2 * n + 2), pixel])),
  ]);
  const parts = [header(side, side), chunk("acTL", numbers(frames, 0)), control(0, side), chunk("IDAT", first)];
  return Buffer.concat([PNG_SIGNATURE, ...parts, ...further.flat(), chunk("IEND", Buffer.alloc(0))]);
}

/** Frames of one pixel on a canvas of 10,000 × 10,000. GIF89a, sections 18, 20, 22 and 23. */
function gif(frames: number): Buffer {
  const side = Buffer.from([0x10, 0x27]);
  const screen = Buffer.concat([Buffer.from("GIF89a"), side, side, Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])]);
  const frame = Buffer.from("21f90404010000002c0000000001000100000202440100", "hex");
  return Buffer.concat([screen, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])]);
}

/** 16,383 × 16,383 pixels of one colour in 27 bytes: codes of one symbol take no bits. RFC 9649, sections 3.4 and 3.7.2.1. */
function webp(): Buffer {
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let bit = 0; bit < count; bit++) bits.push((value >> bit) & 1);
  };
  put(16_382, 14);
  put(16_382, 14);
  put(0, 4); // no alpha, version 0
  put(0, 3); // no transform, no colour cache, no meta codes
  for (let code = 0; code < 5; code++) put(0b0001, 4); // simple, one symbol, of one bit: 0
  const bytes = list(Math.ceil(bits.length / 8) + 4, (at) =>
    list(8, (bit) => (bits[at * 8 + bit] ?? 0) << bit).reduce((sum, bit) => sum | bit),
  );
  const data = Buffer.from([0x2f, ...bytes]);
  const padded = Buffer.concat([data, Buffer.alloc(data.length % 2)]);
  const sized = (length: number) => Buffer.from([length & 255, (length >> 8) & 255, 0, 0]);
  return Buffer.concat([
    Buffer.from("RIFF"),
    sized(padded.length + 12),
    Buffer.from("WEBPVP8L"),
    sized(data.length),
    padded,
  ]);
}

/** A font whose only table unpacks to a gigabyte. WOFF File Format 1.0, sections 3 and 4. */
async function woff(): Promise<Buffer> {
  const table = await packed("deflate", Buffer.alloc(2 ** 20), 1024);
  const offset = 44 + 20;
  const unpackedSize = 2 ** 30;
  return Buffer.concat([
    Buffer.from("wOFF"),
    numbers(0x00010000, offset + table.length),
    Buffer.from([0, 1, 0, 0]),
    numbers(12 + 16 + unpackedSize, 0x00010000, 0, 0, 0, 0, 0),
    Buffer.from("glyf"),
    numbers(offset, table.length, unpackedSize, 0),
    table,
  ]);
}
