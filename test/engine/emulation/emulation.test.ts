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
import { decode } from "../../fixtures/png.ts";
import { chromiumFiles, testLimits } from "../../support/chromium.ts";
import { sampled } from "../../support/slow-run.ts";
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

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  otherOrigin = `http://localhost:${port}`;
});

afterAll(() => void server.close().closeAllConnections());
afterEach(() => session.close());

interface Browsed extends Pick<BrowserSession, "cdp"> {
  readonly page: Page;
}

/** A browser with a page that is in its usual environment but for the given differences. */
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

describe("emulation: window and screen", () => {
  test("a desktop has a mouse, and its window fits the screen", async () => {
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
  });

  test.each([
    [640, 480, [1280, 1024]],
    [1920, 1080, [1920, 1080]],
  ])("a window of %i × %i has that outer size", async (width, height, screen) => {
    const { page } = await browse({ width, height });
    expect(await page.evaluate(look)).toMatchObject({ inner: [width, height], outer: [width, height], screen });
  });

  sampled(test, 6).each([
    ["iPhone 15 Pro", [393, 659], 3, ["portrait-primary", 0]],
    ["Pixel 3 landscape", [786, 393], 2.75, ["landscape-primary", 90]],
    ["Galaxy Tab S4", [712, 1138], 2.25, ["portrait-primary", 0]],
  ])("a handheld %s has touch input, and its window is the screen", async (name, size, scale, orientation) => {
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

  test("a desktop window can have touch input, too", async () => {
    const { page } = await browse({ touch: true });
    expect(await page.evaluate(look)).toMatchObject({ inner: [1280, 1024], ...finger });
  });

  test("HTML written into the empty page sees the device as well", async () => {
    const { page } = await start(deviceEnvironment("iPhone 15 Pro"));
    await page.evaluate((html) => {
      document.open();
      document.write(html);
      document.close();
    }, documents["/responsive"] ?? "");
    expect(await page.evaluate(look)).toMatchObject({ inner: [393, 659], scale: 3, ...finger });
  });
});

describe("emulation: the screenshot of a phone", () => {
  const red = [255, 0, 0];
  const blue = [0, 0, 255];
  const lime = [0, 255, 0];

  /** The window as `width` × `height` CSS pixels of the device, or the whole page in its width. */
  async function shoot(name: string, path: string, fullPage: boolean) {
    const { width = 0, height = 0, ...device } = deviceEnvironment(name);
    const { cdp } = await browse({ width, height, ...device }, path);
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

  sampled(test, 8).each([
    ["iPhone 15 Pro", 1179, 1977],
    ["iPhone 15 Pro landscape", 2202, 1029],
    ["Pixel 3", 1081, 2162],
    ["Galaxy Tab S4", 1602, 2561],
  ])("%s measures %i × %i, with both bars of a responsive page in view", async (name, width, height) => {
    const picture = await shoot(name, "/responsive", false);
    expect([picture.width, picture.height]).toEqual([width, height]);
    expect([picture.colourAt(5, 5), picture.colourAt(width - 5, 5), picture.colourAt(5, height - 5)]).toEqual([
      red,
      blue,
      lime,
    ]);
  });

  test("holds the whole width of a page not made for phones", async () => {
    const picture = await shoot("iPhone 15 Pro", "/unresponsive", false);
    expect([picture.width, picture.height]).toEqual([1179, 1977]);
    expect([picture.colourAt(5, 5), picture.colourAt(1174, 5), picture.colourAt(5, 1972)]).toEqual([red, blue, lime]);
  });

  sampled(test, 4).each([
    ["/responsive", 2040 * 3],
    ["/unresponsive", Math.round((2040 * 393 * 3) / 980)],
  ])("of the full page %s is as wide as the phone", async (path, height) => {
    const picture = await shoot("iPhone 15 Pro", path, true);
    expect([picture.width, picture.height]).toEqual([1179, height]);
    expect([picture.colourAt(5, 5), picture.colourAt(1174, 5), picture.colourAt(5, height - 5)]).toEqual([
      red,
      blue,
      lime,
    ]);
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

  test("have the documented defaults", async () => {
    const { page } = await browse();
    const { locale, timeZone } = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions());
    expect([locale, timeZone]).toEqual([BROWSER_LOCALE, BROWSER_TIME_ZONE]);
  });

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

  test("accept an offset as a time zone", async () => {
    const { page } = await browse({ timeZone: "+05:30" });
    expect(await page.evaluate(() => new Date(0).getTimezoneOffset())).toBe(-330);
  });

  test.each([
    ["locale", { locale: "x!" }],
    ["time_zone", { timeZone: "Mars/Olympus_Mons" }],
  ])("an unknown %s is refused by name", async (option, reported) => {
    await expect(browse(reported)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: { [option]: ["is unknown to the browser"] },
    });
  });
});

describe("emulation: geolocation", () => {
  const ask = () =>
    new Promise<object>((resolve) =>
      navigator.geolocation.getCurrentPosition(
        ({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy }),
        ({ code }) => resolve({ code }),
      ),
    );

  test("is available to a page that asks", async () => {
    const geolocation = { latitude: 47.3769, longitude: 8.5417, accuracy: 10 };
    const { page } = await browse({ geolocation });
    expect(await page.evaluate(ask)).toEqual(geolocation);
  });

  test("is denied at once when there is none", async () => {
    const { page } = await browse();
    const refused = page.evaluate(ask);
    const [took, control] = await Promise.all([measureMs(() => refused), measureMs(() => page.evaluate(() => 1))]);
    expect(await refused).toEqual({ code: 1 });
    expect(took).toBeLessThan(scaleLimitByLoad(1_000, control));
  });
});

describe("emulation: media features", () => {
  const media = () =>
    ["print", "(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)"].filter(
      (query) => matchMedia(query).matches,
    );

  sampled(test, 8).each<[Partial<PageEnvironment>, string[]]>([
    [{}, []],
    [{ dark: false, reducedMotion: false, mediaType: "screen" }, []],
    [{ dark: true }, ["(prefers-color-scheme: dark)"]],
    [{ reducedMotion: true }, ["(prefers-reduced-motion: reduce)"]],
    [{ mediaType: "print" }, ["print"]],
  ])("%j matches %j", async (reported, expected) => {
    const { page } = await browse(reported);
    expect(await page.evaluate(media)).toEqual(expected);
  });
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
