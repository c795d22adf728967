/// <reference lib="dom" />
// Device emulation: viewport, screen, user agent, locale, time zone, geolocation and media features as a page sees them.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { findDevice } from "../../../lib/contract/options/values/devices.ts";
import { type BrowserSession, launchBrowser } from "../../../lib/engine/browser/browser.ts";
import {
  BROWSER_LOCALE,
  BROWSER_TIME_ZONE,
  CHROMIUM_MAJOR,
  USER_AGENT,
} from "../../../lib/engine/browser/chromium-flags.ts";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { emulate, type PageEnvironment } from "../../../lib/engine/emulation/emulation.ts";
import { resolveIdentity } from "../../../lib/engine/emulation/identity.ts";
import { pageZoom } from "../../../lib/engine/page/viewport.ts";
import { decode, type Pixels } from "../../fixtures/png.ts";
import { chromiumFiles, testLimits } from "../../support/chromium.ts";
import { slowTest } from "../../support/slow-run.ts";
import { measureMs, scaleLimitByLoad } from "../../support/timing.ts";

/** Says in JSON what a worker can see. */
const WORKER_SIGHT = `JSON.stringify({ languages: navigator.languages, userAgent: navigator.userAgent,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, offset: new Date(0).getTimezoneOffset(),
  number: (1234.5).toLocaleString() })`;

const bars =
  '<body style="margin:0"><div style="display:flex;height:40px"><p style="flex:1;margin:0;background:red"></p><p style="flex:1;margin:0;background:blue"></p></div>';
const tall = '<div style="height:2000px;background:lime"></div>';

const documents: Readonly<Record<string, string>> = {
  "/": "<!doctype html><title>plain</title>",
  "/responsive": `<!doctype html><meta name=viewport content="width=device-width,initial-scale=1">${bars}${tall}`,
  "/unresponsive": `<!doctype html>${bars}${tall}`,
  "/worker.js": `fetch("/from-worker").then(() => postMessage(${WORKER_SIGHT}))`,
};

let requests: { path: string; headers: IncomingHttpHeaders }[] = [];
const server = createServer(({ url: path = "", headers }, answer) => {
  requests.push({ path, headers });
  answer.setHeader("content-type", path.endsWith(".js") ? "text/javascript" : "text/html");
  answer.end(documents[path] ?? "");
});

let origin: string;
let otherOrigin: string;
let session: BrowserSession;
/** The browsers of the running test, which end with it. */
const ownSessions: BrowserSession[] = [];

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  otherOrigin = `http://localhost:${port}`;
});

afterAll(() => void server.close().closeAllConnections());
afterEach(() => Promise.all(ownSessions.splice(0).map((each) => each.close())));

interface Browsed extends Pick<BrowserSession, "cdp"> {
  readonly page: Page;
}

/** A browser with a page that is in its usual environment except for the given differences. */
async function browse(reported: Partial<PageEnvironment> = {}, path = "/"): Promise<Browsed> {
  requests = [];
  const browsed = await start(reported);
  await browsed.page.goto(`${origin}${path}`);
  return browsed;
}

async function start(reported: Partial<PageEnvironment>): Promise<Browsed> {
  const host = new URL(origin).host;
  const settings = { files: await chromiumFiles(), allowed: parseAllowedOrigins(host), limits: testLimits };
  session = await launchBrowser({ ...settings, resolve: async () => ["127.0.0.1"] });
  ownSessions.push(session);
  await emulate(session, { ...usual, ...reported });
  return { cdp: session.cdp, page: await session.page() };
}

const usual: PageEnvironment = {
  width: 1280,
  height: 1024,
  scale: 1,
  mobile: false,
  touch: false,
  identity: resolveIdentity({ locale: "en-US" }),
  locale: "en-US",
  timeZone: "UTC",
};

function deviceEnvironment(name: string): Partial<PageEnvironment> {
  const device = findDevice(name);
  if (!device) throw new Error(`There is no ${name}.`);
  const { width, height, scale, mobile, touch } = device;
  return { width, height, scale, mobile, touch, identity: resolveIdentity({ device, locale: "en-US" }) };
}

const headersOf = (path: string) => requests.find((request) => request.path === path)?.headers;

/** What a page's script finds of window, screen and pointer. */
function look() {
  const matches = (query: string) => matchMedia(query).matches;
  return {
    inner: [innerWidth, innerHeight],
    outer: [outerWidth, outerHeight],
    screen: [screen.width, screen.height],
    orientation: [screen.orientation.type, screen.orientation.angle],
    visual: [visualViewport?.width, visualViewport?.height],
    scale: devicePixelRatio,
    touch: [navigator.maxTouchPoints, "ontouchstart" in window],
    pointer: { coarse: matches("(pointer: coarse)"), fine: matches("(pointer: fine)") },
    hover: { hover: matches("(hover: hover)"), none: matches("(hover: none)") },
  };
}

const mouse = { touch: [0, false], pointer: { coarse: false, fine: true }, hover: { hover: true, none: false } };
const finger = { touch: [5, true], pointer: { coarse: true, fine: false }, hover: { hover: false, none: true } };

const media = () =>
  ["print", "(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)"].filter(
    (query) => matchMedia(query).matches,
  );

const askForPlace = () =>
  new Promise<object>((resolve) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy }),
      ({ code }) => resolve({ code }),
    ),
  );

test("emulation: by default, a page is in a window of a desktop with a mouse, in the documented locale and time zone, without a place", async () => {
  const { page } = await browse();
  expect(await page.evaluate(look)).toEqual({
    inner: [1280, 1024],
    outer: [1280, 1024],
    screen: [1280, 1024],
    orientation: ["landscape-primary", 0],
    visual: [1280, 1024],
    scale: 1,
    ...mouse,
  });
  const { locale, timeZone } = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions());
  expect([locale, timeZone]).toEqual([BROWSER_LOCALE, BROWSER_TIME_ZONE]);
  expect(await page.evaluate(media)).toEqual([]);
  const refused = page.evaluate(askForPlace);
  const [took, control] = await Promise.all([measureMs(() => refused), measureMs(() => page.evaluate(() => 1))]);
  expect(await refused).toEqual({ code: 1 });
  expect(took).toBeLessThan(scaleLimitByLoad(1_000, control));
});

test("emulation: the default environment takes three CDP calls, in parallel", async () => {
  await browse();
  const sent = vi.spyOn(session.cdp, "send");
  await emulate(session, usual);
  const methods = sent.mock.calls.map(([method]) => method);
  expect(methods.filter((method) => method !== "Memory.getDOMCounters")).toEqual([
    "Emulation.setDeviceMetricsOverride",
    "Emulation.setUserAgentOverride",
    "Emulation.setAutomationOverride",
  ]);
});

describe("emulation: one page, whose environment changes,", () => {
  let browsed: Browsed;
  let own: BrowserSession;
  beforeAll(async () => {
    browsed = await browse();
    own = session;
    ownSessions.length = 0; // it stays for all of these tests
  });
  afterAll(() => own.close());

  /** The page, loaded in this environment. */
  async function enter(reported: Partial<PageEnvironment>): Promise<Page> {
    await emulate(own, { ...usual, ...reported });
    await browsed.page.goto(`${origin}/`);
    return browsed.page;
  }

  test.each([
    [640, 480, [1280, 1024]],
    [1920, 1080, [1920, 1080]],
  ])("has a window of %i × %i with that outer size", async (width, height, screen) => {
    const page = await enter({ width, height });
    expect(await page.evaluate(look)).toMatchObject({ inner: [width, height], outer: [width, height], screen });
  });

  test("has touch input on a desktop, too", async () => {
    const page = await enter({ touch: true });
    expect(await page.evaluate(look)).toMatchObject({ inner: [1280, 1024], ...finger });
  });

  test.each<[Partial<PageEnvironment>, string[]]>([
    [{ dark: false, reducedMotion: false, mediaType: "screen" }, []],
    [{ dark: true }, ["(prefers-color-scheme: dark)"]],
    [{ reducedMotion: true }, ["(prefers-reduced-motion: reduce)"]],
    [{ mediaType: "print" }, ["print"]],
  ])("with %j matches %j", async (reported, expected) => {
    const page = await enter(reported);
    expect(await page.evaluate(media)).toEqual(expected);
  });

  test("accepts an offset as a time zone", async () => {
    const page = await enter({ timeZone: "+05:30" });
    expect(await page.evaluate(() => new Date(0).getTimezoneOffset())).toBe(-330);
  });

  test.each([
    ["locale", { locale: "x!" }],
    ["time_zone", { timeZone: "Mars/Olympus_Mons" }],
  ])("refuses an unknown %s by name", async (option, reported) => {
    await expect(enter(reported)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: { [option]: ["is unknown to the browser"] },
    });
  });
});

describe("emulation: a handheld", () => {
  const red = [255, 0, 0];
  const blue = [0, 0, 255];
  const lime = [0, 255, 0];

  /** The window as `width` × `height` CSS pixels of the device, or the whole page in its width. */
  async function shoot({ page, cdp }: Browsed, name: string, path: string, fullPage = false) {
    const { width = 0, height = 0 } = deviceEnvironment(name);
    await page.goto(`${origin}${path}`);
    const metrics = await cdp.send("Page.getLayoutMetrics");
    const zoom = pageZoom(metrics);
    const window = { width: width / zoom, height: height / zoom };
    const { data } = await cdp.send("Page.captureScreenshot", {
      format: "png",
      clip: { x: 0, y: 0, ...(fullPage ? metrics.cssContentSize : window), scale: zoom },
      captureBeyondViewport: true,
    });
    return decode(Buffer.from(data, "base64"));
  }

  function expectBars(picture: Pixels, width: number, height: number): void {
    expect([picture.width, picture.height]).toEqual([width, height]);
    expect([picture.colourAt(5, 5), picture.colourAt(width - 5, 5), picture.colourAt(5, height - 5)]).toEqual([
      red,
      blue,
      lime,
    ]);
  }

  test("sees its device in HTML that is written into the empty page, and at an address, and is in its screenshots", async () => {
    const name = "iPhone 15 Pro";
    const browsed = await start(deviceEnvironment(name));
    await browsed.page.evaluate((html) => {
      document.open();
      document.write(html);
      document.close();
    }, documents["/responsive"] ?? "");
    expect(await browsed.page.evaluate(look)).toMatchObject({ inner: [393, 659], scale: 3, ...finger });

    await browsed.page.goto(`${origin}/responsive`);
    expect(await browsed.page.evaluate(look)).toEqual({
      inner: [393, 659],
      outer: [393, 659],
      screen: [393, 659],
      orientation: ["portrait-primary", 0],
      visual: [393, 659],
      scale: 3,
      ...finger,
    });

    expectBars(await shoot(browsed, name, "/responsive"), 1179, 1977);
    // A page not made for phones is shown in its whole width.
    expectBars(await shoot(browsed, name, "/unresponsive"), 1179, 1977);
  });

  slowTest.each([
    ["Pixel 3 landscape", [786, 393], 2.75, ["landscape-primary", 90]],
    ["Galaxy Tab S4", [712, 1138], 2.25, ["portrait-primary", 0]],
  ])("%s has touch input, and its window is the screen", async (name, size, scale, orientation) => {
    const { page } = await browse(deviceEnvironment(name), "/responsive");
    expect(await page.evaluate(look)).toEqual({
      inner: size,
      outer: size,
      screen: size,
      orientation,
      visual: size,
      scale: expect.closeTo(scale, 5),
      ...finger,
    });
  });

  slowTest.each([
    ["iPhone 15 Pro landscape", 2202, 1029],
    ["Pixel 3", 1081, 2162],
    ["Galaxy Tab S4", 1602, 2561],
  ])("%s measures %i × %i, with both bars of a responsive page in view", async (name, width, height) => {
    expectBars(await shoot(await start(deviceEnvironment(name)), name, "/responsive"), width, height);
  });

  slowTest.each([
    ["/responsive", 2040 * 3],
    ["/unresponsive", Math.round((2040 * 393 * 3) / 980)],
  ])("has the full page %s in a screenshot as wide as the phone", async (path, height) => {
    const name = "iPhone 15 Pro";
    expectBars(await shoot(await start(deviceEnvironment(name)), name, path, true), 1179, height);
  });
});

describe("emulation: the identity", () => {
  /** What a page and a frame in it, of another origin, find in `navigator`. */
  async function sights({ page }: Browsed) {
    const see = () => {
      const { userAgent, platform, languages } = navigator;
      const data = (navigator as { userAgentData?: { brands: { brand: string }[]; platform: string; mobile: boolean } })
        .userAgentData;
      const hints = data && {
        brands: data.brands.map(({ brand }) => brand),
        platform: data.platform,
        mobile: data.mobile,
      };
      return { userAgent, platform, languages, hasHints: "userAgentData" in navigator, hints };
    };
    await page.evaluate((src) => {
      const frame = document.createElement("iframe");
      const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
      frame.src = src;
      document.body.append(frame);
      return loaded;
    }, `${otherOrigin}/`);
    return Promise.all(page.frames().map((frame) => frame.evaluate(see)));
  }

  test("is Chrome on Linux in headers, scripts and frames, and nowhere headless", async () => {
    const seen = await sights(await browse());
    const sight = {
      userAgent: USER_AGENT,
      platform: "Linux x86_64",
      languages: ["en-US", "en"],
      hasHints: true,
      hints: { brands: expect.arrayContaining(["Google Chrome", "Chromium"]), platform: "Linux", mobile: false },
    };
    expect(seen).toEqual([sight, sight]);
    expect(headersOf("/")).toMatchObject({
      "user-agent": USER_AGENT,
      "accept-language": "en-US,en;q=0.9",
      "sec-ch-ua": expect.stringContaining(`"Google Chrome";v="${CHROMIUM_MAJOR}"`),
      "sec-ch-ua-mobile": "?0",
      "sec-ch-ua-platform": '"Linux"',
    });
    expect(JSON.stringify([seen, requests])).not.toMatch(/headless/i);
  });

  test("has the client hints of an Android device", async () => {
    const { page } = await browse(deviceEnvironment("Pixel 5"));
    const model = () =>
      (navigator as unknown as { userAgentData: Hints }).userAgentData.getHighEntropyValues(["model"]);
    type Hints = { getHighEntropyValues(names: string[]): Promise<object> };
    expect(await page.evaluate(model)).toMatchObject({ model: "Pixel 5", mobile: true, platform: "Android" });
    expect(headersOf("/")).toMatchObject({ "sec-ch-ua-mobile": "?1", "sec-ch-ua-platform": '"Android"' });
  });

  test("has no client hints as Safari", async () => {
    const device = deviceEnvironment("iPhone 15 Pro");
    const seen = await sights(await browse(device));
    const sight = {
      userAgent: device.identity?.userAgent,
      platform: "iPhone",
      languages: ["en-US", "en"],
      hasHints: false,
    };
    expect(seen).toEqual([sight, sight]);
    expect(requests.flatMap(({ headers }) => Object.keys(headers)).filter((name) => name.startsWith("sec-ch"))).toEqual(
      [],
    );
  });
});

describe("emulation: locale and time zone", () => {
  const german = { locale: "de-DE", identity: resolveIdentity({ locale: "de-DE" }) };

  test("apply to headers, page, frames and workers", async () => {
    const { page } = await browse({ ...german, timeZone: "asia/kathmandu" });
    const sight = {
      languages: ["de-DE", "de", "en-US", "en"],
      userAgent: USER_AGENT,
      timeZone: "Asia/Katmandu",
      offset: -330, // in 1970
      number: "1.234,5",
    };
    const framed = await page.evaluate((script) => {
      const frame = document.createElement("iframe");
      document.body.append(frame);
      return (frame.contentWindow as unknown as { eval(script: string): string }).eval(script);
    }, WORKER_SIGHT);
    const worked = await page.evaluate(
      () =>
        new Promise<string>((resolve) =>
          new Worker("/worker.js").addEventListener("message", ({ data }) => resolve(data)),
        ),
    );
    expect([await page.evaluate(WORKER_SIGHT), framed, worked].map((text) => JSON.parse(String(text)))).toEqual([
      sight,
      sight,
      sight,
    ]);
    const accepted = ["/", "/worker.js", "/from-worker"].map((path) => headersOf(path)?.["accept-language"]);
    expect(new Set(accepted)).toEqual(new Set(["de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7"]));
  });
});

test("emulation: a place is known to a page that asks", async () => {
  const geolocation = { latitude: 47.3769, longitude: 8.5417, accuracy: 10 };
  const { page } = await browse({ geolocation });
  expect(await page.evaluate(askForPlace)).toEqual(geolocation);
});
