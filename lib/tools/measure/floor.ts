/// <reference lib="dom" />
// The floor, as a process of its own: raw puppeteer with the same Chromium and the same flags, and nothing else.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import puppeteer, { type Page } from "puppeteer-core";
import { browserEnvironment } from "../../engine/browser/browser.ts";
import { type ChromiumFiles, unpackChromium } from "../../engine/browser/chromium-files.ts";
import { chromiumFlags, type FrameMode } from "../../engine/browser/chromium-flags.ts";
import { JPEG_QUALITY } from "../../engine/formats/video/record-frames.ts";

/** The output that is captured after the load event of the page. */
export type FloorJob =
  | { readonly take: "window" | "page" | "pdf" }
  | { readonly take: "element"; readonly selector: string }
  | { readonly take: "thumbnail"; readonly width: number }
  /** As many pictures of a window as a video has frames, as fast as they come. */
  | { readonly take: "frames"; readonly count: number; readonly width: number; readonly height: number };

/** What a script waits for after the load event: an expression, some time, or what comes when it scrolls as careful people do. */
export type FloorWait = { readonly until: string } | { readonly seconds: number } | { readonly scrolls: true };

export interface FloorRequest {
  readonly url: string;
  readonly job: FloorJob;
  readonly wait?: FloorWait | undefined;
  /** On demand the picture is a frame that is painted for it, which is sooner there; of the window alone. @default continuous */
  readonly painting?: FrameMode;
}

export interface FloorResult {
  /** From the launch to the result in memory. */
  readonly milliseconds: number;
  readonly bytes: number;
}

const WINDOW = { width: 1280, height: 1024 };

const PROXY = /^--(proxy-|host-resolver-rules)/;

const files = await unpackChromium(process.env["CHROMIUM_FILES"] ?? "", process.env["FONT_FILES"] ?? "", tmpdir());
process.on("message", (request: FloorRequest) => void run(files, request).then((result) => process.send?.(result)));
process.send?.("ready");

async function run(files: ChromiumFiles, request: FloorRequest): Promise<FloorResult> {
  const { url, job, wait, painting = "continuous" } = request;
  const profile = await mkdtemp(join(tmpdir(), "floor-"));
  const startedAt = performance.now();
  const flags = chromiumFlags({ profile, proxyPort: 0, frameMode: painting });
  const browser = await puppeteer.launch({
    executablePath: files.executable,
    args: flags.filter((flag) => !PROXY.test(flag)),
    ignoreDefaultArgs: true,
    pipe: true,
    defaultViewport: floorViewport(request),
    // The same as of the service: with less, Chromium dies of one start in a hundred, in a race for its environment.
    env: browserEnvironment(files, profile),
  });
  const [page] = await browser.pages();
  if (!page) throw new Error("Chromium started without a page.");
  const painter = painting === "begin-frame-control" ? await paint(page) : undefined;
  await page.goto(url, { waitUntil: "load" });
  if (wait) await waitFor(page, wait);
  const results =
    job.take === "frames" ? await takeFrames(page, job.count) : [await (painter ? painter() : take(page, job))];
  const milliseconds = performance.now() - startedAt;
  browser.process()?.kill("SIGKILL");
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  return { milliseconds, bytes: results.reduce((sum, { length }) => sum + length, 0) };
}

/** On demand the window is as large as its flags say, and puppeteer would wait for a frame to resize it. */
function floorViewport({ job, painting }: FloorRequest) {
  if (painting === "begin-frame-control") return null;
  return job.take === "frames" ? { width: job.width, height: job.height } : WINDOW;
}

/** Paints a page while it loads; what it returns takes its picture. */
async function paint(page: Page): Promise<() => Promise<Uint8Array>> {
  const cdp = await page.createCDPSession();
  await cdp.send("Emulation.setDeviceMetricsOverride", { ...WINDOW, deviceScaleFactor: 1, mobile: false });
  const interval = 1000 / 60;
  let isLoading = true;
  const painting = (async () => {
    while (isLoading) {
      await Promise.all([cdp.send("HeadlessExperimental.beginFrame", { interval }), setTimeout(interval)]);
    }
  })();
  return async () => {
    isLoading = false;
    await painting;
    for (;;) {
      const frame = await cdp.send("HeadlessExperimental.beginFrame", { interval, screenshot: { format: "png" } });
      if (frame.screenshotData) return Buffer.from(frame.screenshotData, "base64");
    }
  };
}

async function waitFor(page: Page, wait: FloorWait): Promise<void> {
  if ("until" in wait) await page.waitForFunction(wait.until);
  else if ("seconds" in wait) await setTimeout(wait.seconds * 1000);
  else await page.evaluate(scrollCarefully, SCROLL_PAUSE_MS);
}

/** In which handlers that are throttled or debounced notice that the page was scrolled. */
const SCROLL_PAUSE_MS = 200;

/** Scrolls down window by window and back to the top, and waits until the images are there that this has loaded. */
async function scrollCarefully(pauseMs: number): Promise<void> {
  const scroll = async (top: number) => {
    window.scrollTo(0, top);
    await new Promise((resolve) => window.setTimeout(resolve, pauseMs));
  };
  for (let top = 0; top < document.documentElement.scrollHeight; top += window.innerHeight) await scroll(top);
  await scroll(0);
  await Promise.all([...document.images].map((image) => image.decode()));
}

/** Keeps the length of each image only: the images of a whole video would take too much memory. */
async function takeFrames(page: Page, count: number): Promise<Pick<Uint8Array, "length">[]> {
  const taken: Pick<Uint8Array, "length">[] = [];
  while (taken.length < count) {
    const { length } = await page.screenshot({ type: "jpeg", quality: JPEG_QUALITY });
    taken.push({ length });
  }
  return taken;
}

async function take(page: Page, job: Exclude<FloorJob, { take: "frames" }>): Promise<Uint8Array> {
  switch (job.take) {
    case "window":
      return page.screenshot();
    case "page":
      await page.$eval("html", loadLazyImages);
      return page.screenshot({ fullPage: true });
    case "element": {
      await page.$eval(job.selector, loadLazyImages);
      const element = await page.$(job.selector);
      if (!element) throw new Error(`The page has no element '${job.selector}'.`);
      return element.screenshot();
    }
    case "pdf":
      await page.$eval("html", loadLazyImages);
      return page.pdf({ format: "a4", printBackground: true, tagged: false });
    case "thumbnail": {
      const { default: sharp } = await import("sharp");
      return sharp(await page.screenshot())
        .resize({ width: job.width })
        .png()
        .toBuffer();
    }
  }
}

/** Without them the picture would be another one, and sooner there. */
async function loadLazyImages(part: Element): Promise<void> {
  const images = [...part.querySelectorAll("img")];
  for (const image of images) image.loading = "eager";
  await Promise.all(images.map((image) => image.decode()));
}
