// Videos in virtual time: frame N shows the page at exactly N / fps, also on a slow machine.
import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { captureWith } from "../../../support/chromium.ts";
import { clocksIn, clocksPage, clocksWindow, PIXELS_PER_SECOND } from "../../../support/clocks.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { type DecodedVideo, decodeVideo } from "../../../support/video.ts";

const record = async (options: Readonly<Record<string, unknown>>) => decodeVideo((await captureWith(options)).body);

/** Of the moments that frames of an animation merge into one, that at which the first of them is shown. */
function expectExactClocks({ frames }: DecodedVideo): void {
  const [first] = frames;
  if (!first) throw new Error("The video has no frame.");
  const begin = clocksIn(first);
  for (const frame of frames) {
    const moved = PIXELS_PER_SECOND * frame.timestampSeconds;
    const expected = Object.entries(begin).map(([clock, at]) => [clock, at + moved]);
    const off = Object.entries(clocksIn(frame)).map(([clock, at], index) => [clock, at - Number(expected[index]?.[1])]);
    // A timer of 10 ms takes steps of a pixel, and a GIF's times are whole hundredths of a second.
    expect(off.filter(([, by]) => Math.abs(Number(by)) > 1.3)).toEqual([]);
  }
}

describe("each frame shows every clock of the page at its own moment", () => {
  sampled(test, 8).each([
    { format: "mp4", video_fps: 30 },
    { format: "mp4", video_fps: 60 },
    { format: "webm", video_fps: 30 },
    { format: "gif", video_fps: 30 },
    { format: "animated_webp", video_fps: 25 },
  ])("in $format at $video_fps frames per second", async (options) => {
    const video = await record({ ...options, ...clocksWindow, html: clocksPage, video_duration: 1 });
    expect(video.frames.length).toBe(options.video_fps);
    expect(video.durationSeconds).toBeCloseTo(1, 3);
    expectExactClocks(video);
  });

  // Keeps all of the machine busy, so it is done for one format: all formats have their frames from the same steps.
  slowTest("while other processes keep the machine busy, in mp4", async () => {
    const busy = () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
    const others = [busy(), busy(), busy(), busy()];
    try {
      const options = { format: "mp4", video_fps: 30, ...clocksWindow, html: clocksPage, video_duration: 1 };
      const video = await record(options);
      expect(video.frames.length).toBe(30);
      expectExactClocks(video);
    } finally {
      for (const other of others) other.kill("SIGKILL");
    }
  });
});
