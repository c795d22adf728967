// Video size: from the options or the recorded area, and the zoom that fills it.
import { describe, expect, test } from "vitest";
import { videoSize } from "../../../../lib/engine/formats/video/video-size.ts";

const HD = { width: 1280, height: 720 };

describe("video size: without options it is that of the recorded area", () => {
  test.each([
    ["a window", HD, 1, { width: 1280, height: 720, zoom: 1 }],
    ["a window of twice the density", HD, 2, { width: 2560, height: 1440, zoom: 2 }],
    ["a phone, cut to even sides", { width: 393, height: 659 }, 3, { width: 1178, height: 1976, zoom: 3 }],
    ["an element of odd sides", { width: 301, height: 33 }, 1, { width: 300, height: 32, zoom: 1 }],
    [
      "an area of a third of a pixel's density",
      { width: 60, height: 60 },
      1 / 3,
      { width: 20, height: 20, zoom: 1 / 3 },
    ],
    ["the largest screen", { width: 3840, height: 2160 }, 1, { width: 3840, height: 2160, zoom: 1 }],
    ["the largest screen on its side", { width: 2160, height: 3840 }, 1, { width: 2160, height: 3840, zoom: 1 }],
  ])("%s", (_, area, scale, size) => {
    expect(videoSize({}, area, scale)).toEqual(size);
  });
});

describe("video size: video_width and video_height are exact, regardless of the device scale factor", () => {
  test.each([
    [{ video_width: 640 }, HD, { width: 640, height: 360, zoom: 0.5 }],
    [{ video_height: 1080 }, HD, { width: 1920, height: 1080, zoom: 1.5 }],
    [{ video_width: 854 }, HD, { width: 854, height: 480, zoom: 854 / 1280 }],
    [{ video_width: 736 }, HD, { width: 736, height: 414, zoom: 0.575 }], // 413.99999999999994, as numbers are
    [
      { video_width: 640, video_height: 640 },
      { width: 1280, height: 1280 },
      { width: 640, height: 640, zoom: 0.5 },
    ],
    // The window has whole pixels, and so is a little taller than the shape asks for.
    [
      { video_width: 1366, video_height: 768 },
      { width: 1280, height: 720 },
      { width: 1366, height: 768, zoom: 1366 / 1280 },
    ],
    [
      { video_width: 1000, video_height: 16 },
      { width: 1280, height: 21 },
      { width: 1000, height: 16, zoom: 1000 / 1280 },
    ],
  ])("%j of %j", (options, area, size) => {
    expect(videoSize(options, area, 3)).toEqual(size);
  });

  test.each([
    [{ video_width: 1366, video_height: 768 }, HD],
    [
      { video_width: 1366, video_height: 770 },
      { width: 1280, height: 722 },
    ],
    [{ video_width: 1366 }, { width: 1277, height: 719 }],
    [{ video_height: 998 }, { width: 1277, height: 719 }],
    [{ image_width: 333 }, { width: 1277, height: 719 }],
    [{}, { width: 1277, height: 719 }],
  ])("the page fills the video of %j, %j", (options, area) => {
    const { width, height, zoom } = videoSize(options, area, 1.5);
    expect(area.width * zoom).toBeGreaterThan(width - 0.001);
    expect(area.height * zoom).toBeGreaterThan(height - 0.001);
  });
});

describe("video size: image_width and image_height are bounds that keep the aspect ratio and never enlarge", () => {
  test.each([
    ["a width", { image_width: 320 }, 1, { width: 320, height: 180, zoom: 0.25 }],
    ["a height", { image_height: 360 }, 2, { width: 640, height: 360, zoom: 0.5 }],
    [
      "both, of which the width is reached",
      { image_width: 320, image_height: 999 },
      1,
      { width: 320, height: 180, zoom: 0.25 },
    ],
    [
      "both, of which the height is reached",
      { image_width: 999, image_height: 180 },
      1,
      { width: 320, height: 180, zoom: 0.25 },
    ],
    ["more than there is", { image_width: 5000, image_height: 5000 }, 1, { width: 1280, height: 720, zoom: 1 }],
    ["an odd width", { image_width: 321 }, 1, { width: 320, height: 180, zoom: 321 / 1280 }],
  ])("%s", (_, options, scale, size) => {
    expect(videoSize(options, HD, scale)).toEqual(size);
  });

  test("scales a viewport down that is too large for a video", () => {
    expect(videoSize({ image_width: 1920 }, { width: 7680, height: 4320 }, 2)).toMatchObject({
      width: 1920,
      height: 1080,
    });
  });
});

describe("video size: more than can be encoded is refused", () => {
  test.each([
    ["too wide", {}, { width: 3842, height: 100 }, 1, "3842 × 100"],
    ["too tall", {}, { width: 100, height: 3842 }, 1, "100 × 3842"],
    ["too many pixels", {}, { width: 3840, height: 2162 }, 1, "3840 × 2162"],
    ["too dense", {}, HD, 4, "5120 × 2880"],
    ["requested", { video_width: 3840 }, { width: 100, height: 100 }, 1, "3840 × 3840"],
  ])("%s", (_, options, area, scale, size) => {
    expect(() => videoSize(options, area, scale)).toThrow(
      expect.objectContaining({
        code: "RESULT_TOO_LARGE",
        message:
          `The video would measure ${size} pixels, more than 3840 a side or 8.2944 million in all. ` +
          "Lower viewport_width, viewport_height or device_scale_factor, record a smaller area, or send image_width.",
        details: { video: [`${size} pixels`] },
      }),
    );
  });
});

test.each([
  ["a line", {}, { width: 300, height: 15 }, "300 × 14"],
  ["a thumbnail of hardly anything", { image_width: 20 }, HD, "20 × 10"],
])("video size: less than can be encoded is refused: %s", (_, options, area, size) => {
  expect(() => videoSize(options, area, 1)).toThrow(
    expect.objectContaining({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining(`${size} pixels, less than 16`),
    }),
  );
});
