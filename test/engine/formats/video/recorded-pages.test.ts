// Recordings of pages that load late, scroll, navigate or busy-wait; as GIF, whose colours are exact.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Capture } from "../../../../lib/engine/pipeline/capture-output.ts";
import { type Site, startSite } from "../../../fixtures/site.ts";
import { APP_SHELL } from "../../../fixtures/site-pages/app-shell.ts";
import { BAND_HEIGHT, BOX, bandColour, GREEN, RED, WHITE } from "../../../fixtures/site-pages.ts";
import { captureWith, failureOf, killBrowser } from "../../../support/chromium.ts";
import { slowTest } from "../../../support/slow-run.ts";
import { type DecodedFrame, type DecodedVideo, decodeVideo } from "../../../support/video.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

type Options = Readonly<Record<string, unknown>>;

const usual = { format: "gif", video_fps: 10, video_duration: 1, viewport_width: 200, viewport_height: 200 } as const;

/** Leaves the window to the device, or to the shape of the video. */
const ownSize = { viewport_width: undefined, viewport_height: undefined };

interface Film extends DecodedVideo {
  readonly capture: Capture;
  /** The frame that is shown at a moment, in seconds. */
  at(seconds: number): DecodedFrame;
}

async function filmOf(options: Options, surroundings: Parameters<typeof captureWith>[1] = {}): Promise<Film> {
  const capture = await captureWith({ ...usual, ...options }, { allow: [site.hostPort], ...surroundings });
  const video = await decodeVideo(capture.body);
  const at = (seconds: number) => {
    const frame = video.frames.findLast(({ timestampSeconds }) => timestampSeconds <= seconds + 0.001);
    if (!frame) throw new Error(`Nothing is shown at ${seconds} s.`);
    return frame;
  };
  return { ...video, capture, at };
}

const filmAt = (path: string, options: Options = {}) => filmOf({ url: site.origin + path, ...options });
const filmOfHtml = (html: string, options: Options = {}) => filmOf({ html, base_url: site.origin, ...options });

/** A page without margins; `body` goes green when `done()` is called. */
const page = (body: string, script = "") =>
  `<!doctype html><body style="margin:0;background:white">${body}<script>
    const done = () => { document.body.style.background = "green" };
    ${script}
  </script>`;

/** A still page makes one frame of an animation, which is shown for as long as the video lasts. */
test("recording: a still page is one image for the whole duration", async () => {
  const { frames, durationSeconds } = await filmAt("/box", { video_duration: 2, video_fps: 5 });
  expect(frames).toHaveLength(1);
  expect(durationSeconds).toBe(2);
  expect(frames[0]?.pixel(BOX.x + 1, BOX.y + 1)).toEqual(RED);
});

/** A page that is resized before its first paint never finishes that frame: it happened to one film in thirty. */
slowTest("recording: pages that have just loaded are recorded frame by frame, several at a time", async () => {
  const film = () => filmAt("/box", { video_fps: 2, video_width: 100 });
  const warnings: string[] = [];
  for (let round = 0; round < 2; round++) {
    const films = await Promise.all([film(), film(), film()]);
    warnings.push(...films.flatMap(({ capture }) => capture.warnings));
  }
  expect(warnings).toEqual([]);
});

describe("recording: before the first frame", () => {
  test("the page is awaited, changed, clicked and hovered over as for a screenshot, in the environment of the options", async () => {
    const button = `<style>button { position: fixed; left: 0; top: 100px; width: 100px; height: 50px; border: 0; background: red }
      button:hover { background: blue }
      @media (prefers-color-scheme: dark) { i { position: fixed; left: 0; bottom: 0; width: 20px; height: 20px; background: black } }</style><i></i><button onclick="this.dataset.clicked = 1; setTimeout(() => done(), 100)"></button><p>text</p>`;
    const { at } = await filmOfHtml(page(button), {
      video_fps: 5,
      dark_mode: true,
      click: "button",
      hover: "button",
      hide_selectors: "p",
      styles:
        "body::after { content: ''; position: fixed; right: 0; bottom: 0; width: 20px; height: 20px; background: lime }",
      scripts: "document.title = 'scripted'",
      wait_for_expression: "document.title === 'scripted' && document.querySelector('button').dataset.clicked",
      delay: 0.3,
    });
    const first = at(0);
    expect(first.pixel(50, 125)).toEqual([0, 0, 255]);
    expect(first.pixel(150, 50)).toEqual(GREEN);
    expect(first.pixel(195, 195)).toEqual([0, 255, 0]);
    expect(first.pixel(5, 195)).toEqual([0, 0, 0]);
  });

  slowTest("Markdown is rendered", async () => {
    const { at } = await filmOf({ markdown: "# Title", markdown_css: "html { background: #00f !important }" });
    expect(at(0).pixel(199, 199)).toEqual([0, 0, 255]);
  });

  slowTest("animations finish on request", async () => {
    const moving = `<style>div { height: 100px; background: red; animation: 60s paint forwards } @keyframes paint { to { background: green } }</style><div></div>`;
    const { frames } = await filmOfHtml(page(moving), { disable_animations: true });
    expect(frames.map((frame) => frame.pixel(50, 50))).toEqual([GREEN]);
  });

  slowTest("a page that cannot be captured fails as for a screenshot", async () => {
    const failing = captureWith({ ...usual, url: `${site.origin}/not-found` }, { allow: [site.hostPort] });
    expect(await failureOf(failing)).toMatchObject({ code: "TARGET_HTTP_ERROR" });
  });
});

describe("recording: during the recording", () => {
  slowTest("loading takes no virtual time, however slow the network is", async () => {
    // Nothing scrolls the page before the recording does, however long that takes to begin.
    const load = `addEventListener("scroll", async () => { await fetch("/slow-json?after=900"); done() }, { once: true })`;
    const scrolls = { video_scenario: "scroll", scroll_delay: 300, video_duration: 1 };
    const { at } = await filmOfHtml(page('<div style="height:3000px"></div>', load), scrolls);
    expect(at(0).pixel(100, 100)).toEqual(WHITE);
    expect(at(0.6).pixel(100, 100)).toEqual(GREEN);
  });

  slowTest("a request that never ends does not stop the page's clock", async () => {
    const ticking = `let ticks = 0; setInterval(() => { document.body.style.background = ++ticks % 2 ? "red" : "green" }, 100)`;
    const { frames } = await filmOfHtml(page("", `fetch("/never-answers"); ${ticking}`), { wait_until: "load" });
    const [first = WHITE] = frames.map((frame) => frame.pixel(100, 100));
    const other = String(first) === String(RED) ? GREEN : RED;
    expect(frames.map((frame) => frame.pixel(100, 100))).toEqual(frames.map((_, index) => (index % 2 ? other : first)));
    expect(frames).toHaveLength(10);
  });

  slowTest("an alert is dismissed, and a navigation of the page is followed", async () => {
    // As above: nothing else begins in the time of the recording, however long that takes to begin.
    const leave = `addEventListener("scroll", () => { alert(1); location.href = "/color-scheme" }, { once: true })`;
    const scrolls = { video_scenario: "scroll", scroll_delay: 300, video_duration: 1 };
    const { at } = await filmOfHtml(page('<div style="height:3000px"></div>', leave), scrolls);
    expect(at(0).pixel(100, 100)).toEqual(WHITE);
    expect(at(0.9).pixel(100, 100)).toEqual(GREEN);
  });

  slowTest("an alert is dismissed and the recording of the page continues", async () => {
    const { at } = await filmOfHtml(page("", "setTimeout(() => { alert(1); done() }, 700)"), { video_duration: 2 });
    expect(at(1.9).pixel(100, 100)).toEqual(GREEN);
  });

  test("canvas, WebGL and frames of the page move in step", async () => {
    const body = `<style>canvas, iframe { position: fixed; top: 0; width: 60px; height: 60px; border: 0 }</style><div style="height:3000px"></div>
      <canvas id="flat" width="60" height="60"></canvas><canvas id="deep" width="60" height="60" style="left: 60px"></canvas>
      <iframe style="left: 120px" srcdoc="<script>(function next() { document.documentElement.style.background = parent.isLate ? 'green' : 'red'; requestAnimationFrame(next) })()</script>"></iframe>`;
    const { at } = await filmOfHtml(
      page(
        body,
        `const flat = document.getElementById("flat").getContext("2d"), deep = document.getElementById("deep").getContext("webgl");
        addEventListener("scroll", () => setTimeout(() => { window.isLate = true }, 200), { once: true });
        requestAnimationFrame(function next() {
          flat.fillStyle = window.isLate ? "green" : "red";
          flat.fillRect(0, 0, 60, 60);
          deep.clearColor(window.isLate ? 0 : 1, window.isLate ? 128 / 255 : 0, 0, 1);
          deep.clear(deep.COLOR_BUFFER_BIT);
          requestAnimationFrame(next);
        });`,
      ),
      { video_scenario: "scroll", scroll_delay: 300, video_duration: 1, wait_until: "load" },
    );
    const seen = (seconds: number) => [30, 90, 150].map((x) => at(seconds).pixel(x, 30));
    expect(seen(0)).toEqual([RED, RED, RED]);
    expect(seen(0.9)).toEqual([GREEN, GREEN, GREEN]);
  });
});

describe("recording: the recorded area is", () => {
  test("the box of an element, with its padding", async () => {
    const video = await filmAt("/box", {
      selector: ".box, div",
      selector_padding: 10,
      video_fps: 2,
      metadata_image_size: true,
    });
    expect([video.width, video.height]).toEqual([BOX.width + 20, BOX.height + 20]);
    expect(video.capture.metadata.image_size).toEqual({ width: BOX.width + 20, height: BOX.height + 20 });
    expect(video.at(0).pixel(9, 30)).toEqual(WHITE);
    expect(video.at(0).pixel(10, 30)).toEqual(RED);
  });

  slowTest("an element below the viewport of a phone", async () => {
    const { width, height, at } = await filmAt("/bands", {
      selector: "#band-7",
      viewport_device: "iphone_15_pro",
      ...ownSize,
    });
    expect([width, height]).toEqual([1178, 120]);
    expect([at(0).pixel(2, 2), at(0).pixel(600, 117)]).toEqual([bandColour(7), bandColour(7)]);
  });

  slowTest("an element taller than the viewport", async () => {
    const { height, at } = await filmAt("/bands", { selector: "main, body" });
    expect(height).toBe(30 * BAND_HEIGHT);
    expect(at(0).pixel(100, 29 * BAND_HEIGHT + 50)).toEqual(bandColour(29));
  });

  slowTest("a rectangle", async () => {
    const clip = { clip_x: 30, clip_y: 20, clip_width: 40, clip_height: 30 };
    const { width, height, at } = await filmAt("/box", clip);
    expect([width, height]).toEqual([40, 30]);
    expect([at(0).pixel(9, 9), at(0).pixel(11, 11)]).toEqual([WHITE, RED]);
  });

  slowTest("painted at the size of a thumbnail", async () => {
    const { width, height, at } = await filmAt("/box", { image_width: 100 });
    expect([width, height]).toEqual([100, 100]);
    expect([at(0).pixel(18, 25), at(0).pixel(22, 25)]).toEqual([WHITE, RED]);
  });

  slowTest("painted larger than the viewport, in its aspect ratio", async () => {
    const { width, height, at } = await filmAt("/box", {
      video_width: 600,
      video_fps: 2,
      video_aspect_ratio: "4:3",
      viewport_height: undefined,
    });
    expect([width, height]).toEqual([600, 450]);
    expect([at(0).pixel(3 * BOX.x - 2, 100), at(0).pixel(3 * BOX.x + 1, 100)]).toEqual([WHITE, RED]);
  });
});

describe("recording: the scroll scenario", () => {
  const down = { video_scenario: "scroll", scroll_back: false, scroll_delay: 0, scroll_easing: "linear" } as const;
  /** Where a page of bands is scrolled to, by the colours at the window's top. */
  const topOf = (frame: DecodedFrame, x = 100) => {
    const band = Array.from({ length: 200 }, (_, n) => n).find(
      (n) => String(bandColour(n)) === String(frame.pixel(x, 0)),
    );
    const next = Array.from({ length: 200 }, (_, y) => y).find(
      (y) => String(frame.pixel(x, y)) !== String(frame.pixel(x, 0)),
    );
    return ((band ?? Number.NaN) + 1) * BAND_HEIGHT - (next ?? Number.NaN);
  };

  test("has the requested speed", async () => {
    const pace = { scroll_by: 1_000, scroll_duration: 2_000, scroll_complete: false };
    const { frames } = await filmAt("/bands", { ...down, ...pace });
    expect(frames.map(topOf)).toEqual(Array.from({ length: 10 }, (_, index) => index * 50));
  });

  slowTest("ends exactly at the end of the page, although its steps would take longer", async () => {
    const { at } = await filmAt("/bands", { ...down, video_fps: 5 });
    expect(topOf(at(0))).toBe(0);
    expect(at(0.9).pixel(100, 199)).toEqual(bandColour(29));
    expect(topOf(at(0.9))).toBe(2_800);
  });

  slowTest("returns to the top", async () => {
    const { at } = await filmAt("/bands", { video_scenario: "scroll", video_duration: 2 });
    expect(topOf(at(0))).toBe(0);
    expect(Math.max(...[0.8, 1, 1.2, 1.4, 1.6].map((seconds) => topOf(at(seconds))))).toBeGreaterThan(1_000);
    expect(topOf(at(1.9))).toBe(0);
  });

  slowTest("shows lazy images as soon as they are in view, and elements that appear on scroll", async () => {
    const { frames } = await filmAt("/lazy-gallery?count=10&delay=300", { ...down, video_duration: 2 });
    const shown = frames.flatMap((frame) => [1, 100, 198].map((y) => String(frame.pixel(100, y))));
    expect(shown.filter((colour) => colour === "204,204,204")).toEqual([]);
  });

  slowTest("continues when the page grows", async () => {
    const { at } = await filmAt("/infinite-scroll", {
      ...down,
      scroll_delay: 300,
      scroll_by: 1_500,
      video_duration: 4,
    });
    const [before, end] = [topOf(at(0)), topOf(at(3.9))];
    expect(before).toBe(0);
    expect(end).toBeGreaterThan(2_000); // it begins with 20 bands
  });

  slowTest("scrolls the inner scroller of an application", async () => {
    const { at } = await filmAt("/app-shell", { ...down, viewport_width: 400, video_fps: 5 });
    expect(at(0.9).pixel(300, 199)).toEqual(bandColour(APP_SHELL.bands - 1));
    expect(at(0.9).pixel(100, 20)).toEqual(APP_SHELL.topBar.colour);
  });
});

slowTest("recording: a page that busy-waits for its clock is recorded in real time, with a warning", async () => {
  const spin = `setInterval(() => { const started = Date.now(); while (Date.now() - started < 5); }, 50);
    let started = performance.now(); setInterval(() => { if (performance.now() - started > 700) done() }, 50)`;
  const { durationSeconds, capture, at } = await filmOfHtml(page("", spin), { video_duration: 2, delay: 0.1 });
  expect(capture.warnings).toEqual([expect.stringContaining("recorded in real time instead of frame by frame")]);
  expect(capture.beginFrameUnavailable).toBeDefined();
  expect(durationSeconds).toBe(2);
  expect(at(1.9).pixel(100, 100)).toEqual(GREEN);
});

describe("recording: a browser that dies during a recording", () => {
  test("is replaced once", async () => {
    const kill = {
      assertsCleanup: true,
      launched: (session: Parameters<typeof killBrowser>[0], attempt: number) => {
        if (attempt === 1) session.cdp.once("Emulation.virtualTimeBudgetExpired", () => killBrowser(session));
      },
    };
    const { durationSeconds } = await filmOf({ url: `${site.origin}/box`, video_fps: 2 }, kill);
    expect(durationSeconds).toBe(1);
  });

  slowTest("is replaced once if it is the encoder's", async () => {
    const [page, encoder] = [1, 2];
    const launched: number[] = [];
    const kill = {
      assertsCleanup: true,
      launched: (session: Parameters<typeof killBrowser>[0], launch: number) => {
        launched.push(launch);
        if (launch === encoder) killBrowser(session);
      },
    };
    const { durationSeconds } = await filmOf({ url: `${site.origin}/box`, format: "mp4" }, kill);
    expect(durationSeconds).toBe(1);
    expect(launched).toEqual([page, encoder, 3, 4]);
  });

  slowTest("fails the capture when its replacement dies as well", async () => {
    const kill = {
      assertsCleanup: true,
      launched: (session: Parameters<typeof killBrowser>[0]) => {
        session.cdp.once("Emulation.virtualTimeBudgetExpired", () => killBrowser(session));
      },
    };
    expect(await failureOf(filmOf({ url: `${site.origin}/box`, video_fps: 2 }, kill))).toMatchObject({
      code: "PAGE_CRASHED",
    });
  });
});

slowTest("recording: one that does not end in time has an error that says what helps", async () => {
  const page = { ...usual, format: "mp4", url: `${site.origin}/noise?width=1920&height=1080` };
  const window = { viewport_width: 1920, viewport_height: 1080 };
  const styles = "canvas { animation: 1s turn infinite } @keyframes turn { to { rotate: 1turn } }";
  const slow = { ...page, ...window, styles, video_duration: 3, video_fps: 60, timeout: 5 };
  const { code, message } = await failureOf(captureWith(slow, { allow: [site.hostPort] }));
  expect(code).toBe("CAPTURE_TIMEOUT");
  expect(message).toContain("the video to be rendered");
});
