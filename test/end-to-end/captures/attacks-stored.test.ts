// A hostile captured page in a browser that opens its result: it runs nothing on the origin of the service.
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type BrowserSession, launchBrowser } from "../../../lib/engine/browser/browser.ts";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { chromiumFiles, testLimits } from "../../support/chromium.ts";
import { type Client, openClient } from "../../support/client.ts";
import { sampled } from "../../support/slow-run.ts";

const { baseUrl, site } = inject("service");
const small = { viewport_width: "100", viewport_height: "100" };

let client: Client;
beforeAll(async () => {
  client = await openClient();
});

const stored = async (options: Record<string, string>) =>
  (await client.capture({ ...small, response_type: "json", ...options })).json();

describe("stored results: a hostile captured page", () => {
  /** Says where it ran, and leads on to a site that would like to know where its visitors come from. */
  const run = "if (location.protocol === 'http:') document.title = 'ran at ' + location.origin";
  const hostile = `<script>${run}</script><img src="/no-picture" onerror="${run}">
    <a id="on" href="${site}/echo" ping="${site}/ping" referrerpolicy="unsafe-url">on</a>`;
  const source = hostile.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  /** Scripts that are written so run when the document is read again. */
  const html = `<title>calm</title><body><script>
    addEventListener("load", () => document.body.innerHTML = ${JSON.stringify(hostile).replaceAll("<", "\\u003c")})
  </script><pre>${source}</pre>`;
  const asText = `<title>calm</title><pre>${source}</pre>`;

  let session: BrowserSession;
  let page: Page;
  beforeAll(async () => {
    const hosts = [baseUrl, site].map((address) => new URL(address).host);
    const files = await chromiumFiles();
    session = await launchBrowser({ files, allowed: parseAllowedOrigins(hosts.join()), limits: testLimits });
    page = await session.page();
  });
  afterAll(() => session.close());

  /** What a browser makes of an address: the title and origin of the document, or that it is none. */
  const opened = async (address: string) => {
    await page.goto("about:blank");
    try {
      await page.goto(address, { waitUntil: "load" });
    } catch (error) {
      if (String(error).includes("ERR_ABORTED")) return "saved";
      throw error;
    }
    return page.evaluate(() => `${document.title} of ${origin}`);
  };
  const direct = (options: Record<string, string>) =>
    `${baseUrl}/api/v1/screenshot?${new URLSearchParams({ ...small, access_key: client.key, ...options })}`;

  test("would run wherever it is served as HTML", async () => {
    await page.goto(`${site}/box`);
    await page.setContent(await (await client.capture({ html, format: "html" })).text());
    expect(await page.title()).toBe(`ran at ${site}`);
  });

  test("is served by this service without scripts and with an opaque origin", async () => {
    expect(await opened(direct({ html, format: "html" }))).toBe("calm of null");
  });

  test("sends no Referer with its URL or key to other sites", async () => {
    await opened(direct({ html, format: "html" }));
    const requested: string[] = [];
    page.on("response", (answer) => requested.push(answer.url()));
    await Promise.all([page.waitForNavigation(), page.click("#on")]);
    page.removeAllListeners("response");
    expect([requested, JSON.stringify(await page.evaluate("headers"))]).toEqual([
      [`${site}/echo`],
      expect.not.stringContaining(baseUrl),
    ]);
  });

  sampled(test, 6).each(["text", "markdown", "json"])(
    "is only text as %s, with an opaque origin everywhere",
    async (format) => {
      const requested = { html: asText, format };
      expect(await opened(direct(requested))).toMatch(/^( of null|saved)$/);
      expect(await opened((await stored(requested)).url)).toMatch(/^( of null|saved)$/);
    },
  );

  sampled(test, 2).each(["html", "mhtml"])("is downloaded as %s from the bucket, not shown", async (format) => {
    expect(await opened((await stored({ html, format })).url)).toBe("saved");
  });

  test("stored results: a page of another site can fetch() a link, and read its bytes and headers", async () => {
    const { url, file_size_bytes } = await stored({ html: "x" });
    await page.goto(`${site}/box`);
    const read = (address: string, headers: Record<string, string>) =>
      page.evaluate(
        async (link, sent) => {
          const answer = await fetch(link, { headers: sent });
          return [(await answer.blob()).size, answer.headers.get("etag"), answer.headers.get("content-range")];
        },
        address,
        headers,
      );
    expect(await read(url, {})).toEqual([file_size_bytes, expect.stringMatching(/^"/), null]);
    const preflighted = { Range: "bytes=0-3", "If-None-Match": '"other"' };
    expect(await read(url, preflighted)).toEqual([4, expect.any(String), `bytes 0-3/${file_size_bytes}`]);
  });
});
