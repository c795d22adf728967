// Virtual documents: the caller's HTML at a base URL.
import { afterEach, describe, expect, test } from "vitest";
import { setCookies } from "../../../lib/engine/emulation/cookies.ts";
import { sendTargetHeaders } from "../../../lib/engine/emulation/request-headers.ts";
import { openVirtualDocument } from "../../../lib/engine/inputs/virtual-document.ts";
import type { CapturedPage } from "../../../lib/engine/page/captured-page.ts";
import { intercept } from "../../../lib/engine/page/interception.ts";
import { trackPage } from "../../../lib/engine/page/page-activity.ts";
import { createBudget } from "../../../lib/engine/timing/budget.ts";
import { failureOf } from "../../support/chromium.ts";
import { sampled } from "../../support/slow-run.ts";
import { startTwoOrigins, type TwoOrigins } from "../../support/two-origins.ts";

const toClose: TwoOrigins[] = [];
afterEach(() => Promise.all(toClose.splice(0).map((origins) => origins.close())));

/** Origins, and a page that is being captured. */
async function aCapture(pages: Readonly<Record<string, string>> = {}) {
  const origins = await startTwoOrigins(pages);
  toClose.push(origins);
  const { session } = origins;
  const activity = await trackPage(session);
  const budget = createBudget(performance.now(), 20);
  const capturing = {
    session,
    activity,
    budget,
    now: () => performance.now(),
    warnings: [] as string[],
  } as unknown as CapturedPage;
  const loaded = () => activity.until(() => activity.document.loaded, 10_000);
  const requested = () => origins.requests.map((request) => request.requested).sort();
  const open = async (html: string, address: string) => {
    await openVirtualDocument(capturing, html, address);
    expect(await loaded()).toBe(true);
  };
  return { ...origins, activity, capturing, open, requested };
}

describe("virtual document: HTML at a base URL", () => {
  test("is the document there, without a request for it", async () => {
    const { open, activity, target, requested, page } = await aCapture();

    await open("<!doctype html><title>Grüße 日本</title><p>x", `${target}/folder/page?q=1#part`);

    expect(await page.evaluate("[document.title, location.href, document.compatMode]")).toEqual([
      "Grüße 日本",
      `${target}/folder/page?q=1#part`,
      "CSS1Compat",
    ]);
    expect(activity.document).toMatchObject({ url: `${target}/folder/page?q=1#part`, parsed: true });
    expect(activity.document.response?.status).toBe(200);
    expect(requested()).toEqual([]);
  });

  test("resolves relative URLs, those of frames included", async () => {
    const { open, target, requested } = await aCapture();
    const html = `<link rel="stylesheet" href="a.css"><img src="../b.png"><iframe src="/frame"></iframe>`;

    await open(html, `${target}/folder/page`);

    expect(requested()).toEqual(["target.test /b.png", "target.test /folder/a.css", "target.test /frame"]);
  });

  test("may read its own origin and no other", async () => {
    const { open, target, other, requests, page } = await aCapture();
    await open("<p>x", `${target}/page`);

    const read = await page.evaluate(`fetch("/data", { headers: { "x-own": "1" } }).then((r) => r.text())`);
    await page.evaluate(`fetch("${other}/data")`);

    expect(read).toBe("ok");
    expect(requests.map(({ requested, headers }) => [requested, headers.origin])).toEqual([
      ["target.test /data", undefined],
      ["other.test /data", target],
    ]);
  });

  test("has the cookies of its URL", async () => {
    const { open, session, target, requests, page } = await aCapture();
    await setCookies(session.cdp, [{ name: "given", value: "1" }], target);

    await open(`<script>document.cookie = "own=2"</script>`, `${target}/`);
    await page.evaluate(`fetch("/data")`);

    expect(requests.map(({ headers }) => headers.cookie)).toEqual(["given=1; own=2"]);
  });

  test("is a secure context where its URL is", async () => {
    const { open, page } = await aCapture();
    await open("<p>x", "https://unregistered.test/");
    expect(await page.evaluate("[isSecureContext, location.origin]")).toEqual([true, "https://unregistered.test"]);
  });

  test("exists once: the page's next document comes from the network", async () => {
    const { open, target, requested, page } = await aCapture({ "/page": "<title>from the network</title>" });
    await open("<title>given</title>", `${target}/page`);

    await page.reload();

    expect(await page.title()).toBe("from the network");
    expect(requested()).toEqual(["target.test /page"]);
  });

  test("navigates as any page does", async () => {
    const { capturing, activity, target, other, requested, page } = await aCapture({ "/next": "<title>next</title>" });
    const html = `<script>location.href = "${other}/next"</script>`;

    await openVirtualDocument(capturing, html, `${target}/page`);

    expect(
      await activity.until(() => activity.document.url === `${other}/next` && activity.document.loaded, 10_000),
    ).toBe(true);
    expect(await page.title()).toBe("next");
    expect(requested()).toEqual(["other.test /next"]);
  });

  test("may be 4 MB", async () => {
    const { open, target, page } = await aCapture();
    const text = "ä".repeat(2 ** 21);
    await open(`<title>x</title><template>${text}</template><script>title = 1</script>`, `${target}/`);
    expect(await page.evaluate("document.querySelector('template').innerHTML.length")).toBe(text.length);
  });

  test("at a private address is shown, and its requests there are refused", async () => {
    const { open, target, requests, page } = await aCapture();
    const port = Number(new URL(target).port) - 1;
    const html = `<body><img src="/a.png" onerror="document.title = 'refused'">`;

    await open(html, `http://127.0.0.1:${port}/`);

    expect(await page.title()).toBe("refused");
    expect(requests).toEqual([]);
  });

  sampled(test, 4).each([
    ["file:///etc/"],
    ["about:blank"],
    ["data:text/html,x"],
    ["javascript:alert(1)"],
    ["ftp://target.test/"],
  ])("is refused at %s, which is not http or https", async (address) => {
    const { capturing } = await aCapture();
    expect(await failureOf(openVirtualDocument(capturing, "<p>x", address))).toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
  });
});

describe("virtual document: with other interceptors", () => {
  test("the caller's headers go with the subresources, and later with the document", async () => {
    const { open, session, target, requests, page } = await aCapture();
    await sendTargetHeaders(session.cdp, { origin: target, headers: [{ name: "X-Caller", value: "me" }] });

    await open(`<img src="/a.png">`, `${target}/page`);
    await page.reload();

    expect(requests.map(({ requested, headers }) => `${requested} ${headers["x-caller"]}`)).toEqual([
      "target.test /a.png me",
      "target.test /page me",
    ]);
  });

  test("a block is final, headers add up, and the last one of a name counts", async () => {
    const { session, target, requests, page } = await aCapture();
    const patterns = [{ urlPattern: "*" }];
    const set = (name: string, value: string) => () => ({ headers: [{ name, value }] });
    await intercept(session.cdp, { patterns, intervene: set("x-one", "1") });
    await intercept(session.cdp, { patterns, intervene: set("X-Two", "no") });
    await intercept(session.cdp, { patterns, intervene: set("x-two", "2") });
    await intercept(session.cdp, {
      patterns,
      intervene: ({ request }) => (request.url.endsWith("/blocked") ? { blocked: true } : undefined),
    });

    await expect(page.goto(`${target}/blocked`)).rejects.toThrow("net::ERR_BLOCKED_BY_CLIENT");
    await page.goto(`${target}/open`);

    expect(requests.map(({ requested, headers }) => [requested, headers["x-one"], headers["x-two"]])).toEqual([
      ["target.test /open", "1", "2"],
    ]);
  });
});
