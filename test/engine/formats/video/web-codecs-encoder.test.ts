// WebCodecs encoder: images become mp4 and webm, which are decoded again: every frame at its time, with its colours.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type BrowserSession, launchBrowser } from "../../../../lib/engine/browser/browser.ts";
import type { FrameImage, VideoSettings } from "../../../../lib/engine/formats/video/frame-encoder.ts";
import { createWebCodecsEncoder, prepareEncoderPage } from "../../../../lib/engine/formats/video/web-codecs-encoder.ts";
import { REPORT } from "../../../../lib/engine/injected/video-encoder.ts";
import { chromiumFiles, killBrowser, testLimits } from "../../../support/chromium.ts";
import { sampled } from "../../../support/slow-run.ts";
import { type DecodedFrame, decodeVideo } from "../../../support/video.ts";

const formats = ["mp4", "webm"] as const;
type Format = (typeof formats)[number];

const launch = async () => launchBrowser({ files: await chromiumFiles(), allowed: new Set(), limits: testLimits });

let session: BrowserSession;
beforeAll(async () => {
  session = await launch();
  await prepareEncoderPage(session);
});
afterAll(() => session?.close());

const small: VideoSettings = { width: 160, height: 96, fps: 30, quality: 80 };

async function encode(format: Format, settings: VideoSettings, pictures: readonly FrameImage[]): Promise<Buffer> {
  await using encoder = await createWebCodecsEncoder(session, format, settings);
  for (const picture of pictures) await encoder.add(picture);
  return await encoder.finish();
}

const encoded = async (format: Format, settings: VideoSettings, pictures: readonly FrameImage[]) =>
  decodeVideo(await encode(format, settings, pictures));

/** A JPEG as Chromium paints them, in base64; `draw` is the inside of an SVG. */
async function picture({ width, height }: VideoSettings, draw: string): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${draw}</svg>`;
  const jpeg = await sharp(Buffer.from(svg)).flatten({ background: "white" }).jpeg({ quality: 95 }).toBuffer();
  return jpeg.toString("base64");
}

const BAR = 16;

/** White, with a black bar whose left edge is at `x`. */
const bar = (settings: VideoSettings, x: number) =>
  picture(settings, `<rect x="${x}" width="${BAR}" height="${settings.height}"/>`);

/** Where the bar is in each frame; both edges are counted, so a blurred one is found nowhere. */
const bars = (frames: readonly DecodedFrame[], { width, height }: VideoSettings) =>
  frames.map((frame) => {
    const dark = Array.from({ length: width }, (_, x) => x).filter((x) => Number(frame.pixel(x, height / 2)[1]) < 128);
    return dark.length === BAR ? dark[0] : `${dark.length} dark pixels`;
  });

const page: VideoSettings = { ...small, width: 320, height: 180 };

/** A page of text that goes 3 pixels up with each of 12 frames. */
let scrolledText: readonly string[] = [];
beforeAll(async () => {
  const line = "Sphinx of black quartz, judge my vow.";
  const lines = Array.from({ length: 16 }, (_, at) => `<text x="8" y="${at * 18}">${line} ${at}</text>`).join("");
  const text = (top: number) =>
    `<g font-family="sans-serif" font-size="13" transform="translate(0 ${-top})">${lines}</g>`;
  scrolledText = await Promise.all(Array.from({ length: 12 }, (_, index) => picture(page, text(index * 3))));
});

describe.each(formats)("video encoder: %s", (format) => {
  sampled(test, 8).each([
    [30, 20],
    [60, 60],
    [7, 10],
    [1, 2],
  ])("at %i frames per second shows each of %i frames at its time", async (fps, count) => {
    const settings = { ...small, fps };
    const offsets = Array.from({ length: count }, (_, index) => (index * 7) % (small.width - BAR));
    const pictures = await Promise.all(offsets.map((x) => bar(settings, x)));
    const { frames, ...video } = await encoded(format, settings, pictures);
    expect(video).toMatchObject({ width: 160, height: 96, codec: expect.stringMatching(/^(avc1\.640c1e|vp09\.00\.)/) });
    expect(bars(frames, settings)).toEqual(offsets);
    const precision = format === "mp4" ? 0.5e-6 : 0.5e-3; // WebM counts milliseconds
    frames.forEach((frame, index) => {
      expect(Math.abs(frame.timestampSeconds - index / fps)).toBeLessThanOrEqual(precision);
    });
    expect(Math.abs(video.durationSeconds - count / fps)).toBeLessThanOrEqual(2 * precision);
  });

  test("keeps colours", async () => {
    const colours = [
      ...["#ff0000", "#00ff00", "#0000ff", "#ffffff", "#000000", "#808080", "#202020", "#e0e0e0"],
      ...["#ffff00", "#00ffff", "#ff00ff", "#1a73e8", "#ff7a00", "#5b2c83", "#0a5c36", "#f4d9c6"],
    ];
    const settings = { ...small, width: 128, height: 128 };
    const place = (index: number) => [(index % 4) * 32, Math.floor(index / 4) * 32] as const;
    const squares = colours.map((colour, index) => {
      const [x, y] = place(index);
      return `<rect x="${x}" y="${y}" width="32" height="32" fill="${colour}"/>`;
    });
    const chart = await picture(settings, squares.join(""));
    const { frames } = await encoded(format, settings, [chart, chart, undefined]);
    for (const frame of frames) {
      colours.forEach((colour, index) => {
        const [x, y] = place(index);
        const found = frame.pixel(x + 16, y + 16);
        const expected = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
        const worst = Math.max(...expected.map((value, channel) => Math.abs(value - Number(found[channel]))));
        expect(worst, `${colour} is ${found}`).toBeLessThanOrEqual(3);
      });
    }
  });

  test("states its colour space", async () => {
    const file = await encode(format, small, [await bar(small, 0)]);
    using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
    const track = await input.getPrimaryVideoTrack();
    const bt709 = { primaries: "bt709", transfer: "bt709", matrix: "bt709", fullRange: false };
    expect(await track?.getColorSpace()).toEqual(bt709); // by what is in the frames, too
    expect(file.includes(format === "mp4" ? "colrnclx" : Buffer.of(0x55, 0xb0))).toBe(true);
  });

  test("repeats the previous image where none is given", async () => {
    const [first, second] = await Promise.all([bar(small, 16), bar(small, 96)]);
    const pictures = [first, undefined, undefined, second, undefined, first, undefined];
    const { frames } = await encoded(format, small, pictures);
    expect(bars(frames, small)).toEqual([16, 16, 16, 96, 96, 16, 16]);
  });

  test("has a key frame every two seconds", async () => {
    const settings = { ...small, fps: 5 };
    const pictures = [await bar(settings, 0), ...Array<undefined>(24)];
    const { frames } = await encoded(format, settings, pictures);
    expect(frames.flatMap(({ key }, index) => (key ? [index] : []))).toEqual([0, 10, 20]);
  });

  test("is smaller at a lower quality", async () => {
    const pictures = scrolledText.slice(0, 6);
    const sizes: number[] = [];
    for (const quality of [0, 80, 100]) sizes.push((await encode(format, { ...page, quality }, pictures)).length);
    const [least = 0, usual = 0, most = 0] = sizes;
    expect(usual).toBeGreaterThan(1.2 * least);
    expect(most).toBeGreaterThanOrEqual(usual);
  });

  test("keeps text sharp while it scrolls", async () => {
    const { frames } = await encoded(format, page, scrolledText);
    const last = await sharp(Buffer.from(scrolledText.at(-1) ?? "", "base64"))
      .ensureAlpha()
      .raw()
      .toBuffer();
    expect(psnr(frames.at(-1)?.rgba ?? Buffer.alloc(0), last)).toBeGreaterThan(30);
  });

  sampled(test, 12).each([
    [1026, 66],
    [16, 16],
    [3840, 2160],
  ])("can measure %i × %i", async (width, height) => {
    const settings = { ...small, width, height };
    const video = await encoded(format, settings, [await picture(settings, `<rect width="8" height="100%"/>`)]);
    expect(video).toMatchObject({ width, height });
    expect(video.frames[0]?.pixel(3, height - 1)[1]).toBeLessThan(15);
    expect(video.frames[0]?.pixel(12, height - 1)[1]).toBeGreaterThan(240);
  });

  test("fails for an invalid image, one of another size, or none at the start", async () => {
    const bad = Buffer.from("this is no picture").toString("base64");
    await expect(encode(format, small, [await bar(small, 0), bad, undefined])).rejects.toThrow("could not be encoded");
    await expect(encode(format, small, [await bar({ ...small, width: 162 }, 0)])).rejects.toThrow("162 × 96");
    await expect(encode(format, small, [undefined])).rejects.toThrow("no image");
    expect((await encoded(format, small, [await bar(small, 32)])).frames).toHaveLength(1);
  });
});

test("video encoder: an mp4 has its index before its frames, and a brand that every player supports", async () => {
  const file = await encode("mp4", small, [await bar(small, 0), undefined]);
  expect(boxes(file)).toEqual(["ftyp", "moov", "mdat"]);
  expect(file.toString("latin1", 8, 12)).toBe("isom");
});

test.each(["killed", "closed"])("video encoder: a browser that is %s rejects pending calls", async (end) => {
  const own = await launch();
  try {
    await prepareEncoderPage(own);
    await own.cdp.send("Runtime.evaluate", { expression: `${REPORT} = () => {}` }); // it says nothing
    await using encoder = await createWebCodecsEncoder(own, "webm", small);
    await encoder.add(await bar(small, 0));
    await encoder.add(undefined);
    const waiting = expect(encoder.add(undefined)).rejects.toThrow("is gone");
    await own.cdp.send("Runtime.evaluate", { expression: "0" }); // by now it has been notified
    if (end === "killed") killBrowser(own);
    else await own.close();
    await waiting;
    await expect(encoder.add(undefined)).rejects.toThrow();
    await expect(encoder.finish()).rejects.toThrow();
  } finally {
    await own.close();
  }
});

test("video encoder: leaves no files behind", async () => {
  const folder = await mkdtemp(join(tmpdir(), "encoder-test-"));
  vi.stubEnv("TMPDIR", folder); // where no other test is at work
  try {
    await using encoder = await createWebCodecsEncoder(session, "mp4", small);
    await encoder.add(await bar(small, 0));
    expect(await readdir(folder)).toHaveLength(1);
    await encoder[Symbol.asyncDispose]();
    expect(await readdir(folder)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  }
});

/** The outermost boxes of an MP4, in their order. */
function boxes(file: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < file.length; at += file.readUInt32BE(at)) names.push(file.toString("latin1", at + 4, at + 8));
  return names;
}

/** How near two pictures are, in decibels. */
function psnr(one: Buffer, other: Buffer): number {
  expect(one).toHaveLength(other.length);
  const squares = one.reduce((sum, value, at) => sum + (value - Number(other[at])) ** 2, 0);
  return 10 * Math.log10(255 ** 2 / (squares / one.length));
}
