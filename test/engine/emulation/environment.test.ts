// The page's environment by the options: what its scripts and its server see of it, and no other server.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { USER_AGENT } from "../../../lib/engine/browser/chromium-flags.ts";
import { resolveEnvironment } from "../../../lib/engine/emulation/environment.ts";
import { readPdf } from "../../fixtures/pdf.ts";
import { decode } from "../../fixtures/png.ts";
import { closedPort, type Site, startSite } from "../../fixtures/site.ts";
import { BASIC_AUTH } from "../../fixtures/site-pages/answers.ts";
import { crossOriginPaths, seenIn } from "../../fixtures/site-pages/visitor.ts";
import { BLACK, BOX, GREEN, RED, WHITE } from "../../fixtures/site-pages.ts";
import { captureWith, failureOf } from "../../support/chromium.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const captureOf = (path: string, options: Readonly<Record<string, unknown>> = {}) =>
  captureWith({ url: site.origin + path, timeout: 20, ...options }, { allow: [site.hostPort] });

const imageOf = async (path: string, options: Readonly<Record<string, unknown>> = {}) =>
  decode((await captureOf(path, options)).body);

/** What a page's scripts see, and the image that was taken of it. */
async function visit(options: Readonly<Record<string, unknown>> = {}) {
  const image = await imageOf("/echo-page", options);
  return { ...seenIn(site.requests), size: [image.width, image.height] };
}

/** The headers with which a path was requested last. */
const headersOf = (path: string) => site.requests.findLast((request) => request.path === path)?.headers ?? {};

const small = { viewport_width: 400, viewport_height: 300 };

const WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";

/** The environment that the options of a caller set up. */
const environmentOf = (options: Readonly<Record<string, unknown>> = {}) =>
  resolveEnvironment(parseCaptureOptions({ url: "https://example.com/", ...options }));

describe("environment: viewport options", () => {
  test.each([
    ["an upright window lies on its side", { viewport_width: 300, viewport_height: 500 }],
    ["a window that lies stays as it is", { viewport_width: 500, viewport_height: 300 }],
  ])("with viewport_landscape, %s", (_, options) => {
    expect(environmentOf({ ...options, viewport_landscape: true })).toMatchObject({ width: 500, height: 300 });
  });

  const upright = {
    width: 393,
    height: 659,
    scale: 3,
    mobile: true,
    touch: true,
    identity: { userAgent: expect.stringContaining("iPhone") },
  };

  test.each([
    ["by its name", { viewport_device: "iPhone 15 Pro" }, {}],
    ["by its slug", { viewport_device: "iphone_15_pro" }, {}],
    ["on its side, by name", { viewport_device: "iPhone 15 Pro landscape" }, { width: 734, height: 343 }],
    ["on its side, by slug", { viewport_device: "iphone_15_pro_landscape" }, { width: 734, height: 343 }],
    ["rotated", { viewport_device: "iphone_15_pro", viewport_landscape: true }, { width: 659, height: 393 }],
  ])("viewport_device is a device %s", (_, options, differences) => {
    expect(environmentOf(options)).toMatchObject({ ...upright, ...differences });
  });

  test.each<[string, Record<string, unknown>, object]>([
    ["the width", { viewport_width: 320 }, { width: 320 }],
    ["the height", { viewport_height: 500 }, { height: 500 }],
    ["the density", { device_scale_factor: 1 }, { scale: 1 }],
    ["touch", { viewport_has_touch: false }, { touch: false }],
    ["being mobile", { viewport_mobile: false }, { mobile: false }],
    ["the user agent", { user_agent: "Own/1" }, { identity: { userAgent: "Own/1" } }],
  ])("a device keeps the rest where %s is overridden", (_, override, differences) => {
    expect(environmentOf({ viewport_device: "iPhone 15 Pro", ...override })).toMatchObject({
      ...upright,
      ...differences,
    });
  });

  test.each([
    ["desktop", 1280, 1024, false],
    ["tablet", 820, 1180, true],
    ["mobile", 390, 844, true],
  ])("a device may be a plain %s", (viewport_device, width, height, touch) => {
    expect(environmentOf({ viewport_device })).toMatchObject({ width, height, touch });
  });
});

describe("environment: the user agent and its client hints", () => {
  test.each([
    ["an alias", { user_agent: "mobile" }, /Android.* Chrome\/\d+.* Mobile Safari/, { mobile: true }],
    ["an alias in capitals", { user_agent: "Desktop" }, /X11; Linux/, { mobile: false }],
    ["a Chrome", { user_agent: WINDOWS }, /Windows NT 10\.0/, { mobile: false, platform: "Windows" }],
    ["a robot", { user_agent: "Own/1.0 (+https://example.com)" }, /^Own\/1\.0/, undefined],
    ["a header that names a Chrome", { headers: { "user-agent": WINDOWS } }, /Windows/, { platform: "Windows" }],
    ["a header that names a robot", { headers: { "user-agent": "Own/1.0" } }, /^Own\/1\.0$/, undefined],
  ])("follow %s", (_, options, userAgent, hints) => {
    const { identity } = environmentOf(options);
    expect(identity.userAgent).toMatch(userAgent);
    if (hints) expect(identity.metadata).toMatchObject(hints);
    else expect(identity.metadata).toBeUndefined();
  });
});

describe("environment: user preferences", () => {
  test.each([true, false, undefined])("dark_mode %s is set, or not", (dark_mode) => {
    expect(environmentOf({ dark_mode }).dark).toBe(dark_mode);
  });

  test.each<[string, Record<string, unknown>, boolean]>([
    ["no option asks for anything else", {}, true],
    ["motion is requested", { reduced_motion: false }, false],
    ["animations are requested", { disable_animations: false }, false],
    ["a whole page with motion is requested", { full_page: true, reduced_motion: false }, false],
    ["a whole page with animations is requested", { full_page: true, disable_animations: false }, true],
  ])("reduce motion, or not, where %s", (_, options, isReduced) => {
    expect(environmentOf(options).reducedMotion ?? false).toBe(isReduced);
  });

  test.each([
    ["an image is that of the browser", {}, undefined],
    ["an image may be that of print", { media_type: "print" }, "print"],
    ["an image may be that of the screen", { media_type: "screen" }, "screen"],
    ["a pdf is loaded as a page of the screen is", { format: "pdf", media_type: "print" }, undefined],
  ])("the media of %s", (_, options, mediaType) => {
    expect(environmentOf(options).mediaType).toBe(mediaType);
  });

  test.each(["locale", "accept_language"])("%s sets languages and formats", (name) => {
    const { locale, identity } = environmentOf({ [name]: "de-CH" });
    expect([locale, identity.acceptLanguage]).toEqual(["de-CH", expect.stringMatching(/^de-CH,de,en/)]);
  });

  test.each([
    ["with its accuracy", { geolocation_accuracy: 25 }, 25],
    ["to ten metres by default", {}, 10],
  ])("a place is known %s", (_, options, accuracy) => {
    const place = { geolocation_latitude: 47.3769, geolocation_longitude: -8.5417, ...options };
    expect(environmentOf(place).geolocation).toEqual({ latitude: 47.3769, longitude: -8.5417, accuracy });
  });
});

describe("environment: a page, and its server, see", () => {
  test("a desktop with a mouse, Chrome on Linux, American English and UTC by default, and no place", async () => {
    const seen = await visit();
    expect(seen).toMatchObject({
      size: [1280, 1024],
      inner: [1280, 1024],
      devicePixelRatio: 1,
      maxTouchPoints: 0,
      userAgent: USER_AGENT,
      language: "en-US",
      locale: "en-US",
      timeZone: "UTC",
      dateOffsets: [0, 0],
      geolocation: 1,
      referrer: "",
    });
    expect(seen.media.toSorted()).toEqual([
      "(hover: hover)",
      "(orientation: landscape)",
      "(pointer: fine)",
      "(prefers-color-scheme: light)",
      "(prefers-reduced-motion: reduce)",
      "screen",
    ]);
    expect(headersOf("/echo-page")).toMatchObject({ "user-agent": USER_AGENT, "accept-language": "en-US,en;q=0.9" });
  });

  test("all options, at once", async () => {
    const referer = "https://search.example/results?q=1";
    const seen = await visit({
      ...small,
      device_scale_factor: 3,
      viewport_has_touch: true,
      user_agent: "mobile",
      dark_mode: true,
      reduced_motion: false,
      media_type: "print",
      locale: "de-CH",
      time_zone: "America/New_York",
      geolocation_latitude: 47.3769,
      geolocation_longitude: -8.5417,
      geolocation_accuracy: 25,
      cookies: ["open=1; Path=/", "closed=2; HttpOnly"],
      referer,
    });
    expect(seen).toMatchObject({
      size: [1200, 900],
      inner: [400, 300],
      devicePixelRatio: 3,
      language: "de-CH",
      locale: "de-CH",
      timeZone: "America/New_York",
      dateOffsets: [300, 240], // in winter and in summer
      geolocation: { latitude: 47.3769, longitude: -8.5417, accuracy: 25 },
      cookie: "open=1", // the other one is HttpOnly
      referrer: referer,
      userAgent: expect.stringMatching(/Android.* Chrome\/\d+.* Mobile Safari/),
    });
    expect(seen.maxTouchPoints).toBeGreaterThan(0);
    expect(seen.media.toSorted()).toEqual([
      "(hover: none)",
      "(orientation: landscape)",
      "(pointer: coarse)",
      "(prefers-color-scheme: dark)",
      "print",
    ]);
    expect(headersOf("/echo-page")).toMatchObject({
      "user-agent": seen.userAgent,
      "sec-ch-ua-mobile": "?1",
      "accept-language": expect.stringMatching(/^de-CH,de;q=0\.9,en/),
      cookie: "open=1; closed=2",
      referer,
    });
  });

  test("the caller's headers: those of one name as a list, and those of the browser's own once", async () => {
    const headers = [
      `user-agent: ${WINDOWS}`,
      "X-Tag: a",
      "X-Other: 1",
      "x-tag: b, c",
      "Accept-Language: fr",
      "X-Empty:",
    ];
    const seen = await visit({ ...small, headers });
    expect(seen.userAgent).toBe(WINDOWS);
    expect(headersOf("/echo-page")).toMatchObject({
      "user-agent": WINDOWS,
      "sec-ch-ua-platform": '"Windows"',
      "x-tag": "a, b, c",
      "x-other": "1",
      "x-empty": "",
      "accept-language": "fr",
    });
  });

  slowTest.each([
    ["as user_agent", { user_agent: "Own/1.0 (+https://example.com)" }],
    ["as a header", { headers: { "user-agent": "Own/1.0 (+https://example.com)" } }],
  ])("no client hints of a robot, %s", async (_, options) => {
    const seen = await visit({ ...small, ...options });
    const { "user-agent": userAgent, "sec-ch-ua-platform": platform, "sec-ch-ua-mobile": mobile } = headersOf("/echo-page"); // biome-ignore format: as it is
    expect([seen.userAgent, userAgent, platform, mobile]).toEqual([
      "Own/1.0 (+https://example.com)",
      "Own/1.0 (+https://example.com)",
      undefined,
      undefined,
    ]);
  });
});

describe("environment: an image", () => {
  sampled(test, 3).each([[0.5], [2], [3]])(
    "has the requested size, and with device_scale_factor %d that many pixels for each CSS pixel",
    async (device_scale_factor) => {
      const html = `<body style="margin:0"><div style="width:50vw;height:50vh;background:red">`;
      const { body } = await captureWith({ html, viewport_width: 320, viewport_height: 240, device_scale_factor });
      const image = await decode(body);
      const at = (x: number, y: number) =>
        image.colourAt(Math.floor(x * device_scale_factor), Math.floor(y * device_scale_factor));
      expect([image.width, image.height]).toEqual([320 * device_scale_factor, 240 * device_scale_factor]);
      expect([at(158, 118), at(160, 118), at(158, 120)]).toEqual([RED, WHITE, WHITE]);
    },
  );

  /** A page that is made for phones, and shows what it sees in its title. */
  const html = `<!doctype html><meta name="viewport" content="width=device-width"><script>document.title = JSON.stringify({
    inner: [innerWidth, innerHeight], density: devicePixelRatio, isTouched: navigator.maxTouchPoints > 0,
    isUpright: matchMedia("(orientation: portrait)").matches, userAgent: navigator.userAgent })</script>Text`;

  sampled(test, 2).each([
    ["iPhone 15 Pro", [393, 659], true, [1179, 1977]],
    ["iphone_15_pro_landscape", [734, 343], false, [2202, 1029]],
  ])("is that of the device %s", async (viewport_device, inner, isUpright, size) => {
    const { body, metadata } = await captureWith({ html, metadata_page_title: true, viewport_device });
    const { width, height } = await decode(body);
    expect({ ...JSON.parse(String(metadata.page_title)), size: [width, height] }).toEqual({
      inner,
      density: 3,
      isTouched: true,
      isUpright,
      userAgent: expect.stringContaining("iPhone"),
      size,
    });
  });

  slowTest.each([
    ["iPhone 15 Pro landscape", [2202, 1029]],
    ["tablet", [1640, 2360]],
  ])("of %s measures the same on a page not made for it", async (viewport_device, size) => {
    expect((await visit({ viewport_device })).size).toEqual(size);
  });

  slowTest.each([
    [
      "of a phone is as wide as the page's viewport element",
      400,
      `<meta name="viewport" content="width=device-width">`,
      {},
    ],
    ["of a phone is 980 pixels wide without such an element", 980, "", {}],
    ["is as wide as the window where viewport_mobile is false", 400, "", { viewport_mobile: false }],
  ])("%s", async (_, width, head, options) => {
    const page = `<!doctype html>${head}<body style="margin:0"><div style="width:200px;height:50px;background:red">`;
    const { body } = await captureWith({ html: page, ...small, viewport_mobile: true, ...options });
    const image = await decode(body);
    const end = Math.round((200 * 400) / width);
    expect([image.colourAt(end - 5, 5), image.colourAt(end + 5, 5)]).toEqual([RED, WHITE]);
  });

  const media = `<style>body { background: red } @media screen { body { background: green } } @media print { body { background: black; color: white } }</style>Text`;

  sampled(test, 2).each<[string, object, readonly number[]]>([
    ["a pdf may be that of the screen", { media_type: "screen" }, GREEN],
    ["a pdf is that of print", {}, BLACK],
  ])("%s", async (_, options, ground) => {
    const { body } = await captureWith({ html: media, format: "pdf", ...options });
    expect((await readPdf(body).draw(0)).colourAt(200, 200)).toEqual(ground);
  });

  slowTest.each<[string, object, readonly number[]]>([
    ["that of the screen", {}, GREEN],
    ["that of print", { media_type: "print" }, BLACK],
    ["said to be that of the screen", { media_type: "screen" }, GREEN],
  ])("may be %s", async (_, options, ground) => {
    const { body } = await captureWith({ html: media, ...small, ...options });
    expect((await decode(body)).colourAt(200, 200)).toEqual(ground);
  });
});

describe("request credentials", () => {
  /** Two names of the fixture site: the page is at the one and loads all kinds of things from the other. */
  async function visitFromTwo(options: Readonly<Record<string, unknown>>) {
    const { port } = new URL(site.origin);
    const [target, other] = [`target.test:${port}`, `other.test:${port}`];
    const before = site.requests.length;
    const captured = await captureWith(
      { url: `http://${target}/loads-from?origin=http://${other}`, timeout: 20, ...small, ...options },
      { allow: [site.hostPort], resolve: async () => ["127.0.0.1"] },
    );
    const requests = site.requests.slice(before);
    const by = (host: string) => requests.filter(({ headers }) => headers.host === host);
    expect((await decode(captured.body)).colourAt(BOX.x + 1, BOX.y + 1)).toEqual(GREEN);
    expect(by(other).map(({ path }) => path)).toEqual(expect.arrayContaining(Object.values(crossOriginPaths)));
    return { target: by(target), other: by(other) };
  }

  const SECRETS = ["tenant-7", "token-8", "chip-9"];

  const expected = { "x-tenant": "tenant-7", cookie: "chip=chip-9" };
  const basic = `Basic ${btoa("ann:token-8")}`;

  sampled(test, 3).each<[string, Record<string, unknown>, Record<string, string>]>([
    [
      "a header of a list, the authorization and a cookie",
      { headers: ["X-Tenant: tenant-7"], authorization: "Bearer token-8", cookies: ["chip=chip-9"] },
      { ...expected, authorization: "Bearer token-8" },
    ],
    [
      "a header of an object and a cookie as an object",
      { headers: { "X-Tenant": "tenant-7" }, cookies: [{ name: "chip", value: "chip-9" }] },
      expected,
    ],
    [
      "a user's name and password",
      { http_auth_username: "ann", http_auth_password: "token-8" },
      { authorization: basic },
    ],
  ])("%s go to the origin of the page and to no other", async (_, options, sent) => {
    const { target, other } = await visitFromTwo(options);
    const names = Object.keys(sent);
    const found = target.map(({ headers }) => Object.fromEntries(names.map((name) => [name, headers[name]])));
    expect(found).toEqual(target.map(() => sent));
    for (const secret of [...SECRETS, basic]) expect(JSON.stringify(other)).not.toContain(secret);
  });

  sampled(test, 2).each<[string, object, readonly number[]]>([
    ["the right password opens", { http_auth_password: BASIC_AUTH.password }, GREEN],
    ["a wrong one does not open", { http_auth_password: "wrong", ignore_host_errors: true }, RED],
  ])("%s what requires it, including images", async (_, password, colour) => {
    const image = await imageOf("/basic-auth", { ...small, http_auth_username: BASIC_AUTH.user, ...password });
    expect(image.colourAt(BOX.x + 1, BOX.y + 1)).toEqual(colour);
  });

  test("a wrong password fails with the status of the page, and is not repeated", async () => {
    const wrong = { http_auth_username: BASIC_AUTH.user, http_auth_password: "wrong-word" };
    const error = await failureOf(captureOf("/basic-auth", wrong));
    expect(error).toMatchObject({ code: "TARGET_HTTP_ERROR", target: { http_status_code: 401 } });
    expect(JSON.stringify(error)).not.toContain("wrong-word");
  });
});

describe("bypass_csp", () => {
  sampled(test, 2).each([
    ["with it, what a page's own policy forbids is there", { bypass_csp: true }, RED],
    ["the policy holds without it", {}, GREEN],
  ])("%s", async (_, options, colour) => {
    expect((await imageOf("/csp", { ...small, ...options })).colourAt(390, 290)).toEqual(colour);
  });
});

const PASSWORD = "s3cret-w0rd";
const proxies: Server[] = [];
afterEach(() => {
  for (const proxy of proxies.splice(0)) proxy.close().closeAllConnections();
});

/** A proxy of the caller's that answers for every host itself, with a green page or with `status`. */
async function startProxy({ status = 200 } = {}) {
  const requested: string[] = [];
  const authorizations = new Set<string | undefined>();
  const note = ({ url = "", headers }: IncomingMessage) => {
    requested.push(url);
    authorizations.add(headers["proxy-authorization"]);
  };
  const server = createServer((incoming, answer) => {
    note(incoming);
    answer.writeHead(status, { "content-type": "text/html" }).end(`<body style="background:green">`);
  });
  server.on("connect", (incoming, socket) => {
    note(incoming);
    socket.end("HTTP/1.1 502 No\r\n\r\n");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  proxies.push(server);
  const { port } = server.address() as AddressInfo;
  return {
    hostPort: `127.0.0.1:${port}`,
    proxy: `http://ann:${PASSWORD}@127.0.0.1:${port}`,
    requested,
    authorizations,
  };
}

describe("proxy", () => {
  test("loads the page, resolves its name, and gets its password", async () => {
    const { proxy, hostPort, requested, authorizations } = await startProxy();
    const captured = await captureWith(
      { url: "http://shop.test/page", proxy, ...small, metadata_http_response_headers: true, response_type: "json" },
      { allow: [hostPort] },
    );
    expect((await decode(captured.body)).colourAt(9, 9)).toEqual(GREEN);
    expect(captured.finalUrl).toBe("http://shop.test/page");
    expect(requested).toContain("http://shop.test/page");
    expect([...authorizations]).toEqual([`Basic ${btoa(`ann:${PASSWORD}`)}`]);
    expect(JSON.stringify(captured)).not.toContain(PASSWORD);
  });

  test("is bypassed for the hosts of proxy_bypass_hosts", async () => {
    const { proxy, hostPort, requested } = await startProxy();
    const { port } = new URL(site.origin);
    const surroundings = { allow: [hostPort, site.hostPort], resolve: async () => ["127.0.0.1"] };
    const before = site.requests.length;
    const direct = `http://direct.test:${port}/open.json?direct`;
    const below = [`http://below.test:${port}/`, `http://a.below.test:${port}/open.json?below`];
    const html = [direct, ...below].map((address) => `<img src="${address}">`).join("");
    const proxy_bypass_hosts = ["direct.test", "*.below.test"];
    await captureWith({ html, proxy, proxy_bypass_hosts, format: "html" }, surroundings);
    expect(requested).toEqual([below[0]]);
    expect(
      site.requests
        .slice(before)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(["/open.json?below", "/open.json?direct"]);
  });

  // The words of each are in `target-errors.test.ts`, and what the proxy of a capture says in `upstream-proxy.test.ts`.
  sampled(test, 2).each([
    ["refuses the password", { status: 407 }, "http", /user name and password/],
    ["refuses to connect to the page", {}, "https", /refused or failed to connect/],
  ])("that %s fails the capture, without revealing its password", async (_, behaviour, scheme, message) => {
    const { proxy, hostPort } = await startProxy(behaviour);
    const error = await failureOf(captureWith({ url: `${scheme}://shop.test/`, proxy }, { allow: [hostPort] }));
    expect(error).toMatchObject({ code: "PROXY_FAILED", message: expect.stringMatching(message) });
    expect(JSON.stringify(error) + error.message + error.stack).not.toContain(PASSWORD);
  });

  sampled(test, 2).each([
    ["on a private address", false, /not allowed/],
    ["that does not run", true, /Could not connect to the 'proxy'/],
  ])("%s fails the capture", async (_, isAllowed, message) => {
    const port = await closedPort();
    const proxy = `http://ann:${PASSWORD}@127.0.0.1:${port}`;
    const allow = isAllowed ? [`127.0.0.1:${port}`] : [];
    const error = await failureOf(captureWith({ url: "http://shop.test/", proxy }, { allow }));
    expect(error).toMatchObject({ code: "PROXY_FAILED", message: expect.stringMatching(message) });
    expect(JSON.stringify(error) + error.message).not.toContain(PASSWORD);
  });
});
