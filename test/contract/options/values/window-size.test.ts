// The window in which a page is shown: that of a device, as the options say, or in the shape of the video.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../../lib/contract/options/capture-options.ts";
import { windowSize } from "../../../../lib/contract/options/values/window-size.ts";

type Sent = Readonly<Record<string, unknown>>;

const sizeOf = (sent: Sent) => {
  const { width, height } = windowSize(parseCaptureOptions({ url: "https://example.com", ...sent }));
  return [width, height];
};

describe("viewport size of an image or a PDF", () => {
  test.each<[Sent, readonly number[]]>([
    [{}, [1280, 1024]],
    [{ format: "pdf" }, [1280, 1024]],
    [{ viewport_width: 800 }, [800, 1024]],
    [{ viewport_height: 600 }, [1280, 600]],
    [{ viewport_width: 400, viewport_height: 800, viewport_landscape: true }, [800, 400]],
    [{ viewport_width: 800, viewport_height: 400, viewport_landscape: true }, [800, 400]],
    [{ viewport_device: "iphone_15_pro" }, [393, 659]],
    [{ viewport_device: "iphone_15_pro", viewport_height: 500 }, [393, 500]],
    [{ viewport_device: "iphone_15_pro", viewport_landscape: true }, [659, 393]],
  ])("with %j is %j", (sent, size) => {
    expect(sizeOf(sent)).toEqual(size);
  });
});

describe("viewport size of a video", () => {
  test.each<[Sent, readonly number[]]>([
    [{}, [1280, 720]],
    [{ viewport_width: 1920 }, [1920, 1080]],
    [{ viewport_width: 1366 }, [1366, 769]],
    [{ viewport_width: 800, viewport_height: 800 }, [800, 800]],
    [{ viewport_device: "iphone_15_pro" }, [393, 659]],
    [{ viewport_device: "iphone_15_pro", video_width: 300 }, [393, 659]],
    [{ video_width: 640 }, [1280, 720]],
    [{ video_aspect_ratio: "4:3" }, [1280, 960]],
    [{ video_aspect_ratio: "9:16", viewport_width: 450 }, [450, 800]],
    [{ video_aspect_ratio: "1:1", viewport_device: "iphone_15_pro" }, [393, 393]],
    [{ video_aspect_ratio: "1:1", viewport_device: "iphone_15_pro", viewport_landscape: true }, [659, 659]],
    [{ video_width: 640, video_height: 480 }, [1280, 960]],
    [{ video_width: 1080, video_height: 1920, viewport_width: 360 }, [360, 640]],
    [{ video_width: 1366, video_height: 768 }, [1280, 720]],
    [{ video_width: 416, video_height: 720, viewport_width: 390 }, [390, 675]], // 675.0000000000001, as numbers are
    [{ video_width: 1000, video_height: 562 }, [1280, 720]],
  ])("with %j is %j", (sent, size) => {
    expect(sizeOf({ format: "mp4", ...sent })).toEqual(size);
  });

  test.each(["mp4", "webm", "gif", "animated_webp"])(
    "has the aspect ratio 16:9 by default in the format %s",
    (format) => {
      expect(sizeOf({ format })).toEqual([1280, 720]);
    },
  );
});
