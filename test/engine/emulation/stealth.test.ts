// Stealth: what pages find when they look for a headless browser, with it and without, and that they work as before.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { resolveEnvironment } from "../../../lib/engine/emulation/environment.ts";
import { createFingerprintProfile } from "../../../lib/engine/emulation/fingerprint-profile.ts";
import { decode } from "../../fixtures/png.ts";
import { type Site, startSite } from "../../fixtures/site.ts";
import { fingerprintPlaces, type Oddities, odditiesIn } from "../../fixtures/site-pages/fingerprint.ts";
import { seenIn } from "../../fixtures/site-pages/visitor.ts";
import { GREEN } from "../../fixtures/site-pages.ts";
import { captureWith } from "../../support/chromium.ts";
import { sampled } from "../../support/slow-run.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

async function odditiesOf(options: Readonly<Record<string, unknown>>): Promise<Oddities> {
  await using stack = new AsyncDisposableStack();
  const examining = await startSite(); // of its own, as others report at the same time
  stack.defer(() => examining.close());
  const foreign = examining.origin.replace("127.0.0.1", "localhost");
  const surroundings = { allow: [examining.hostPort], resolve: async () => ["127.0.0.1"] };
  const url = `${examining.origin}/fingerprint?foreign=${foreign}`;
  await captureWith({ url, wait_for_selector: ".examined", timeout: 25, ...options }, surroundings);
  return odditiesIn(examining.requests);
}

const nothing = Object.fromEntries(fingerprintPlaces.map((place) => [place, []]));

const chrome = (platform: string) =>
  `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36`;
const WINDOWS = chrome("Windows NT 10.0; Win64; x64");
const MAC = chrome("Macintosh; Intel Mac OS X 10_15_7");

describe.concurrent("stealth: nothing is suspicious in any frame or worker about", () => {
  sampled(test, 12).each([
    ["a desktop", {}],
    ["a desktop that prefers dark, elsewhere", { dark_mode: true, locale: "de-CH", time_zone: "Europe/Zurich" }],
    ["a large window", { viewport_width: 1920, viewport_height: 1080, full_page: true }],
    ["a desktop with another user agent", { user_agent: WINDOWS, viewport_width: 1366, viewport_height: 700 }],
    ["an iPhone", { viewport_device: "iphone_15_pro" }],
    ["an Android phone", { viewport_device: "pixel_5" }],
    ["a page that is filmed", { format: "gif", video_duration: 1, viewport_width: 640, viewport_height: 360 }],
  ])("%s", async (_, options) => {
    expect(await odditiesOf({ stealth: true, ...options })).toEqual(nothing);
  });
});

test("stealth: without it, a browser shows what it is", async () => {
  const names = (found: readonly string[] = []) => found.map((odd) => odd.split(":")[0]);
  const { page, worker } = await odditiesOf({ response_type: "json", metadata_console: true }); // whose console is read
  expect(names(page)).toEqual(
    expect.arrayContaining(["webdriver", "chrome", "PDF viewer", "software for webgl", "notifications", "console"]),
  );
  expect(names(worker)).toEqual(expect.arrayContaining(["software for webgl", "connection"]));
});

const small = { viewport_width: 400, viewport_height: 300 };

describe("stealth: a page", () => {
  const visit = async (options: Readonly<Record<string, unknown>>) => {
    const { metadata } = await captureWith(
      { url: `${site.origin}/echo-page`, stealth: true, metadata_page_title: true, ...options },
      { allow: [site.hostPort] },
    );
    return { ...seenIn(site.requests), metadata };
  };

  test("still sees all of the caller's options", async () => {
    const seen = await visit({
      viewport_width: 400,
      viewport_height: 300,
      device_scale_factor: 2,
      viewport_has_touch: true,
      dark_mode: true,
      user_agent: WINDOWS,
      locale: "fr-FR",
      time_zone: "Asia/Tokyo",
      geolocation_latitude: 48.85,
      geolocation_longitude: 2.35,
    });
    expect(seen).toMatchObject({
      userAgent: WINDOWS,
      platform: "Win32",
      languages: ["fr-FR", "fr", "en-US", "en"],
      timeZone: "Asia/Tokyo",
      inner: [400, 300],
      devicePixelRatio: 2,
      geolocation: { latitude: 48.85, longitude: 2.35 },
      media: expect.arrayContaining(["(prefers-color-scheme: dark)", "(pointer: coarse)", "(hover: none)"]),
      webdriver: false,
    });
    expect(seen.maxTouchPoints).toBeGreaterThan(0);
  });

  const drawing = `<body style="margin:0"><canvas width="100" height="100"></canvas><script>
    const gl = document.querySelector("canvas").getContext("webgl");
    const [name, size] = [gl.getParameter(gl.RENDERER), gl.getParameter(gl.MAX_TEXTURE_SIZE)];
    gl.clearColor(0, name === "WebKit WebGL" && size > 1000 ? 128 / 255 : 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    document.title = JSON.stringify([
      navigator.webdriver,
      [...navigator.plugins].flatMap((plugin) => [...plugin].map(({ type }) => type)).length,
      Array.from(navigator.mimeTypes, ({ type, enabledPlugin }) => type + " " + enabledPlugin.name),
      Function.prototype.toString.call(gl.getParameter).includes("native"),
    ]);
    console.log("Here")</script>`;

  sampled(test, 6).each([
    ["at an address", { base_url: "https://example.com/" }],
    ["in HTML", {}],
    ["in HTML, by dark", { dark_mode: true }],
  ])("draws, finds its plugins, and is recorded as any other, %s", async (_, options) => {
    const metadataOptions = { metadata_page_title: true, metadata_console: true, response_type: "json" };
    const requested = { html: drawing, ...small, stealth: true, ...metadataOptions, ...options };
    const { body, metadata } = await captureWith(requested);
    expect((await decode(body)).colourAt(50, 50)).toEqual(GREEN);
    const types = ["application/pdf PDF Viewer", "text/pdf PDF Viewer"];
    expect(JSON.parse(String(metadata.page_title))).toEqual([false, 10, types, true]);
    expect(metadata.console).toContainEqual(expect.objectContaining({ type: "log", text: "Here" }));
  });
});

test("stealth: without it, navigator.webdriver is true, in HTML too", async () => {
  const html = `<script>document.title = [navigator.webdriver, navigator.plugins.length, typeof chrome]</script>`;
  const { metadata } = await captureWith({ html, ...small, metadata_page_title: true, wait_until: "load" });
  expect(metadata.page_title).toBe("true,0,undefined");
});

describe("stealth: the fingerprint follows from the user agent", () => {
  const profile = (options: Readonly<Record<string, unknown>>) =>
    createFingerprintProfile(
      resolveEnvironment(parseCaptureOptions({ url: "https://example.com", stealth: true, ...options })),
    );

  test.each([
    ["of Windows", { user_agent: WINDOWS }, /Direct3D11/, "desktop", true],
    ["of a Mac", { user_agent: MAC }, /Apple M1/, "desktop", true],
    ["of Linux", {}, /Mesa Intel/, "desktop", true],
    ["of a Pixel", { viewport_device: "pixel_5" }, /^Adreno/, "mobile", false],
    ["of a Galaxy", { viewport_device: "galaxy_s5" }, /^Mali/, "mobile", false],
    ["of an iPhone", { viewport_device: "iphone_15_pro" }, /^Apple GPU$/, "none", false],
    ["of an iPad", { viewport_device: "ipad_pro" }, /^Apple GPU$/, "none", false],
    [
      "of a Firefox",
      { user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" },
      /similar$/,
      "none",
      true,
    ],
  ])("%s", (_, options, renderer, object, plugins) => {
    const { graphics, chrome, plugins: shown } = profile(options);
    expect([chrome, shown]).toEqual([object, plugins]);
    expect(graphics.renderer).toMatch(renderer);
  });

  test.each([
    [1280, 1024, [1920, 1200]],
    [1920, 1080, [2560, 1440]],
    [800, 600, [1920, 1080]],
    [3840, 3000, [3840, 3127]],
  ])("a window of %i × %i is on a screen with room for it", (width, height, size) => {
    const options = { url: "https://example.com", stealth: true, viewport_width: width, viewport_height: height };
    const { screenMetrics: desk } = resolveEnvironment(parseCaptureOptions(options));
    expect([desk?.screen.width, desk?.screen.height]).toEqual(size);
  });
});
