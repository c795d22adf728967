// Screencast: recordings in real time by the real Chromium, and when the content of each frame was painted.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FrameImage } from "../../../../lib/engine/formats/video/frame-encoder.ts";
import { type Recording, recordScreen } from "../../../../lib/engine/formats/video/screencast.ts";
import { decode, type Pixels } from "../../../fixtures/png.ts";
import { killBrowser } from "../../../support/chromium.ts";
import { type OpenPage, openPage } from "../../../support/open-page.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";

const BITS = 20;
const SQUARE = 10;

/** Paints the time of day in milliseconds as white and black squares, one for each of the last bits. */
const CLOCK = `<!doctype html><style>body{margin:0}i{position:absolute;top:0;width:${SQUARE}px;height:${SQUARE}px}
  #bar{position:absolute;top:20px;width:40px;height:30px;background:red}</style>
  ${Array.from({ length: BITS }, (_, bit) => `<i style="left:${bit * SQUARE}px"></i>`).join("")}<div id="bar"></div>
  <script>
    const squares = document.querySelectorAll("i");
    function paint() {
      const now = Date.now();
      squares.forEach((square, bit) => (square.style.background = (now >> bit) & 1 ? "white" : "black"));
      bar.style.left = now / 5 % 160 + "px";
      requestAnimationFrame(paint);
    }
    paint();
  </script>`;

function timeIn(picture: Pixels): number {
  let time = 0;
  for (let bit = 0; bit < BITS; bit++) {
    const [red = 0] = picture.colourAt((bit + 0.5) * SQUARE, SQUARE / 2);
    if (red > 127) time |= 1 << bit;
  }
  return time;
}

const WINDOW = { width: 200, height: 100 };

async function open(html: string): Promise<OpenPage> {
  const page = await openPage(html);
  await fit(page, WINDOW, {});
  return page;
}

/** As the window of a video is fitted: it is as large as the video, and the page believes in a size of its own. */
async function fit({ capturing }: OpenPage, bounds: { width: number; height: number }, shown: object): Promise<void> {
  const { cdp } = capturing.session;
  const { windowId } = await cdp.send("Browser.getWindowForTarget");
  await cdp.send("Browser.setWindowBounds", { windowId, bounds });
  const metrics = { ...WINDOW, deviceScaleFactor: 1, mobile: false, dontSetVisibleSize: true, ...shown };
  await cdp.send("Emulation.setDeviceMetricsOverride", metrics);
}

/** Ten frames in half a second by default. */
const record = ({ capturing }: OpenPage, recording: Partial<Recording> = {}) =>
  recordScreen(capturing.session.cdp, { seconds: 0.5, fps: 20, inputFormat: "png", ...WINDOW, ...recording });

async function pictures(page: OpenPage, recording?: Partial<Recording>): Promise<FrameImage[]> {
  const taken: FrameImage[] = [];
  for await (const picture of record(page, recording)) taken.push(picture);
  return taken;
}

/** The frames as they are seen: a frame without a picture of its own looks like the one before it. */
async function seenIn(pictures: readonly FrameImage[]): Promise<Pixels[]> {
  const seen: Pixels[] = [];
  for (const picture of pictures) {
    const last = seen.at(-1);
    const frame = picture === undefined ? last : await decode(Buffer.from(picture, "base64"));
    if (!frame) throw new Error("The first frame has no picture.");
    seen.push(frame);
  }
  return seen;
}

const sizesOf = (frames: readonly Pixels[]) => [...new Set(frames.map(({ width, height }) => `${width} × ${height}`))];

describe("screencast: a moving page", () => {
  let page: OpenPage;
  beforeAll(async () => {
    page = await open(CLOCK);
  });
  afterAll(() => page[Symbol.asyncDispose]());

  test("is shown in each frame as it was at that time", async () => {
    const frames = await seenIn(await pictures(page, { seconds: 1 }));
    expect(frames).toHaveLength(20);
    const times = frames.map(timeIn);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    // Of single frames nothing can be said on a machine that is busy; most of them are at their positions.
    const offsets = times.map((time, frame) => Math.abs(time - (times[0] ?? 0) - frame * 50));
    expect(offsets.toSorted((one, other) => one - other)[10]).toBeLessThan(200);
  });

  sampled(test, 6).each([
    [0.5, 7, 4],
    [0.3, 25, 8],
    [0.5, 60, 30],
  ])("has all its frames: %f s, %i a second", async (seconds, fps, count) => {
    expect(await pictures(page, { seconds, fps })).toHaveLength(count);
  });

  test("is not held up by a slow consumer", async () => {
    const paintedOften =
      "new Promise((resolve) => { let left = 25; (function next() { left-- ? requestAnimationFrame(next) : resolve() })() })";
    const taken: FrameImage[] = [];
    for await (const picture of record(page)) {
      if (taken.push(picture) === 1) await (await page.capturing.session.page()).evaluate(paintedOften);
    }
    const times = (await seenIn(taken)).map(timeIn);
    expect(times).toHaveLength(10);
    expect(new Set(times.slice(0, 8)).size).toBeGreaterThan(2);
  });

  test("stops when the consumer stops", async () => {
    let calls = 0;
    const count = async () => {
      calls++;
    };
    for await (const _ of record(page, { seconds: 30, prepare: count })) break;
    const before = calls;
    expect(await pictures(page, {})).toHaveLength(10);
    expect(calls - before).toBeLessThan(3);
  });

  test("is recorded as jpeg", async () => {
    const [first = ""] = await pictures(page, { inputFormat: "jpeg" });
    expect([...Buffer.from(first, "base64").subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  });

  describe("with prepare", () => {
    test("calls it in real time, one call at a time, and never after the last frame", async () => {
      const moments: number[] = [];
      let [running, most] = [0, 0];
      const prepare = async (ms: number) => {
        most = Math.max(most, ++running);
        moments.push(ms);
        await (await page.capturing.session.page()).evaluate("1");
        running--;
      };
      await pictures(page, { prepare });
      expect(most).toBe(1);
      expect(moments.length).toBeGreaterThan(2);
      expect(moments).toEqual(moments.toSorted((one, other) => one - other));
      expect(moments[0]).toBe(0);
      expect(moments.at(-1)).toBeLessThanOrEqual(450);
    });

    test("fails as prepare does", async () => {
      const prepare = async (ms: number) => {
        if (ms > 100) throw new Error("It cannot be scrolled.");
      };
      await expect(pictures(page, { seconds: 30, prepare })).rejects.toThrow("It cannot be scrolled.");
    });
  });
});

describe("screencast: a still page", () => {
  let page: OpenPage;
  const QUARTERS = `<!doctype html><style>body{margin:0;background:blue}
    div{position:absolute;left:100px;top:50px;width:100px;height:50px;background:lime}</style><div></div>`;
  const [BLUE, LIME] = [
    [0, 0, 255],
    [0, 255, 0],
  ];
  beforeAll(async () => {
    page = await open(QUARTERS);
  });
  afterAll(() => page[Symbol.asyncDispose]());

  test("is one image and nothing else", async () => {
    const [first, ...others] = await pictures(page);
    expect([first?.length ?? 0, others]).toEqual([expect.any(Number), Array(9).fill(undefined)]);
    const [seen] = await seenIn([first]);
    expect([seen?.colourAt(50, 25), seen?.colourAt(150, 75)]).toEqual([BLUE, LIME]);
  });

  test("is one image even when it is repainted again and again", async () => {
    await using hidden = await open(`<!doctype html><style>body{margin:0}div{position:absolute;will-change:transform}
      #cover{width:200px;height:100px;background:blue;z-index:1;opacity:0.999}#bar{width:9px;height:9px;background:blue}
      </style><div id="cover"></div><div id="bar"></div><script>
      (function move() { bar.style.left = Date.now() % 100 + "px"; requestAnimationFrame(move) })()</script>`);
    const [first, ...others] = await pictures(hidden);
    expect([first?.length ?? 0, others]).toEqual([expect.any(Number), Array(9).fill(undefined)]);
  });

  sampled(test, 12).each([
    ["twice as large", { width: 400, height: 200 }, { scale: 2 }],
    ["reduced", { width: 100, height: 50 }, { scale: 0.5 }],
    ["cut to even sizes", { width: 150, height: 74 }, { scale: 0.75 }],
  ])("is shown %s, at its window's size", async (_, size, shown) => {
    await fit(page, size, shown);
    const frames = await seenIn(await pictures(page, size));
    expect(sizesOf(frames)).toEqual([`${size.width} × ${size.height}`]);
    const [seen] = frames;
    const [left, top] = [0.5 * size.width, 0.5 * size.height];
    expect([seen?.colourAt(left - 3, top - 3), seen?.colourAt(left + 3, top + 3)]).toEqual([BLUE, LIME]);
  });

  test("is shown in part", async () => {
    const size = { width: 100, height: 60 };
    await fit(page, size, { viewport: { x: 90, y: 40, width: 50, height: 30, scale: 2 } });
    const frames = await seenIn(await pictures(page, size));
    expect(sizesOf(frames)).toEqual(["100 × 60"]);
    const [seen] = frames;
    expect([seen?.colourAt(18, 18), seen?.colourAt(22, 22), seen?.colourAt(97, 57)]).toEqual([BLUE, LIME, LIME]);
  });

  slowTest("is resized where Chromium sends another size", async () => {
    await fit(page, WINDOW, {});
    const frames = await seenIn(await pictures(page, { width: 64, height: 48 }));
    expect([frames.length, sizesOf(frames)]).toEqual([10, ["64 × 48"]]);
    expect([frames[0]?.colourAt(16, 12), frames[0]?.colourAt(48, 36)]).toEqual([BLUE, LIME]);
  });

  test("shows a single change from its time to the end", async () => {
    await fit(page, WINDOW, {});
    const driver = await page.capturing.session.page();
    await driver.evaluate('document.body.style.background = ""'); // a second attempt begins with the page of the first
    let isChanged = false;
    const prepare = async (ms: number) => {
      if (ms < 150 || isChanged) return;
      isChanged = true;
      await driver.evaluate('document.body.style.background = "red"');
    };
    const frames = await seenIn(await pictures(page, { prepare }));
    const colours = frames.map((frame) => String(frame.colourAt(50, 25)));
    const changed = colours.indexOf("255,0,0");
    expect(changed).toBeGreaterThan(1);
    expect(colours).toEqual([...Array(changed).fill("0,0,255"), ...Array(10 - changed).fill("255,0,0")]);
  });
});

sampled(test, 4).each([
  ["moves", CLOCK],
  ["stands still", "<p>Nothing moves."],
])("screencast: fails when the browser dies while a page %s", async (_, html) => {
  await using page = await open(html);
  const filming = async () => {
    let frames = 0;
    for await (const _ of record(page, { seconds: 30 })) if (++frames === 1) killBrowser(page.capturing.session);
  };
  await expect(filming()).rejects.toThrow("The browser has gone");
});
