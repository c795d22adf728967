import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decode } from "../../fixtures/png.ts";
import { closedPort, type Site, startSite, startTcp } from "../../fixtures/site.ts";
import { BOX, RED } from "../../fixtures/site-pages.ts";
import { type CaptureTestSettings, captureWith, failureOf, killBrowser } from "../../support/chromium.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";
import { measureMs, scaleLimitByLoad } from "../../support/timing.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const small = { viewport_width: 400, viewport_height: 300 };

const captureOf = (
  path: string,
  options: Readonly<Record<string, unknown>> = {},
  surroundings: CaptureTestSettings = {},
) =>
  captureWith(
    { url: site.origin + path, ...small, timeout: 20, ...options },
    { allow: [site.hostPort], ...surroundings },
  );

const failed = (...of: Parameters<typeof captureOf>) => failureOf(captureOf(...of));

describe("an HTTP error of the page", () => {
  sampled(test, 12).each([
    ["404 with a page", "/not-found", 404],
    ["503 with a page", "/status?status=503", 503],
    ["400 with a page", "/status?status=400", 400],
    ["500 without a page", "/empty-500", 500],
    ["404 after a redirect", "/redirect?to=/not-found", 404],
    ["404 of a page that a script goes to", "/leaves?to=/not-found", 404],
  ])("is reported: %s", async (_, path, status) => {
    expect(await failed(path)).toMatchObject({
      code: "TARGET_HTTP_ERROR",
      target: { http_status_code: status, net_error: null, final_url: expect.stringMatching(`^${site.origin}/`) },
    });
  });
});

describe("a target without a page", () => {
  sampled(test, 6).each([
    ["from an address", { url: "/leaves?to=about:blank" }],
    ["from HTML", { html: "<p>Hello<script>location.href = 'about:blank'</script>" }],
    ["as a document", { url: "/leaves?to=about:blank", format: "html" }],
  ])(
    "fails when it navigated to about:blank, instead of a blank image: %s",
    async (_, { url, ...options }: Record<string, string>) => {
      const page = url === undefined ? {} : { url: site.origin + url };
      expect(
        await failureOf(captureWith({ ...page, ...options, timeout: 20 }, { allow: [site.hostPort] })),
      ).toMatchObject({
        code: "TARGET_UNREACHABLE",
        message: expect.stringMatching(/^The page navigated to about:blank/),
        target: { final_url: "about:blank" },
      });
    },
  );

  sampled(test, 4).each([
    ["a download", "/download", "net::ERR_ABORTED"],
    ["no content", "/empty-204", "net::ERR_ABORTED"],
    ["a page that breaks off", "/breaks-off", "net::ERR_CONTENT_LENGTH_MISMATCH"],
    ["a circle of redirects", "/redirects-for-ever", "net::ERR_TOO_MANY_REDIRECTS"],
  ])("is reported with Chromium's network error: %s", async (_, path, net_error) => {
    expect(await failed(path, { timeout: 3 }, { isTimedFromLaunch: true })).toMatchObject({
      code: "TARGET_UNREACHABLE",
      target: { net_error, final_url: site.origin + path },
    });
  });
});

describe("a connection that breaks off during the document fails the capture at once", () => {
  sampled(test, 2).each(["domcontentloaded", "load"])("wait_until=%s", async (wait_until) => {
    expect(await failed("/breaks-off", { timeout: 5, wait_until })).toMatchObject({
      code: "TARGET_UNREACHABLE",
      target: { net_error: "net::ERR_CONTENT_LENGTH_MISMATCH", http_status_code: 200 },
    });
  });

  test("with on_timeout=capture as well", async () => {
    expect(await failed("/breaks-off", { timeout: 5, on_timeout: "capture" })).toMatchObject({
      code: "TARGET_UNREACHABLE",
    });
  });
});

describe("an unreachable target is reported:", () => {
  sampled(test, 2).each([["http"], ["https"]])("closed port, %s", async (scheme) => {
    const hostPort = `127.0.0.1:${await closedPort()}`;
    expect(await failureOf(captureWith({ url: `${scheme}://${hostPort}/` }, { allow: [hostPort] }))).toMatchObject({
      code: "TARGET_UNREACHABLE",
      target: {
        http_status_code: null,
        net_error: "net::ERR_CONNECTION_FAILED",
        final_url: `${scheme}://${hostPort}/`,
      },
    });
  });

  sampled(test, 2).each([
    ["https", "net::ERR_CONNECTION_CLOSED"],
    ["http", "net::ERR_CONNECTION_FAILED"],
  ])("closed connection, %s", async (scheme, net_error) => {
    const server = await startTcp((socket) => socket.once("data", () => socket.destroy()));
    const hostPort = `127.0.0.1:${server.port}`;
    expect(await failureOf(captureWith({ url: `${scheme}://${hostPort}/` }, { allow: [hostPort] }))).toMatchObject({
      code: "TARGET_UNREACHABLE",
      target: { http_status_code: null, net_error, final_url: `${scheme}://${hostPort}/` },
    });
    await server.close();
  });

  sampled(test, 2).each([["https"], ["http"]])("name without an address, %s", async (scheme) => {
    const url = `${scheme}://nowhere.test/`;
    const resolve = async () => Promise.reject(new Error("no such name"));
    expect(await failureOf(captureWith({ url }, { resolve }))).toMatchObject({
      code: "TARGET_NAME_NOT_RESOLVED",
      target: { http_status_code: null, net_error: "net::ERR_NAME_NOT_RESOLVED", final_url: url },
    });
  });

  test("server without TLS", async () => {
    const url = `https://${site.hostPort}/box`;
    expect(await failureOf(captureWith({ url }, { allow: [site.hostPort] }))).toMatchObject({
      code: "TARGET_TLS_ERROR",
      target: { http_status_code: null, net_error: "net::ERR_SSL_PROTOCOL_ERROR", final_url: url },
    });
  });
});

describe.concurrent("a timeout", () => {
  const image = "/images-never-arrive";

  sampled(test, 12).each([
    ["no answer", "/never-answers", {}, "navigate", null, ["/never-answers"]],
    ["an image load waits for", image, { wait_until: "load" }, "settle", 200, ["/image?n=0"]],
    ["one request with networkidle0", image, { wait_until: "networkidle0" }, "settle", 200, ["/image?n=0"]],
    [
      "three requests with networkidle2",
      "/images-never-arrive?count=3",
      { wait_until: "networkidle2" },
      "settle",
      200,
      ["/image?n=0", "/image?n=1", "/image?n=2"],
    ],
    ["one condition of two", image, { wait_until: ["domcontentloaded", "load"] }, "settle", 200, ["/image?n=0"]],
    ["a delay that outlasts what is left", "/box", { delay: 4.999, timeout: 5, javascript: false }, "settle", 200, []],
  ])("names the phase, the target and the pending requests: %s", async (_, path, options, phase, status, pending) => {
    expect(await failed(path, { timeout: 2, ...options }, { isTimedFromLaunch: true })).toMatchObject({
      code: "CAPTURE_TIMEOUT",
      details: { phase: [phase], pending: pending.map((request) => site.origin + request) },
      target: { http_status_code: status, net_error: null, final_url: site.origin + path },
    });
  });
});

describe("a page that never stops working", () => {
  sampled(test, 12).each([
    ["by navigating", () => ({ url: `${site.origin}/navigates-for-ever`, wait_until: "networkidle0" })],
    ["with a script", () => ({ url: `${site.origin}/script-for-ever` })],
    ["with a script in HTML", () => ({ html: "<script>for (;;);</script>" })],
  ])("does not delay the timeout: %s", async (_, options) => {
    const failure = failureOf(captureWith({ ...options(), timeout: 1 }, { allow: [site.hostPort] }));
    const [took, control] = await Promise.all([measureMs(() => failure), measureMs(() => captureOf("/box"))]);
    expect((await failure).code).toBe("CAPTURE_TIMEOUT");
    expect(took).toBeLessThan(1_000 + scaleLimitByLoad(1_000, control));
  });
});

describe("selector", () => {
  sampled(test, 4).each([
    ["nothing matches", "#nothing", /^no element matched '#nothing' within \d(\.\d)? s$/],
    ["only something hidden matches", "#hidden", /^only hidden elements matched '#hidden' within \d(\.\d)? s$/],
  ])("fails when %s", async (_, selector, detail) => {
    expect(await failed("/cards", { selector, timeout: 4 }, { isTimedFromLaunch: true })).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      details: { selector: [expect.stringMatching(detail)] },
    });
  });

  test("fails as invalid when it is not CSS", async () => {
    expect(await failed("/cards", { selector: "#<>" })).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { selector: ["is not a valid CSS selector: '#<>'"] },
    });
  });
});

test("an image that is too large fails before it is captured", async () => {
  const huge = { viewport_width: 7680, viewport_height: 4320, device_scale_factor: 5 };
  expect(await failureOf(captureWith({ html: "x", ...huge }))).toMatchObject({
    code: "RESULT_TOO_LARGE",
    message: expect.stringContaining("38400 × 21600 pixels"),
  });
});

describe("a browser that crashes", () => {
  /** Kills the browsers of the first `attempts` attempts as soon as their page asks for something. */
  const killedDuring =
    (attempts: number, launches: number[]): NonNullable<CaptureTestSettings["launched"]> =>
    (session, attempt) => {
      launches.push(attempt);
      if (attempt <= attempts) session.cdp.once("Network.requestWillBeSent", () => killBrowser(session));
    };

  test("is replaced once, and the capture succeeds", async () => {
    const launches: number[] = [];
    const { body, statusCode } = await captureOf(
      "/box",
      {},
      { assertsCleanup: true, launched: killedDuring(1, launches) },
    );
    expect((await decode(body)).colourAt(BOX.x, BOX.y)).toEqual(RED);
    expect(statusCode).toBe(200);
    expect(launches).toEqual([1, 2]);
  });

  test("twice fails with PAGE_CRASHED, which is the fault of the page", async () => {
    const launches: number[] = [];
    const error = await failed("/box", {}, { assertsCleanup: true, launched: killedDuring(2, launches) });
    expect(error).toMatchObject({ code: "PAGE_CRASHED", status: 422, blame: "target" });
    expect(error.target?.final_url).toMatch(/\/box$/);
    expect(launches).toEqual([1, 2]);
  });

  test("by nested shadow roots is the fault of the page", async () => {
    const launches: number[] = [];
    const script = `let node = document.body;
      for (let n = 0; n < 3000; n++) {
        node = node.attachShadow({ mode: "open" }).appendChild(document.createElement("div"));
      }`;
    const launched = (_: unknown, attempt: number) => void launches.push(attempt);
    const html = `<body><script>${script}</script>`;
    expect(await failureOf(captureWith({ html }, { launched, assertsCleanup: true }))).toMatchObject({
      code: "PAGE_CRASHED",
    });
    expect(launches).toEqual([1, 2]);
  });

  test("once before its page and once with it is the fault of the service", async () => {
    const launched: NonNullable<CaptureTestSettings["launched"]> = async (session, attempt) => {
      if (attempt === 1) {
        await session.close();
        throw new Error("It did not start.");
      }
      session.cdp.once("Network.requestWillBeSent", () => killBrowser(session));
    };
    expect(await failed("/box", {}, { launched, assertsCleanup: true })).toMatchObject({
      code: "INTERNAL_ERROR",
      blame: "us",
    });
  });

  test("before the capture uses it is replaced", async () => {
    const launched: NonNullable<CaptureTestSettings["launched"]> = async (session, attempt) => {
      if (attempt > 1) return;
      const gone = new Promise((resolve) => session.browser.once("disconnected", resolve));
      killBrowser(session);
      await gone;
    };
    expect((await captureOf("/box", {}, { launched, assertsCleanup: true })).statusCode).toBe(200);
  });

  test("while it starts is replaced", async () => {
    const launched: NonNullable<CaptureTestSettings["launched"]> = async (session, attempt) => {
      if (attempt > 1) return;
      await session.close();
      throw new Error("It did not start.");
    };
    expect((await captureOf("/box", {}, { launched, assertsCleanup: true })).statusCode).toBe(200);
  });

  slowTest("does not extend the timeout for the second attempt", async () => {
    const failure = failed("/never-answers", { timeout: 1 }, { assertsCleanup: true, launched: killedDuring(1, []) });
    const [took, control] = await Promise.all([measureMs(() => failure), measureMs(() => captureOf("/box"))]);
    expect(await failure).toMatchObject({ code: "CAPTURE_TIMEOUT" });
    expect(took).toBeLessThan(1_000 + scaleLimitByLoad(1_000, control));
  });

  test("because the page uses too much memory is not retried", async () => {
    const launches: number[] = [];
    expect(
      await failed(
        "/memory-bomb",
        { delay: 15 },
        { limits: { memory_megabytes: 600 }, assertsCleanup: true, launched: killedDuring(0, launches) },
      ),
    ).toMatchObject({
      code: "TARGET_TOO_LARGE",
      details: { limit: ["memory_megabytes"] },
      figures: { allows: 600 },
    });
    expect(launches).toEqual([1]);
  }, 30_000);
});
