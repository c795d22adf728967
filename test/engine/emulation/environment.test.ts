// The page's environment by the options: what its scripts and its server see of it, and no other server.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { USER_AGENT } from "../../../lib/engine/browser/chromium-flags.ts";
import { readPdf } from "../../fixtures/pdf.ts";
import { decode } from "../../fixtures/png.ts";
import { closedPort, type Site, startSite } from "../../fixtures/site.ts";
import { BASIC_AUTH } from "../../fixtures/site-pages/answers.ts";
import { crossOriginPaths, seenIn } from "../../fixtures/site-pages/visitor.ts";
import { BLACK, BOX, GREEN, RED, WHITE } from "../../fixtures/site-pages.ts";
import { captureWith, failureOf } from "../../support/chromium.ts";
import { sampled } from "../../support/slow-run.ts";

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

describe("viewport", () => {
  test("is 1280 × 1024 by default, of a desktop with a mouse", async () => {
    expect(await visit()).toMatchObject({
      size: [1280, 1024],
      inner: [1280, 1024],
      devicePixelRatio: 1,
      maxTouchPoints: 0,
      media: expect.arrayContaining(["screen", "(hover: hover)", "(pointer: fine)", "(orientation: landscape)"]),
    });
  });

  test("has the requested size, which the page sees", async () => {
    const html = `<body style="margin:0"><div style="width:50vw;height:50vh;background:red">`;
    const { body } = await captureWith({ html, viewport_width: 640, viewport_height: 480 });
    const image = await decode(body);
    expect([image.width, image.height]).toEqual([640, 480]);
    expect([image.colourAt(319, 239), image.colourAt(320, 240)]).toEqual([RED, WHITE]);
  });

  sampled(test, 4).each([
    ["an upright window lies on its side", { viewport_width: 300, viewport_height: 500 }, [500, 300]],
    ["a window that lies stays as it is", { viewport_width: 500, viewport_height: 300 }, [500, 300]],
  ])("with viewport_landscape, %s", async (_, options, inner) => {
    expect(await visit({ ...options, viewport_landscape: true })).toMatchObject({ inner, size: inner });
  });

  test("of a phone follows the page's viewport element, without one at 980 pixels", async () => {
    const page = (head: string) =>
      `<!doctype html>${head}<body style="margin:0"><div style="width:200px;height:50px;background:red">`;
    const options = { viewport_width: 400, viewport_height: 300, viewport_mobile: true };
    const fitted = await captureWith({ html: page(`<meta name="viewport" content="width=device-width">`), ...options });
    expect((await decode(fitted.body)).colourAt(195, 5)).toEqual(RED);
    const wide = await decode((await captureWith({ html: page(""), ...options })).body);
    expect([wide.colourAt(70, 5), wide.colourAt(195, 5)]).toEqual([RED, WHITE]);
  });

  test("with touch has touch input and no hover", async () => {
    const seen = await visit({ ...small, viewport_has_touch: true });
    expect(seen.maxTouchPoints).toBeGreaterThan(0);
    expect(seen.media).toEqual(expect.arrayContaining(["(hover: none)", "(pointer: coarse)"]));
  });
});

describe("device_scale_factor", () => {
  sampled(test, 6).each([[0.5], [2], [3]])(
    "%d makes as many image pixels of each CSS pixel",
    async (device_scale_factor) => {
      const image = await imageOf("/box", { ...small, device_scale_factor });
      const at = (x: number, y: number) =>
        image.colourAt(Math.floor(x * device_scale_factor), Math.floor(y * device_scale_factor));
      expect([image.width, image.height]).toEqual([400 * device_scale_factor, 300 * device_scale_factor]);
      expect([at(BOX.x - 2, BOX.y), at(BOX.x, BOX.y)]).toEqual([WHITE, RED]);
      expect([at(BOX.x + BOX.width - 2, BOX.y), at(BOX.x + BOX.width, BOX.y)]).toEqual([RED, WHITE]);
    },
  );

  test("is the page's devicePixelRatio", async () => {
    expect(await visit({ ...small, device_scale_factor: 3 })).toMatchObject({ devicePixelRatio: 3, inner: [400, 300] });
  });
});

describe("viewport_device", () => {
  /** A page that is made for phones, and shows what it sees in its title. */
  const html = `<!doctype html><meta name="viewport" content="width=device-width"><script>document.title = JSON.stringify({
    inner: [innerWidth, innerHeight], density: devicePixelRatio, isTouched: navigator.maxTouchPoints > 0,
    isUpright: matchMedia("(orientation: portrait)").matches, userAgent: navigator.userAgent })</script>Text`;

  async function visitOf(options: Readonly<Record<string, unknown>>) {
    const { body, metadata } = await captureWith({ html, metadata_page_title: true, ...options });
    const { width, height } = await decode(body);
    return { ...JSON.parse(String(metadata.page_title)), size: [width, height] };
  }

  const upright = {
    inner: [393, 659],
    density: 3,
    isTouched: true,
    isUpright: true,
    userAgent: expect.stringContaining("iPhone"),
    size: [1179, 1977],
  };
  const lying = { ...upright, isUpright: false, inner: [734, 343], size: [2202, 1029] };

  sampled(test, 8).each<[string, Record<string, unknown>, object]>([
    ["by its name", { viewport_device: "iPhone 15 Pro" }, upright],
    ["by its slug", { viewport_device: "iphone_15_pro" }, upright],
    ["on its side, by name", { viewport_device: "iPhone 15 Pro landscape" }, lying],
    ["on its side, by slug", { viewport_device: "iphone_15_pro_landscape" }, lying],
  ])("is a device %s", async (_, options, expected) => {
    expect(await visitOf(options)).toEqual(expected);
  });

  test("is rotated by viewport_landscape", async () => {
    const seen = await visitOf({ viewport_device: "iphone_15_pro", viewport_landscape: true });
    expect(seen).toEqual({ ...upright, isUpright: false, inner: [659, 393], size: [1977, 1179] });
  });

  sampled(test, 4).each([
    ["iPhone 15 Pro landscape", [2202, 1029]],
    ["tablet", [1640, 2360]],
  ])("%s measures the same on a page not made for it", async (viewport_device, size) => {
    expect((await visit({ viewport_device })).size).toEqual(size);
  });

  sampled(test, 8).each<[string, Record<string, unknown>, object]>([
    ["the width", { viewport_width: 320 }, { inner: [320, 659], size: [960, 1977] }],
    ["the height", { viewport_height: 500 }, { inner: [393, 500], size: [1179, 1500] }],
    ["the density", { device_scale_factor: 1 }, { density: 1, size: [393, 659] }],
    ["touch", { viewport_has_touch: false }, { isTouched: false }],
    ["the user agent", { user_agent: "Own/1" }, { userAgent: "Own/1" }],
  ])("keeps the rest where %s is overridden", async (_, override, expected) => {
    const seen = await visitOf({ viewport_device: "iPhone 15 Pro", ...override });
    expect(seen).toEqual({ ...upright, ...expected });
  });

  test("is no phone where viewport_mobile is false", async () => {
    const html = `<!doctype html><body style="margin:0"><div style="width:393px;height:50px;background:red">`;
    const widthOf = async (options: object) => {
      const image = await decode((await captureWith({ html, viewport_device: "iPhone 15 Pro", ...options })).body);
      return [0.5, 0.99].map((share) => image.colourAt(Math.floor(image.width * share), 5));
    };
    expect(await widthOf({})).toEqual([WHITE, WHITE]);
    expect(await widthOf({ viewport_mobile: false })).toEqual([RED, RED]);
  });

  sampled(test, 6).each([
    ["desktop", [1280, 1024], false],
    ["tablet", [820, 1180], true],
    ["mobile", [390, 844], true],
  ])("may be a plain %s", async (viewport_device, [width, height], isTouched) => {
    const seen = await visitOf({ viewport_device, device_scale_factor: 1 });
    expect(seen).toMatchObject({ inner: [width, height], size: [width, height], isTouched });
  });
});

describe("user_agent", () => {
  test("is that of Chrome on Linux by default", async () => {
    expect(await visit(small)).toMatchObject({ userAgent: USER_AGENT });
    expect(headersOf("/echo-page")["user-agent"]).toBe(USER_AGENT);
  });

  sampled(test, 8).each([
    ["mobile", expect.stringMatching(/Android.* Chrome\/\d+.* Mobile Safari/), "?1"],
    ["Desktop", USER_AGENT, "?0"],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
      expect.stringContaining("Windows NT 10.0"),
      "?0",
    ],
    ["Own/1.0 (+https://example.com)", "Own/1.0 (+https://example.com)", undefined],
  ])("%s is what script and server see, and client hints agree", async (user_agent, expected, isMobile) => {
    const seen = await visit({ ...small, user_agent });
    expect(seen.userAgent).toEqual(expected);
    const headers = headersOf("/echo-page");
    expect(headers["user-agent"]).toBe(seen.userAgent);
    expect(headers["sec-ch-ua-mobile"]).toBe(isMobile);
  });
});

describe("headers", () => {
  const WINDOWS =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";

  sampled(test, 4).each([
    ["of a Chrome", WINDOWS, '"Windows"'],
    ["of a robot", "Own/1.0 (+https://example.com)", undefined],
  ])("with the User-Agent %s are what script and server see, and client hints agree", async (_, agent, platform) => {
    const seen = await visit({ ...small, headers: { "user-agent": agent, "X-Tenant": "7" } });
    const { "user-agent": userAgent, "sec-ch-ua-platform": hint, "x-tenant": tenant } = headersOf("/echo-page");
    expect([seen.userAgent, userAgent, hint, tenant]).toEqual([agent, agent, platform, "7"]);
  });

  test("of one name are all sent, as a list", async () => {
    await visit({ ...small, headers: ["X-Tag: a", "X-Other: 1", "x-tag: b, c", "Accept-Language: fr"] });
    expect(headersOf("/echo-page")).toMatchObject({ "x-tag": "a, b, c", "x-other": "1", "accept-language": "fr" });
  });
});

describe("user preferences", () => {
  sampled(test, 12).each([
    ["true", { dark_mode: true }, BLACK],
    ["false", { dark_mode: false }, GREEN],
    ["unset, as a browser that has nothing set up,", {}, GREEN],
  ])("dark_mode %s is what the page sees", async (_, options, colour) => {
    expect((await imageOf("/color-scheme", { ...small, ...options })).colourAt(9, 9)).toEqual(colour);
  });

  const REDUCED = "(prefers-reduced-motion: reduce)";
  sampled(test, 8).each<[string, object, boolean]>([
    ["no option asks for anything else", {}, true],
    ["motion is requested", { reduced_motion: false }, false],
    ["animations are requested", { disable_animations: false }, false],
    ["a whole page with motion is requested", { full_page: true, reduced_motion: false }, false],
    ["a whole page with animations is requested", { full_page: true, disable_animations: false }, true],
  ])("reduce motion, or not, where %s", async (_, options, isReduced) => {
    expect((await visit({ ...small, ...options })).media.includes(REDUCED)).toBe(isReduced);
  });
});

describe("media_type", () => {
  const html = `<style>body { background: red } @media screen { body { background: green } } @media print { body { background: black; color: white } }</style>Text`;

  sampled(test, 12).each<[string, object, readonly number[]]>([
    ["an image is that of the screen", {}, GREEN],
    ["an image may be that of print", { media_type: "print" }, BLACK],
    ["an image may be said to be that of the screen", { media_type: "screen" }, GREEN],
  ])("%s", async (_, options, ground) => {
    expect((await decode((await captureWith({ html, ...small, ...options })).body)).colourAt(200, 200)).toEqual(ground);
  });

  test.each<[string, object, readonly number[]]>([
    ["a pdf is that of print", {}, BLACK],
    ["a pdf may be that of the screen", { media_type: "screen" }, GREEN],
  ])("%s", async (_, options, ground) => {
    const { body } = await captureWith({ html, format: "pdf", ...options });
    expect((await readPdf(body).draw(0)).colourAt(200, 200)).toEqual(ground);
  });
});

describe("locale, time zone and geolocation", () => {
  test("are American English, UTC and denied by default", async () => {
    expect(await visit(small)).toMatchObject({
      language: "en-US",
      locale: "en-US",
      timeZone: "UTC",
      dateOffsets: [0, 0],
      geolocation: 1,
    });
    expect(headersOf("/echo-page")["accept-language"]).toBe("en-US,en;q=0.9");
  });

  sampled(test, 4).each([["locale"], ["accept_language"]])("%s sets header, navigator and formats", async (name) => {
    const seen = await visit({ ...small, [name]: "de-CH" });
    expect(seen).toMatchObject({ language: "de-CH", locale: "de-CH" });
    expect(headersOf("/echo-page")["accept-language"]).toMatch(/^de-CH,de;q=0\.9,en/);
  });

  test("time_zone sets the zone of dates, in summer and in winter", async () => {
    const seen = await visit({ ...small, time_zone: "America/New_York" });
    expect(seen).toMatchObject({ timeZone: "America/New_York", dateOffsets: [300, 240] });
  });

  sampled(test, 4).each([
    ["with its accuracy", { geolocation_accuracy: 25 }, 25],
    ["to ten metres by default", {}, 10],
  ])("geolocation is available to a page that asks, %s", async (_, options, accuracy) => {
    const place = { geolocation_latitude: 47.3769, geolocation_longitude: -8.5417, ...options };
    const { geolocation } = await visit({ ...small, ...place });
    expect(geolocation).toEqual({ latitude: 47.3769, longitude: -8.5417, accuracy });
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

  sampled(test, 12).each<[string, Record<string, unknown>, string, string]>([
    ["a header of a list", { headers: ["X-Tenant: tenant-7"] }, "x-tenant", "tenant-7"],
    ["a header of an object", { headers: { "X-Tenant": "tenant-7" } }, "x-tenant", "tenant-7"],
    ["the authorization", { authorization: "Bearer token-8" }, "authorization", "Bearer token-8"],
    ["a cookie", { cookies: ["chip=chip-9"] }, "cookie", "chip=chip-9"],
    ["a cookie as an object", { cookies: [{ name: "chip", value: "chip-9" }] }, "cookie", "chip=chip-9"],
    [
      "a user's name and password",
      { http_auth_username: "ann", http_auth_password: "token-8" },
      "authorization",
      `Basic ${btoa("ann:token-8")}`,
    ],
  ])("%s goes to the origin of the page and to no other", async (_, options, name, value) => {
    const { target, other } = await visitFromTwo(options);
    expect(target.map(({ headers }) => headers[name])).toEqual(target.map(() => value));
    for (const secret of [...SECRETS, btoa("ann:token-8")]) expect(JSON.stringify(other)).not.toContain(secret);
  });

  test("a header that replaces the browser's own is sent once", async () => {
    await captureOf("/echo", { ...small, headers: { "Accept-Language": "tlh", "X-Empty": "" } });
    expect(headersOf("/echo")).toMatchObject({ "accept-language": "tlh", "x-empty": "" });
  });

  test("a cookie is readable by the page, unless it is HttpOnly", async () => {
    const { cookie } = await visit({ ...small, cookies: ["open=1; Path=/", "closed=2; HttpOnly"] });
    expect(cookie).toBe("open=1");
    expect(headersOf("/echo-page").cookie).toBe("open=1; closed=2");
  });

  sampled(test, 4).each<[string, object, readonly number[]]>([
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

  test("the referer is sent in full", async () => {
    const referer = "https://search.example/results?q=1";
    expect(await visit({ ...small, referer })).toMatchObject({ referrer: referer });
    expect(headersOf("/echo-page").referer).toBe(referer);
    expect(await visit(small)).toMatchObject({ referrer: "" });
  });
});

describe("bypass_csp", () => {
  test.each([
    ["a page's own policy holds", {}, GREEN],
    ["with it, what the policy forbids is there", { bypass_csp: true }, RED],
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
    const options = { url: `http://direct.test:${port}/box`, proxy, ...small };
    const colourOf = async (more: object) => {
      const { body } = await captureWith({ ...options, ...more }, surroundings);
      return (await decode(body)).colourAt(BOX.x + 1, BOX.y + 1);
    };
    expect(await colourOf({ proxy_bypass_hosts: ["direct.test"] })).toEqual(RED);
    expect(requested).toEqual([]);
    expect(await colourOf({ proxy_bypass_hosts: ["*.direct.test"] })).toEqual(GREEN);
    expect(requested).toContain(`http://direct.test:${port}/box`);
  });

  test.each([
    ["refuses the password", { status: 407 }, "http", /user name and password/],
    ["refuses to connect to the page", {}, "https", /refused or failed to connect/],
  ])("that %s fails the capture, without revealing its password", async (_, behaviour, scheme, message) => {
    const { proxy, hostPort } = await startProxy(behaviour);
    const error = await failureOf(captureWith({ url: `${scheme}://shop.test/`, proxy }, { allow: [hostPort] }));
    expect(error).toMatchObject({ code: "PROXY_FAILED", message: expect.stringMatching(message) });
    expect(JSON.stringify(error) + error.message + error.stack).not.toContain(PASSWORD);
  });

  test.each([
    ["that does not run", true, /Could not connect to the 'proxy'/],
    ["on a private address", false, /not allowed/],
  ])("%s fails the capture", async (_, isAllowed, message) => {
    const port = await closedPort();
    const proxy = `http://ann:${PASSWORD}@127.0.0.1:${port}`;
    const allow = isAllowed ? [`127.0.0.1:${port}`] : [];
    const error = await failureOf(captureWith({ url: "http://shop.test/", proxy }, { allow }));
    expect(error).toMatchObject({ code: "PROXY_FAILED", message: expect.stringMatching(message) });
    expect(JSON.stringify(error) + error.message).not.toContain(PASSWORD);
  });
});
