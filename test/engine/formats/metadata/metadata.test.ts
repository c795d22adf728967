// Metadata of a captured page: title, Open Graph, icon, fonts, links, console, requests, HTTP response, content.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chooseIcon } from "../../../../lib/engine/formats/metadata/choose-icon.ts";
import { readMetadata, type WantedMetadata } from "../../../../lib/engine/formats/metadata/metadata.ts";
import { type PageRecord, recordPage } from "../../../../lib/engine/page/page-record.ts";
import { type OpenPage, openPage } from "../../../support/open-page.ts";
import { sampled } from "../../../support/slow-run.ts";

const nothing: WantedMetadata = {
  pageTitle: false,
  openGraph: false,
  icon: false,
  fonts: false,
  links: false,
  console: false,
  requests: false,
  statusCode: false,
  responseHeaders: false,
  shadowDom: false,
};

const read = ({ capturing }: OpenPage, wanted: Partial<WantedMetadata>, record?: PageRecord) =>
  readMetadata(capturing, { ...nothing, ...wanted }, record);

const html = (content: string) => `<!doctype html>${content}`;

test("metadata: holds only what was requested, and says where there is none", async () => {
  await using page = await openPage(html("<body></body>"));
  expect(await read(page, {})).toEqual({});
  expect(await read(page, { pageTitle: true })).toEqual({ page_title: null });
  expect(await read(page, { openGraph: true })).toEqual({ open_graph: {} });
  expect(await read(page, { fonts: true })).toEqual({ fonts: [] });
  expect(page.capturing.warnings).toEqual([]);
});

describe("metadata: the title", () => {
  test("is the document's, even when elements of the page shadow it", async () => {
    await using page = await openPage(
      html('<title> The   title </title><img name="title"><img name="documentElement">'),
    );
    expect(await read(page, { pageTitle: true })).toEqual({ page_title: "The title" });
  });

  test("is cut when it is long, without splitting characters", async () => {
    await using page = await openPage(html("<script>document.title = 'a\\ud83d' + 'x'.repeat(1e7)</script>"));
    expect(await read(page, { pageTitle: true })).toEqual({ page_title: `a\ufffd${"x".repeat(998)}` });
  });
});

describe("metadata: Open Graph", () => {
  test("has no prefix, and repeated properties are lists", async () => {
    await using page = await openPage(
      html(`<meta property="og:title" content="T"><meta property="og:image" content="https://u:p@a.test/1.png">
        <meta property="og:image" content="/2.png"><meta property="OG:image:width" content="5"><meta name="og:type" content="article">
        <meta property="twitter:card" content="no"><meta property="og:__proto__" content="odd"><meta property="og:" content="empty">`),
    );
    const { open_graph } = await read(page, { openGraph: true });
    expect(Object.entries(open_graph ?? {})).toEqual([
      ["title", "T"],
      ["image", ["https://a.test/1.png", "/2.png"]],
      ["image:width", "5"],
      ["type", "article"],
      ["__proto__", "odd"],
    ]);
  });
});

describe("metadata: the icon", () => {
  const icon = (url: string, { isTouchIcon = false, type = "", sizes = "" } = {}) => ({
    url,
    isTouchIcon,
    type,
    sizes,
  });

  test.each([
    ["a drawing before a picture", [icon("a.svg"), icon("b.png", { sizes: "512x512" })], "a.svg"],
    ["a drawing by its type", [icon("a", { type: "image/svg+xml" }), icon("b.png", { sizes: "512x512" })], "a"],
    [
      "the largest picture",
      [icon("a", { sizes: "16x16" }), icon("b", { sizes: "32x32 64x64" }), icon("c", { sizes: "48x48" })],
      "b",
    ],
    [
      "a named size before `any` of what is no drawing",
      [icon("a", { sizes: "32x32" }), icon("b.ico", { sizes: "any" })],
      "a",
    ],
    ["an icon before one for home screens", [icon("a"), icon("b", { isTouchIcon: true, sizes: "180x180" })], "a"],
    ["one for home screens if there is no other", [icon("b", { isTouchIcon: true })], "b"],
    ["the later of two alike", [icon("a"), icon("b")], "b"],
  ])("is %s", (_, icons, best) => {
    expect(chooseIcon(icons)).toBe(best);
  });

  test("has an absolute URL, and is chosen after redirects and a base element", async () => {
    await using page = await openPage(
      html(
        '<base href="/deep/"><link rel="shortcut icon" href="i.png"><link rel="icon" href="print.svg" media="print">',
      ),
    );
    expect(await read(page, { icon: true })).toEqual({ icon: `${page.origin}/deep/i.png` });
  });

  test.each([
    ["the usual one, where the server has it", "image/x-icon", 200, "/favicon.ico"],
    ["null where the server answers with a page instead", "text/html", 200, null],
    ["null where the server has none", "image/x-icon", 404, null],
  ])("of a page without icon links is %s", async (_, type, status, path) => {
    await using page = await openPage(({ url }, answer) => {
      if (url === "/favicon.ico") return void answer.writeHead(status, { "content-type": type }).end("x");
      answer.setHeader("content-type", "text/html").end(html("<p>x"));
    });
    expect(await read(page, { icon: true })).toEqual({ icon: path && page.origin + path });
  });
});

const laoFont = readFileSync(
  join(
    import.meta.dirname,
    "../../../../node_modules/@fontsource/noto-sans-lao/files/noto-sans-lao-lao-400-normal.woff2",
  ),
);

test("metadata: fonts are those the text is rendered with, the most used first", async () => {
  await using page = await openPage(({ url }, answer) => {
    if (url === "/own.woff2") return void answer.end(laoFont);
    answer.setHeader("content-type", "text/html; charset=utf-8").end(
      html(`<style>@font-face { font-family: Own; src: url(own.woff2) } body { font-family: Own, Nowhere }</style>
        <form>ສະບາຍດີຊາວໂລກ<input name="parentElement"></form><p hidden style="font-family: monospace">hidden hidden hidden</p><p>four`),
    );
  });
  await (await page.capturing.session.page()).evaluate("document.fonts.ready.then(() => true)");
  expect(await read(page, { fonts: true })).toEqual({
    fonts: [
      { family: expect.stringContaining("Noto Sans Lao"), web_font: true },
      { family: expect.any(String), web_font: false },
    ],
  });
});

describe("metadata: links", () => {
  test("are absolute web URLs with the first non-empty text, each once", async () => {
    await using page = await openPage(
      html(`<a href="/a"><img src="x" alt="pictured"></a><a href="/b"></a><a href="/b"> two
        words </a><a href="/b">again</a><a href="mailto:x@y.test">mail</a><a href="javascript:0">run</a><a>none</a>
        <a href="https://u:p@other.test/c" aria-label="labelled"></a>`),
    );
    expect(await read(page, { links: true })).toEqual({
      links: [
        { url: `${page.origin}/a`, text: "pictured" },
        { url: `${page.origin}/b`, text: "two words" },
        { url: "https://other.test/c", text: "labelled" },
      ],
    });
  });

  test("include open shadow roots on request", async () => {
    await using page = await openPage(
      html(`<div></div><script>const inner = (host) => host.attachShadow({ mode: "open" });
        inner(document.querySelector("div")).innerHTML = "<a href=/one>1</a><p></p>";
        inner(document.querySelector("div").shadowRoot.querySelector("p")).innerHTML = "<a href=/two>2</a>"</script>`),
    );
    expect(await read(page, { links: true })).toEqual({ links: [] });
    const { links = [] } = await read(page, { links: true, shadowDom: true });
    expect(links.map(({ url }) => url)).toEqual([`${page.origin}/one`, `${page.origin}/two`]);
  });

  test("are cut at a limit, with a warning that says how many there are", async () => {
    await using page = await openPage(
      html(
        `<body><script>document.body.innerHTML = Array.from({ length: 2500 }, (_, n) => "<a href=/" + n + ">x</a>").join("")</script>`,
      ),
    );
    const { links = [] } = await read(page, { links: true });
    expect(links).toHaveLength(2_000);
    expect(page.capturing.warnings).toEqual(["The page has 2500 links; the first 2000 are listed."]);
  });
});

/** Opens a page with a record of it, and waits until the page says that it is done. */
async function recorded(content: string, serve: Parameters<typeof openPage>[0] = html(content), path = "/") {
  let record: PageRecord | undefined;
  const page = await openPage(serve, {
    path,
    opening: async (session) => {
      record = await recordPage(session, { console: true, requests: true });
    },
  });
  return Object.assign(page, { record: record as PageRecord | undefined });
}

describe("metadata: the console", () => {
  test("is formatted as in DevTools", async () => {
    await using page = await recorded(`<script>
      console.log("%cnumber %d of %s", "color: red", 1.7, "many", { a: "x", b: [1] }, [1, "y"], null, undefined, -0);
      console.warn(new Map([[1, 2]]), new (class Point { x = 1 })());
      throw new TypeError("broken");
    </script>`);
    const { console: entries = [] } = await read(page, { console: true }, page.record);
    expect(entries.map(({ type, text, url }) => [type, text, url])).toEqual([
      ["log", 'number 1 of many {a: "x", b: Array(1)} [1, "y"] null undefined -0', `${page.origin}/`],
      ["warn", "Map(1) Point {x: 1}", `${page.origin}/`],
      ["exception", "TypeError: broken", null],
    ]);
  });

  test("is cut at a number of messages and at a length per message", async () => {
    await using page = await recorded(`<script>for (let n = 0; n < 600; n++) console.log("x".repeat(3000))</script>`);
    const { console: entries = [] } = await read(page, { console: true }, page.record);
    expect([entries.length, entries[0]?.text.length]).toEqual([500, 2_000]);
    expect(page.capturing.warnings).toEqual(["The page wrote 600 messages to its console; the first 500 are listed."]);
  });
});

test("metadata: requests are counted and listed, including redirects and failures, without those that cause no network traffic", async () => {
  await using page = await recorded(
    "",
    ({ url }, answer) => {
      if (url === "/go") return void answer.writeHead(302, { location: "/page" }).end();
      if (url === "/reset.js") return void answer.destroy();
      if (url !== "/page") return void answer.writeHead(404).end("none");
      answer
        .setHeader("content-type", "text/html")
        .end(
          html(
            '<title>t</title><script src="/reset.js"></script><img src="/gone.png"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
          ),
        );
    },
    "/go",
  );
  const { requests } = await read(page, { requests: true }, page.record);
  expect(requests).toMatchObject({ count: 4, failed: 1, by_type: { document: 2, script: 1, image: 1 } });
  expect(
    requests?.list.map(({ url, status_code, failed }) => [url.slice(page.origin.length), status_code, failed]),
  ).toEqual([
    ["/go", 302, null],
    ["/page", 200, null],
    ["/reset.js", null, "net::ERR_CONNECTION_FAILED"],
    ["/gone.png", 404, null],
  ]);
  expect(requests?.bytes).toBeGreaterThan(200);
});

describe("metadata: the HTTP response", () => {
  test("has its status, its headers and its redirects", async () => {
    await using page = await openPage(
      ({ url }, answer) => {
        if (url === "/one") return void answer.writeHead(301, { location: "/two" }).end();
        if (url === "/two") return void answer.writeHead(302, { location: "/three" }).end();
        answer.writeHead(200, { "Content-Type": "text/html", "Set-Cookie": ["a=1", "b=2"], "X-Kind": ["p", "q"] });
        answer.end(html("<p>x"));
      },
      { path: "/one" },
    );
    const { http_response } = await read(page, { statusCode: true, responseHeaders: true });
    expect(http_response).toMatchObject({
      status_code: 200,
      headers: { "content-type": "text/html", "set-cookie": ["a=1", "b=2"], "x-kind": "p, q" },
      final_url: `${page.origin}/three`,
      redirects: [
        { url: `${page.origin}/one`, status_code: 301 },
        { url: `${page.origin}/two`, status_code: 302 },
      ],
    });
  });

  test("comes without headers when only its status is requested", async () => {
    await using page = await openPage((_, answer) =>
      answer.writeHead(404, { "content-type": "text/html" }).end("gone"),
    );
    expect(await read(page, { statusCode: true })).toEqual({
      http_response: { status_code: 404, final_url: `${page.origin}/`, redirects: [] },
    });
  });
});

sampled(test, 6).each([
  ["html", "<!DOCTYPE html>\n<html><head></head><body><h1>Head</h1></body></html>"],
  ["text", "Head"],
  ["markdown", "# Head\n"],
] as const)("metadata: the content is available as %s", async (format, content) => {
  await using page = await openPage(html("<h1>Head</h1>"));
  expect(await read(page, { content: { format } })).toEqual({ content });
});

test("metadata: everything is available for a page with JavaScript disabled", async () => {
  await using page = await openPage(html("<title>t</title><a href=/a>a</a>"), {
    opening: async ({ cdp }) => {
      await cdp.send("Emulation.setScriptExecutionDisabled", { value: true });
    },
  });
  expect(await read(page, { pageTitle: true, links: true, content: { format: "text" } })).toEqual({
    page_title: "t",
    links: [{ url: `${page.origin}/a`, text: "a" }],
    content: "a",
  });
});
