// When a page is ready, and what makes its capture fail, seen from outside.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { captureWith, failureOf } from "../../../support/chromium.ts";
import { atMost, msOf } from "../../../support/elapsed.ts";
import { startPackagedSite } from "../../../support/packaged-sites.ts";
import { decode } from "../../../support/png.ts";
import { type Site, startSite } from "../../../support/site.ts";
import { PAINTED, SLOW_IMAGE_HEIGHT, SPA } from "../../../support/site-pages/late.ts";
import { BOX, bandColour, GREEN, RED } from "../../../support/site-pages.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

type Options = Readonly<Record<string, unknown>>;
const window = { viewport_width: 400, viewport_height: 300, timeout: 20 };

const captureOf = (path: string, options: Options = {}) =>
  captureWith({ url: site.origin + path, ...window, ...options }, { allow: [site.hostPort], isTimedFromLaunch: true });

const failed = (path: string, options: Options = {}) => failureOf(captureOf(path, options));

async function imageOf(path: string, options: Options = {}) {
  return decode((await captureOf(path, options)).body);
}

/** A page that says "Ready?" and then does what `script` says, in which `done()` makes it green. */
const page = (script: string, body = "Ready?") =>
  `<!doctype html><body style="margin:0">${body}<script>const done = () => { document.body.style.background = "green" }; ${script}</script>`;

const htmlOf = (html: string, options: Options = {}) =>
  captureWith({ html, ...window, ...options }, { isTimedFromLaunch: true });
const groundOf = async (html: string, options: Options = {}) =>
  (await decode((await htmlOf(html, options)).body)).colourAt(390, 290);

/** A point inside the box of `/box`. */
const inside = [BOX.x + 1, BOX.y + 1] as const;

describe("wait_until", () => {
  test.each([
    ["auto waits for the load event", "auto", "/green-on-load?after=400"],
    ["auto waits for what a script fetches after it", "auto", "/green-after-fetch?after=400"],
    ["load waits for the load event", "load", "/green-on-load?after=400"],
    ["networkidle waits for the load event's requests", "networkidle", "/green-on-load?after=100"],
    ["networkidle0 waits for what a script fetches after it", "networkidle0", "/green-after-fetch?after=400"],
    ["several conditions must all hold", ["domcontentloaded", "networkidle0"], "/green-after-fetch?after=400"],
    ["several conditions may be text", '["domcontentloaded","load"]', "/green-on-load?after=400"],
  ])("%s", async (_, wait_until, path) => {
    const { body, warnings } = await captureOf(path, { wait_until });
    expect((await decode(body)).colourAt(...inside)).toEqual(GREEN);
    expect(warnings).toEqual([]);
  });

  test.each([
    ["domcontentloaded does not wait for images", "domcontentloaded", "/green-on-load"],
    ["load does not wait for what begins after it", "load", "/green-after-fetch"],
    ["networkidle bears with two open requests", "networkidle", "/images-never-arrive?count=2"],
    ["networkidle2 bears with two open requests", "networkidle2", "/images-never-arrive?count=2"],
  ])("%s", async (_, wait_until, path) => {
    const { body, warnings } = await captureOf(path, { wait_until });
    expect((await decode(body)).colourAt(...inside)).toEqual(RED);
    expect(warnings).toEqual([]);
  });

  test.each([
    ["auto", "/images-never-arrive", /^The page had not finished loading; still pending: .*\/image\?n=0\.$/],
    [
      "networkidle",
      "/images-never-arrive?count=3",
      /^The network did not become idle; still pending: .*\/image\?n=0 and 2 more\.$/,
    ],
  ])("%s gives up on requests that are never answered, and says so", async (wait_until, path, warning) => {
    const { body, warnings } = await captureOf(path, { wait_until, timeout: 2 });
    expect((await decode(body)).colourAt(...inside)).toEqual(RED);
    expect(warnings).toEqual([expect.stringMatching(warning)]);
  });
});

describe("wait_until auto", () => {
  test.each([["/spa"], ["/spa?spinner"]])("waits until an application has rendered itself: %s", async (path) => {
    const image = await imageOf(path, path.includes("spinner") ? { wait_for_selector: "header" } : {});
    expect(image.colourAt(200, 10)).toEqual(SPA.header.colour);
    expect(image.colourAt(200, SPA.header.height + 50)).toEqual(bandColour(0));
  });

  test("waits while a page with a script is blank", async () => {
    expect((await imageOf("/blank-then-painted?after=700")).colourAt(9, 9)).toEqual(PAINTED);
  });

  test("shows images that come slowly", async () => {
    const image = await imageOf("/slow-images");
    const middles = [0, 1, 2].map((n) => image.colourAt(200, (n + 0.5) * SLOW_IMAGE_HEIGHT));
    expect(middles).toEqual([0, 1, 2].map(bandColour));
  });

  test("does not wait for a page that asks the same again and again", async () => {
    const capturing = captureOf("/fetch-beacons");
    const [took, control] = await Promise.all([msOf(() => capturing), msOf(() => captureOf("/box"))]);
    expect(took).toBeLessThan(atMost(4_000, control));
    expect((await capturing).warnings).toEqual([]);
  });

  test("waits for charts that draw themselves", async () => {
    const dashboard = await startPackagedSite("startbootstrap-sb-admin-2");
    const shot = (options: Options) =>
      captureWith(
        { url: `${dashboard.origin}/index.html`, viewport_width: 1280, viewport_height: 1024, ...options },
        { allow: [dashboard.hostPort] },
      );
    const [first, loaded, later] = [await shot({}), await shot({ wait_until: "load" }), await shot({ delay: 2 })];
    await dashboard.close();
    expect([first, loaded].map(({ body }) => body.equals(later.body))).toEqual([true, true]);
  });
});

describe("wait_for_selector", () => {
  const late = (markup: string) => page(`setTimeout(() => { document.body.innerHTML += '${markup}'; done() }, 500)`);

  test("waits for an element of any of the selectors", async () => {
    expect(await groundOf(late("<p class=b>b</p>"), { wait_for_selector: ["#a", ".b"] })).toEqual(GREEN);
  });

  test("waits for an element of each of the selectors", async () => {
    const options = { wait_for_selector: ["#a", ".b"], wait_for_selector_algorithm: "at_least_by_count" };
    expect(
      await groundOf(page(`setTimeout(() => { b.className = "b"; done() }, 500)`, "<p id=a>a<p id=b>b"), options),
    ).toEqual(GREEN);
  });

  test("names those that did not come", async () => {
    const options = { wait_for_selector: ["#a", ".b"], wait_for_selector_algorithm: "at_least_by_count", timeout: 2 };
    expect(await failureOf(htmlOf("<p class=b>b", options))).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      details: { wait_for_selector: [expect.stringMatching(/^no element matched '#a' within 1\.\d s$/)] },
    });
  });

  test("has all the time there is", async () => {
    const begun = performance.now();
    await failureOf(htmlOf("<p>", { wait_for_selector: "#a", timeout: 4 }));
    expect(performance.now() - begun).toBeGreaterThan(3_400);
  });
});

describe("wait_for_selector_hidden", () => {
  test("waits for an element to go away", async () => {
    const html = page(`setTimeout(() => { a.hidden = true; done() }, 500)`, "<p id=a>wait");
    expect(await groundOf(html, { wait_for_selector_hidden: "#a" })).toEqual(GREEN);
  });

  test("names what stayed", async () => {
    expect(await failureOf(htmlOf("<p id=a>a", { wait_for_selector_hidden: "#a", timeout: 2 }))).toMatchObject({
      code: "CAPTURE_TIMEOUT",
      message: expect.stringContaining("waiting for '#a' to disappear."),
    });
  });
});

describe("wait_for_expression", () => {
  const ready = page(`setTimeout(() => { window.state = { ready: 1 }; window.json = "1"; done() }, 800)`);

  test.each([
    ["throws at first", "window.state.ready"],
    ["is an object", "window.state"],
    ["is a promise", "new Promise((resolve) => setTimeout(() => resolve(window.state), 20))"],
    ["throws a SyntaxError at first", "JSON.parse(window.json ?? '')"],
    ["is a big integer", "window.state ? 1n : 0n"],
  ])("waits for one that %s", async (_, wait_for_expression) => {
    expect(await groundOf(ready, { wait_for_expression })).toEqual(GREEN);
  });

  test.each([
    ["0", /^it did not become true within \d\.\d s$/],
    ["''", /^it did not become true/],
    ["NaN", /^it did not become true/],
    ["null", /^it did not become true/],
    ["new Promise(() => {})", /^it did not become true/],
    ["nothing.there", /^it threw ReferenceError: nothing is not defined within \d\.\d s$/],
  ])("%s is never true, which is told", async (wait_for_expression, why) => {
    expect(await failureOf(htmlOf("<p>a", { wait_for_expression, timeout: 1 }))).toMatchObject({
      code: "EXPRESSION_FAILED",
      details: { wait_for_expression: [expect.stringMatching(why)] },
    });
  });

  test("that is no JavaScript fails at once", async () => {
    const failure = failureOf(htmlOf("<p>a", { wait_for_expression: "window.(" }));
    const [took, control] = await Promise.all([msOf(() => failure), msOf(() => htmlOf("<p>a"))]);
    expect(await failure).toMatchObject({
      code: "EXPRESSION_FAILED",
      details: { wait_for_expression: [expect.stringMatching(/^is not valid JavaScript: SyntaxError/)] },
    });
    expect(took).toBeLessThan(atMost(3_000, control));
  });
});

describe("delay", () => {
  test("waits after the page has loaded", async () => {
    expect((await imageOf("/green-later?after=1500", { delay: 2 })).colourAt(...inside)).toEqual(GREEN);
  });

  test.each([
    ["of the window", {}],
    ["of the whole page", { full_page: true }],
    ["as soon as it has been read", { wait_until: "domcontentloaded" }],
  ])("gives a page time for what it puts off until it is idle, again and again: %s", async (_, options) => {
    const chain = "let left = 20; requestIdleCallback(function next() { --left ? requestIdleCallback(next) : done() })";
    expect(await groundOf(page(chain), { delay: 2, ...options })).toEqual(GREEN);
  });
});

describe("navigation_timeout", () => {
  test("ends the wait for the server's answer", async () => {
    const failure = failed("/never-answers", { navigation_timeout: 1 });
    const [took, control] = await Promise.all([msOf(() => failure), msOf(() => captureOf("/box"))]);
    expect(await failure).toMatchObject({
      code: "CAPTURE_TIMEOUT",
      details: { phase: ["navigate"], pending: [`${site.origin}/never-answers`] },
    });
    expect(took).toBeLessThan(1_000 + atMost(2_000, control));
  });
});

describe("ignore_host_errors", () => {
  test("captures an error page, and reports its status", async () => {
    const { body, statusCode, finalUrl } = await captureOf("/not-found", { ignore_host_errors: true });
    expect((await decode(body)).colourAt(...inside)).toEqual(RED);
    expect({ statusCode, finalUrl }).toEqual({ statusCode: 404, finalUrl: `${site.origin}/not-found` });
  });

  test("captures an error without a page", async () => {
    expect((await captureOf("/empty-500", { ignore_host_errors: true })).statusCode).toBe(500);
  });
});

describe("fail_on_status", () => {
  test.each([
    ["/status?status=200", "200"],
    ["/not-found", "400,404,500-511"],
    ["/status?status=503", "400,404,500-511"],
  ])("%s fails on %s", async (path, fail_on_status) => {
    expect((await failed(path, { fail_on_status })).code).toBe("TARGET_HTTP_ERROR");
  });

  test("captures a page with any other error", async () => {
    expect((await captureOf("/not-found", { fail_on_status: "400,405-599" })).statusCode).toBe(404);
  });
});

describe("fail_if_content_contains and fail_if_content_missing", () => {
  const said = `<p>Access <b>DENIED</b>   here</p><p hidden>secret</p><iframe srcdoc="framed"></iframe>
    <x-a><template shadowrootmode="open"><p>in a shadow</p></template></x-a>`;

  test.each([["access denied"], ["denied\there"], ["IN A SHADOW"]])("'%s' is seen", async (phrase) => {
    expect(await failureOf(htmlOf(said, { fail_if_content_contains: ["nothing", phrase] }))).toMatchObject({
      code: "CONTENT_RULE_FAILED",
      details: { fail_if_content_contains: [`the page contains '${phrase}'`] },
    });
    expect((await htmlOf(said, { fail_if_content_missing: [phrase] })).warnings).toEqual([]);
  });

  test.each([["secret"], ["framed"], ["srcdoc"]])("'%s' is not", async (phrase) => {
    expect(await failureOf(htmlOf(said, { fail_if_content_missing: ["access", phrase] }))).toMatchObject({
      code: "CONTENT_RULE_FAILED",
      details: { fail_if_content_missing: [`the page lacks '${phrase}'`] },
    });
    expect((await htmlOf(said, { fail_if_content_contains: [phrase] })).warnings).toEqual([]);
  });
});

describe("fail_if_request_failed", () => {
  test.each([
    ["part of an address", "/missing.png", "missing.png failed (404)"],
    ["a pattern", "http*.json", "missing.json failed (404)"],
    ["a request that broke off", "/breaks-off", "breaks-off failed (net::ERR_CONTENT_LENGTH_MISMATCH)"],
  ])("names the request that failed: %s", async (_, pattern, told) => {
    expect(await failed("/console", { fail_if_request_failed: ["/other", pattern] })).toMatchObject({
      code: "CONTENT_RULE_FAILED",
      details: { fail_if_request_failed: [`${site.origin}/${told}`] },
    });
  });

  test.each([["/console"], ["*.jpg"], ["missing.pn*x"]])("does not mind others: %s", async (pattern) => {
    expect((await captureOf("/console", { fail_if_request_failed: [pattern] })).statusCode).toBe(200);
  });
});
