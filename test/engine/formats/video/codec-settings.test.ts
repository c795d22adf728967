// Codec string, level, bitrate and quantizer for videos of all sizes and rates.
import { expect, test } from "vitest";
import { MAX_VIDEO_SIZE } from "../../../../lib/contract/options/groups/video.ts";
import { type CodecFormat, codecSettings } from "../../../../lib/engine/formats/video/codec-settings.ts";

const usual = { width: 1280, height: 720, fps: 30, quality: 80 };
const codecOf = (format: CodecFormat, settings: Partial<typeof usual>) =>
  codecSettings(format, { ...usual, ...settings }).codec;

test.each([
  [16, 16, 1, "avc1.64001e", "vp09.00.30"],
  [1280, 720, 30, "avc1.64001f", "vp09.00.31"],
  [1280, 720, 60, "avc1.640020", "vp09.00.40"],
  [720, 1280, 30, "avc1.64001f", "vp09.00.31"],
  [1920, 1080, 30, "avc1.640028", "vp09.00.40"],
  [1920, 1080, 60, "avc1.64002a", "vp09.00.41"],
  [3840, 2160, 30, "avc1.640033", "vp09.00.50"],
  [3840, 2160, 60, "avc1.640034", "vp09.00.51"],
  [3840, 16, 30, "avc1.640028", "vp09.00.40"], // decoders of lower levels have no room for such a long row
])(
  "codec settings: %i × %i at %i frames per second has the lowest level that fits",
  (width, height, fps, h264, vp9) => {
    expect(codecOf("mp4", { width, height, fps })).toBe(h264);
    expect(codecOf("webm", { width, height, fps })).toBe(`${vp9}.08.01.01.01.01.00`);
  },
);

test("codec settings: every shape of the largest area has a level", () => {
  const { pixels, side } = MAX_VIDEO_SIZE;
  for (let width = pixels / side; width <= side; width += 2) {
    const height = Math.floor(pixels / width / 2) * 2;
    for (const format of ["mp4", "webm"] as const) {
      expect(() => codecOf(format, { width, height, fps: 60 }), `${width} × ${height}`).not.toThrow();
    }
  }
});

test("codec settings: a larger video is refused", () => {
  expect(() => codecOf("mp4", { width: 7680, height: 4320 })).toThrow("7680 × 4320");
});

test("codec settings: an mp4 of default size, rate and quality has a target of 4 Mbit/s", () => {
  expect(codecSettings("mp4", usual).bitrate).toBe(4_000_000);
  expect(codecSettings("mp4", { ...usual, quality: 100 }).bitrate).toBe(8_000_000);
  expect(codecSettings("mp4", { ...usual, quality: 60 }).bitrate).toBe(2_000_000);
});

test("codec settings: each step of quality changes the quantizer of a webm", () => {
  const quantizers = Array.from(
    { length: 101 },
    (_, quality) => codecSettings("webm", { ...usual, quality }).quantizer,
  );
  expect(quantizers[0]).toBe(255);
  expect(quantizers[100]).toBe(40);
  expect(new Set(quantizers).size).toBe(101);
  expect(quantizers).toEqual(quantizers.toSorted((one, other) => Number(other) - Number(one)));
});

test("codec settings: a decoder can start every two seconds", () => {
  expect(codecSettings("mp4", { ...usual, fps: 7 }).keyFrameInterval).toBe(14);
});
