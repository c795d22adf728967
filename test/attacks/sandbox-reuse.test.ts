// Sandbox reuse: two captures of different customers in one process; the second sees nothing of the first.
import { hash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildBlockingLayer } from "../../layers/blocking/build.ts";
import { purposes } from "../../lib/contract/options/filter-purposes.ts";
import { createFilterLists } from "../../lib/engine/adblock/filter-lists.ts";
import { htmlToMarkdown } from "../../lib/engine/formats/document/html-to-markdown.ts";
import { renderMarkdown } from "../../lib/engine/inputs/markdown.ts";
import { type Site, startSite } from "../fixtures/site.ts";
import { askedFrom, traces } from "../fixtures/site-pages/traces.ts";
import { seenIn } from "../fixtures/site-pages/visitor.ts";
import { captureWith, chromiumFiles, failureOf } from "../support/chromium.ts";
import { slowTest } from "../support/slow-run.ts";

const usualFolder = process.env["TMPDIR"];
let site: Site;
let folder: string;
beforeAll(async () => {
  await chromiumFiles(); // they stay where all tests look for them
  folder = mkdtempSync(join(tmpdir(), "sandbox-reuse-"));
  process.env["TMPDIR"] = folder;
  site = await startSite();
});
afterAll(async () => {
  if (usualFolder === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = usualFolder;
  rmSync(folder, { recursive: true, force: true });
  await site.close();
});

const lists = createFilterLists(join(buildBlockingLayer(), "blocking"));

const captureOf = (options: Readonly<Record<string, unknown>>, allow: readonly string[] = []) =>
  captureWith({ timeout: 20, ...options }, { allow: [site.hostPort, ...allow], lists, assertsCleanup: true });
const textOf = async (options: Readonly<Record<string, unknown>>) =>
  String((await captureOf({ ...options, format: "text" })).body);

describe("sandbox reuse: what a page stores in its browser", () => {
  const MARK = "left-by-the-first";
  let own: Readonly<Record<string, string>>;
  let next: Readonly<Record<string, string>>;
  let ports: { readonly own: readonly number[]; readonly next: readonly number[] };
  beforeAll(async () => {
    const found = async (path: string) =>
      JSON.parse(await textOf({ url: site.origin + path, wait_for_selector: "#found" }));
    own = await found(`/traces/leave?mark=${MARK}`);
    const before = askedFrom.length;
    next = await found("/traces/find");
    const portsOf = (requested: typeof askedFrom) => requested.map(({ port }) => port);
    ports = { own: portsOf(askedFrom.slice(0, before)), next: portsOf(askedFrom.slice(before)) };
  });

  test.each(Object.keys(traces))("is found by itself and not by the next page: %s", (name) => {
    expect([own[name]?.includes(MARK), next[name]?.includes(MARK)], `${own[name]} / ${next[name]}`).toEqual([
      true,
      false,
    ]);
  });

  test("leaves no open connection", () => {
    expect([ports.own.length, ports.next.length]).toEqual([1, 1]);
    expect(ports.next).not.toEqual(ports.own);
  });

  test("leaves no file in the temporary folder", () => {
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("sandbox reuse: options", () => {
  const visit = async (options: Readonly<Record<string, unknown>> = {}, allow: readonly string[] = []) => {
    const first = site.requests.length;
    const scripts = [`await fetch("/asked").catch(() => 0)`, options["scripts"] ?? ""].join(";");
    const small = { viewport_width: 400, viewport_height: 300 };
    const { body } = await captureOf({ url: `${site.origin}/echo-page`, ...small, ...options, scripts }, allow);
    const requests = site.requests.slice(first);
    const { "user-agent": _, host: __, ...headers } = requests.find(({ path }) => path === "/echo-page")?.headers ?? {};
    const asked = requests.filter(({ path }) => path === "/asked").length;
    return { body, headers, seen: seenIn(requests), asked };
  };

  test("apply to their own capture only", async () => {
    const proxy = await startProxy();
    const before = await visit();
    const theirs = {
      headers: { "X-Own": "theirs" },
      cookies: "own=theirs",
      authorization: "Bearer theirs",
      user_agent: "Theirs/1.0",
      locale: "ja-JP",
      time_zone: "Asia/Tokyo",
      geolocation_latitude: 35.6,
      geolocation_longitude: 139.7,
      viewport_device: "iphone_15_pro",
      device_scale_factor: 1.5,
      dark_mode: true,
      reduced_motion: true,
      media_type: "print",
      styles: "body { background: rgb(1, 2, 3) !important }",
      scripts: "localStorage.theirs = document.cookie = 'script=theirs; max-age=999'",
      proxy: proxy.url,
      block_requests: "*/asked*",
      block_ads: true,
      block_cookie_banners: true,
    };
    const own = await visit(theirs, [proxy.hostPort]);
    expect(proxy.targets()).toContain(`${site.origin}/echo-page`);
    const viaProxy = proxy.targets().length;
    const after = await visit();
    await proxy.close();
    const facts = ["body", "headers", "seen", "asked"] as const;
    const changed = (visited: typeof before) => facts.filter((fact) => !isEqual(visited[fact], before[fact]));
    expect([changed(own), changed(after)]).toEqual([facts, []]);
    expect([before.asked, own.asked]).toEqual([1, 0]);
    expect(proxy.targets()).toHaveLength(viaProxy);
  });

  slowTest("sign in no other page", async () => {
    const url = `${site.origin}/basic-auth`;
    await captureOf({ url, http_auth_username: "ann", http_auth_password: "secret word" });
    expect(await failureOf(captureOf({ url }))).toMatchObject({ target: { http_status_code: 401 } });
  });
});

describe("sandbox reuse: a host name", () => {
  /** Captures at the address that a name has now. */
  const captureAt = async (address: string, port: number) => {
    const surroundings = {
      allow: [`127.0.0.1:${port}`, `127.0.0.2:${port}`],
      resolve: async () => [address],
      assertsCleanup: true,
    };
    const { body } = await captureWith({ url: `http://moving.test:${port}/`, format: "text" }, surroundings);
    return String(body).trim();
  };

  test("is resolved again for the next capture, whether it was rejected or led elsewhere", async () => {
    const server = createServer(({ socket }, answer) => answer.end(socket.localAddress)).listen(0, "0.0.0.0");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(await captureAt("127.0.0.1", port)).toBe("127.0.0.1");
    expect(await failureOf(captureAt("10.0.0.1", port))).toMatchObject({ code: "URL_NOT_ALLOWED" });
    expect(await captureAt("127.0.0.2", port)).toBe("127.0.0.2");
    server.close();
    server.closeAllConnections();
  });
});

describe("sandbox reuse: no capture changes what captures share in one process:", () => {
  /** Full of what lists look for, by its names, its addresses and its exceptions. */
  const littered = () => `<style>.own-ad { display: block }</style>
    <div id="ad-banner" class="ad-box adsbygoogle own-ad">ad</div><div id="cookie-banner" class="cc-window">cookies</div>
    <a href="https://ads.example/click">x</a><img src="${site.origin}/ads/banner-300x250.gif">
    <script src="${site.origin}/analytics.js?utm_source=__proto__"></script>`;
  const blocking = Object.fromEntries(
    ["ads", "trackers", "cookie_banners", "socials", "chats", "annoyances"].map((what) => [`block_${what}`, true]),
  );

  test("the filter lists and the rules for consent banners", async () => {
    const state = async () => ({
      engines: await Promise.all(
        purposes.map(async (purpose) => hash("sha256", (await lists.engine(purpose)).serialize())),
      ),
      consent: JSON.stringify(await lists.consent()),
    });
    const before = await state();
    const blocked = await textOf({ html: littered(), ...blocking });
    const unblocked = await textOf({ html: littered() });
    expect([blocked.includes("cookies"), unblocked.includes("cookies")]).toEqual([false, true]);
    expect(isEqual(await state(), before)).toBe(true);
  });

  test("the Markdown renderer", async () => {
    const plain = "# One\n\nA note.[^1] [link] :smile: $x^2$\n\n[^1]: Mine\n\n```js\nlet a = 1;\n```\n";
    const loud = `${plain}\n$\\gdef\\x{theirs} \\nope$\n\n[link]: https://example.com/theirs\n\n# One\n\n<a id="one"></a>\n\n[^1]: Theirs\n`;
    const before = await renderMarkdown(plain);
    expect((await renderMarkdown(loud)).html).toContain("theirs");
    expect(await renderMarkdown(plain)).toEqual(before);
  });

  test("the HTML-to-Markdown converter", async () => {
    const plain = "<h1>One</h1><p>Text<sup><a href='#1'>1</a></sup></p><table><tr><td>a</td></tr></table>";
    const markdownOf = (html: string) => htmlToMarkdown(html, { baseUrl: site.origin, timeoutMs: 20_000 });
    const before = await markdownOf(plain);
    await markdownOf(`${plain}<b><i><div><pre>${"<table>".repeat(50)}<tt>${plain}`);
    expect(await markdownOf(plain)).toBe(before);
  });

  test("JavaScript's built-ins", async () => {
    const prototypes = [Object, Array, String, Function, Map, Promise, RegExp].map(({ prototype }) => prototype);
    const state = () => prototypes.map((each) => JSON.stringify(Object.getOwnPropertyNames(each)));
    const before = state();
    const html = `<title>__proto__</title><meta name="__proto__" content='{"polluted":1}'>
      <meta property="constructor.prototype.polluted" content="1"><a id="__proto__" name="constructor">x</a>
      <script>Object.prototype.polluted = Array.prototype.polluted = String.prototype.polluted = 1;
        Array.prototype.toJSON = () => ({ ["__proto__"]: { polluted: 1 } });</script>`;
    const headers = JSON.parse('{"__proto__":"polluted","constructor":"polluted"}');
    const metadata = { metadata_page_title: true, metadata_open_graph: true, metadata_content: true };
    const requested = { html, base_url: site.origin, headers, ...metadata, metadata_content_format: "markdown" };
    await captureOf({ ...requested, ...blocking, format: "json" });
    expect(state()).toEqual(before);
  });
});

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A proxy for plain http on loopback that hands on what it is requested. */
async function startProxy() {
  const targets: string[] = [];
  const server = createServer(async ({ url = "", headers }, answer) => {
    targets.push(url);
    const sent = Object.entries(headers).filter(([name]) => !["host", "connection"].includes(name));
    const response = await fetch(url, { headers: sent.map(([name, value]) => [name, String(value)]) });
    answer.setHeader("content-type", response.headers.get("content-type") ?? "text/plain");
    answer.end(Buffer.from(await response.arrayBuffer()));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    hostPort: `127.0.0.1:${port}`,
    targets: () => targets,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
