// Resource exhaustion by pages: each capture ends in time, leaves nothing, and the next one is right.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CaptureLimits } from "../../lib/contract/options/capture-limits.ts";
import { decode } from "../fixtures/png.ts";
import { type Site, startSite } from "../fixtures/site.ts";
import { type Bomb, never } from "../fixtures/site-pages/bombs/bomb.ts";
import { markdownBombs } from "../fixtures/site-pages/bombs/formats.ts";
import { bombOptions, bombs } from "../fixtures/site-pages/bombs.ts";
import { BOX, RED } from "../fixtures/site-pages.ts";
import { type CaptureTestSettings, captureWith } from "../support/chromium.ts";
import { sampled, slowTest } from "../support/slow-run.ts";
import { measureMs, scaleLimitByLoad } from "../support/timing.ts";

// They wait more than they work; still more at once would be late because of each other.
vi.setConfig({ maxConcurrency: 4 });

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** What Node prints about its own state: a page must not fill the log of a function. */
const warnings: string[] = [];
process.on("warning", ({ message }) => warnings.push(message));
afterAll(() => expect(warnings).toEqual([]));

const TIMEOUT_S = 2;
/** Of what stands still for ever, which most often keeps a processor busy until then. A video needs more for itself. */
const STANDSTILL_TIMEOUT_S = 1;
const standsStill = ({ ends, options }: Bomb) => ends === never && options?.["format"] === undefined;
/** For the answer, and until the browser has gone as well, on a machine that does much else: what hangs takes longer. */
const GRACE_MS = 4_000;

/** Soon reached, so that several go off at once on a small machine. */
const limits: Partial<CaptureLimits> = {
  page_megabytes: 50,
  requests: 2_000,
  dom_nodes: 500_000,
  memory_megabytes: 700,
};

const small = { viewport_width: 400, viewport_height: 300 };

const capture = (options: Readonly<Record<string, unknown>>, surroundings: CaptureTestSettings = {}) =>
  captureWith(options, { allow: [site.hostPort], assertsCleanup: true, ...surroundings });

/** `captured`, or the code of the error; rejects for what is no answer, or leaves something behind. */
function outcomeOf(options: Readonly<Record<string, unknown>>, surroundings?: CaptureTestSettings): Promise<string> {
  return capture(options, surroundings).then(
    () => "captured",
    (error) => error.code ?? Promise.reject(error),
  );
}

async function goesOff(name: string, bomb: Bomb): Promise<void> {
  const timeout = standsStill(bomb) ? STANDSTILL_TIMEOUT_S : TIMEOUT_S;
  const options = { timeout, ...bombOptions(name, bomb, site.origin) };
  const ending = outcomeOf(options, { limits, isTimedFromLaunch: true });
  const took = await measureMs(() => ending);
  expect(await ending).toBeOneOf([...bomb.ends]);
  const next = capture({ url: `${site.origin}/box`, ...small });
  const control = await measureMs(() => next);
  expect((await decode((await next).body)).colourAt(BOX.x + 5, BOX.y + 5)).toEqual(RED);
  expect(took).toBeLessThan(options.timeout * 1_000 + scaleLimitByLoad(GRACE_MS, control));
}

/** Of those that may become a picture or be late, only survival is shown: they are for the soak. */
const isDecided = ({ ends }: Bomb) => !(ends.includes("captured") && ends.includes("CAPTURE_TIMEOUT"));

describe.concurrent("resource bombs: a capture ends in time, and the next one is right, after", () => {
  sampled(test, 20).each(Object.entries(bombs).filter(([, bomb]) => isDecided(bomb)))("%s", goesOff);
});

describe("resource bombs: a capture ends in time, and the next one is right, after Markdown with", () => {
  sampled(test, 8).each(Object.entries(markdownBombs))("%s", goesOff);
});

/** Options that ask the page as much as any can. */
const everything = {
  styles: "p { color: red }",
  hide_selectors: "p",
  scripts: "1",
  wait_for_selector: "#a",
  wait_for_selector_hidden: "#nothing",
  wait_for_expression: "1",
  click: "#a",
  hover: "#a",
  full_page: true,
  fail_if_content_contains: "nothing of the kind",
  timeout: 20, // several of these pages at once keep a small machine busy
};
const hostile = (contents: string) =>
  `<!doctype html><body><p>Hostile</p><button type=button id=a>a</button>${contents}`;

/** What a page does, and the HTML that does it. */
const hostilities: [string, string][] = [
  [
    "replaces what scripts are made of",
    `<script>Promise = Reflect.get = JSON.stringify = Function.prototype.call = Symbol.iterator = null;
     for (const name of ["map", "filter", "push"]) Array.prototype[name] = () => { throw 1 };
     setTimeout = requestAnimationFrame = () => 0; performance.now = () => NaN</script>`,
  ],
  [
    "replaces what documents can do",
    `<script>for (const owner of [Document.prototype, Element.prototype])
       for (const name of ["querySelector", "querySelectorAll", "getBoundingClientRect", "scrollIntoView", "getAnimations"])
         owner[name] = () => { throw 1 }</script>`,
  ],
  [
    "sets traps",
    `<script>for (const name of ["body", "documentElement", "images", "fonts", "scrollingElement"])
       Object.defineProperty(document, name, { get() { throw 1 } });
     for (const name of ["innerWidth", "innerHeight", "scrollX", "scrollY"])
       Object.defineProperty(window, name, { get() { throw 1 } })</script>`,
  ],
  [
    "never stays as it is",
    "<script>setInterval(() => document.body.replaceChildren(...document.body.children), 1)</script>",
  ],
  [
    "scrolls by itself",
    "<p style=height:5000px><script>setInterval(() => scrollTo(0, Math.random() * 5000), 5)</script>",
  ],
];

describe.concurrent("resource bombs: a page is captured that", () => {
  const captured = (contents: string) =>
    outcomeOf({ html: hostile(contents), base_url: `${site.origin}/`, ...everything });

  test("replaces what scripts are made of and what documents can do, and sets traps", async () => {
    const [scripts = "", documents = "", traps = ""] = hostilities.map(([, contents]) => contents);
    expect(await captured(documents + traps + scripts)).toBe("captured");
  });

  slowTest.each(hostilities)("%s", async (_, contents) => {
    expect(await captured(contents)).toBe("captured");
  });
});

describe.concurrent("resource bombs: HTML is captured with", () => {
  sampled(test, 4).each([
    [
      "that replaces what it is written with",
      "<script>document.write = document.close = Document.prototype.close = null</script>",
    ],
    ["that hides it behind a name", "<img name=close><img name=open><img name=write>"],
    ["that leads elsewhere at once", `<meta http-equiv=refresh content="0;url=data:,">`],
    ["without a document in the end", "<script>document.documentElement.remove()</script>"],
  ])("%s", async (_, contents) => {
    expect(await outcomeOf({ html: hostile(contents), timeout: 20 })).toBe("captured");
  });
});

describe.concurrent("resource bombs: a page without a document at the end is not an internal error", () => {
  const html = hostile("<script>document.documentElement.remove()</script>");
  sampled(test, 3).each([
    ["as a full page", { full_page: true }],
    ["as a PDF", { format: "pdf" }],
    ["as a video that scrolls", { format: "gif", video_duration: 1, video_fps: 2, video_scenario: "scroll" }],
  ])("%s", async (_, options) => {
    expect(await outcomeOf({ html, timeout: 20, ...options })).toBe("TARGET_UNREACHABLE");
  });
});

test("resource bombs: a document that has become an SVG is recorded", async () => {
  const html = hostile(
    `<script>document.documentElement.replaceWith(document.createElementNS("http://www.w3.org/2000/svg", "svg"))</script>`,
  );
  const video = { format: "gif", video_duration: 1, video_fps: 2, video_scenario: "scroll", timeout: 10, ...small };
  expect(await outcomeOf({ html, ...video })).toBe("captured");
});
