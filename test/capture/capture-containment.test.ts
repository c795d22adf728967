import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { captureWith, failureOf } from "../support/chromium.ts";
import { decode } from "../support/png.ts";
import { type Site, startSite, startTrap, type Trap } from "../support/site.ts";
import { closedWays, leaving, reaching } from "../support/site-pages/ways-out.ts";
import { GREEN } from "../support/site-pages.ts";

let site: Site;
/** A server that nobody may reach. */
let internal: Trap;
beforeAll(async () => {
  [site, internal] = await Promise.all([startSite(), startTrap()]);
});
afterAll(() => Promise.all([site.close(), internal.close()]));
afterEach(() => {
  expect({ connections: internal.connections, datagrams: internal.datagrams }).toEqual({
    connections: 0,
    datagrams: 0,
  });
});

/** Every name leads to this machine. */
const resolve = async () => ["127.0.0.1", "::1"];

const captureOf = (options: Readonly<Record<string, unknown>>, allow: readonly string[] = []) =>
  captureWith({ timeout: 10, ...options }, { allow: [site.hostPort, ...allow], resolve });

const urlOf = (trap: Trap) => `http://127.0.0.1:${trap.port}/`;
const pageThat = (does: string, query: readonly (readonly [string, string])[]) =>
  `${site.origin}/${does}?${new URLSearchParams(query.map((pair) => [...pair]))}`;

const internalAddresses: [string, (port: number) => string][] = [
  ["loopback", (port) => `http://127.0.0.1:${port}/`],
  ["loopback with TLS", (port) => `https://127.0.0.1:${port}/`],
  ["instance metadata", () => "http://169.254.169.254/latest/meta-data/"],
  ["IPv6 loopback", (port) => `http://[::1]:${port}/`],
  ["IPv6 loopback with TLS", (port) => `https://[::1]:${port}/`],
  ["mapped loopback", (port) => `http://[::ffff:127.0.0.1]:${port}/`],
  ["hexadecimal", (port) => `http://0x7f000001:${port}/`],
  ["one number", (port) => `http://2130706433:${port}/`],
  ["octal", (port) => `http://0177.0.0.1:${port}/`],
  ["short", (port) => `http://127.1:${port}/`],
  ["zero", (port) => `http://0:${port}/`],
  ["a dot at the end", (port) => `http://127.0.0.1.:${port}/`],
  ["localhost", (port) => `http://localhost:${port}/`],
  ["a name", (port) => `http://internal.test:${port}/`],
  ["a name with TLS", (port) => `https://internal.test:${port}/`],
];

describe("an internal address is refused", () => {
  test.each([...internalAddresses, ["wide digits", (port: number) => `http://①②⑦.⓪.⓪.①:${port}/`] as const])(
    "when it is asked for: %s",
    async (_, address) => {
      const url = address(internal.port);
      expect(await failureOf(captureOf({ url }))).toMatchObject({
        code: "URL_NOT_ALLOWED",
        message: "This address is not allowed. Only public http and https addresses can be captured.",
        target: { http_status_code: null, net_error: null },
      });
    },
  );

  test.each(internalAddresses)("when a redirect leads to it: %s", async (_, address) => {
    const url = pageThat("redirect", [["to", address(internal.port)]]);
    expect(await failureOf(captureOf({ url }))).toMatchObject({ code: "URL_NOT_ALLOWED" });
  });

  test.each(Object.keys(leaving))("when a page leaves for it %s, which leads to an allowed one", async (how) => {
    const to = (trap: Trap) =>
      pageThat("leaves", [
        ["how", how],
        ["to", urlOf(trap)],
      ]);
    const open = await startTrap();
    const allowed = await captureOf({ url: to(open), delay: 0.3 }, [`127.0.0.1:${open.port}`]);
    expect(allowed).toMatchObject({ statusCode: 200, finalUrl: urlOf(open) });
    await open.close();
    expect(await failureOf(captureOf({ url: to(internal), delay: 0.3 }))).toMatchObject({
      code: "URL_NOT_ALLOWED",
      target: { final_url: urlOf(internal) },
    });
  });

  test("when HTML leaves for it", async () => {
    const html = leaving["by location"]?.(urlOf(internal));
    expect(await failureOf(captureOf({ html }))).toMatchObject({ code: "URL_NOT_ALLOWED" });
  });
});

describe("an address that is not of the web is refused", () => {
  const schemes: [string, () => string][] = [
    ["a file", () => "file:///etc/passwd"],
    ["the browser's own pages", () => "chrome://version"],
    ["its developer tools", () => "devtools://devtools/bundled/inspector.html"],
    ["source code", () => `view-source:${site.origin}/box`],
    ["about:", () => "about:blank"],
    ["a script", () => "javascript:alert(1)"],
    ["data", () => "data:text/html,hello"],
    ["a blob", () => `blob:${site.origin}/x`],
    ["a file system", () => `filesystem:${site.origin}/temporary/x`],
    ["FTP", () => `ftp://127.0.0.1:${internal.port}/`],
    ["a web socket", () => `ws://127.0.0.1:${internal.port}/`],
  ];

  test.each(schemes)("when it is asked for: %s", async (_, address) => {
    expect(await failureOf(captureOf({ url: address() }))).toMatchObject({
      code: "URL_NOT_ALLOWED",
      target: { http_status_code: null, net_error: null, final_url: address() },
    });
  });

  // Chromium has several words for it; none of them is a capture.
  test.each(schemes)("when a redirect leads to it: %s", async (_, address) => {
    const url = pageThat("redirect", [["to", address()]]);
    expect((await failureOf(captureOf({ url }))).code).toMatch(/^(URL_NOT_ALLOWED|TARGET_UNREACHABLE)$/);
  });
});

describe.concurrent("a page", () => {
  test.each(Object.keys(reaching))("reaches an allowed server and no internal one with %s", async (how) => {
    const open = await startTrap();
    const url = pageThat("reaches", [
      ["how", how],
      ["to", urlOf(open)],
      ["to", urlOf(internal)],
    ]);
    // The pause is for what nobody waits for, such as a beacon.
    await captureOf({ url, delay: 0.2 }, [`127.0.0.1:${open.port}`]);
    expect(open.connections).toBeGreaterThan(0);
    await open.close();
  });

  test.each(Object.keys(closedWays))("reaches no server at all, not even an allowed one, with %s", async (way) => {
    const open = await startTrap();
    await captureOf({ html: closedWays[way]?.(urlOf(open)), delay: 0.5 }, [`127.0.0.1:${open.port}`]);
    expect([open.connections, open.datagrams]).toEqual([0, 0]);
    await open.close();
  });

  test("that is refused an image shows it as broken and is captured", async () => {
    const html = `<body style="background:red"><img src="${urlOf(internal)}" onerror="document.body.style.background='green'">`;
    expect((await decode((await captureOf({ html })).body)).colourAt(200, 200)).toEqual(GREEN);
  });
});

describe("HTML cannot read a file", () => {
  let folder: string;
  let secret: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "secret-"));
    const green = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" fill="green"/></svg>`;
    writeFileSync(join(folder, "secret.svg"), green);
    secret = pathToFileURL(join(folder, "secret.svg")).href;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ["an iframe", (file: string) => `<iframe src="${file}" width="400" height="400" style="border:0"></iframe>`],
    ["an image", (file: string) => `<img src="${file}">`],
    ["an object", (file: string) => `<object data="${file}" width="400" height="400"></object>`],
    ["an embed", (file: string) => `<embed src="${file}" width="400" height="400">`],
    ["a CSS url()", (file: string) => `<div style="width:400px;height:400px;background:url('${file}')"></div>`],
    [
      "fetch",
      (file: string) =>
        `<script>fetch("${file}").then((answer) => answer.text()).then((svg) => { document.body.innerHTML = svg })</script>`,
    ],
    [
      "XMLHttpRequest",
      (file: string) =>
        `<script>const xhr = new XMLHttpRequest(); xhr.onload = () => { document.body.innerHTML = xhr.responseText }; xhr.open("GET", "${file}"); xhr.send()</script>`,
    ],
    ["a base address", (file: string) => `<base href="${new URL(".", file)}"><img src="secret.svg">`],
  ])("with %s", async (_, read) => {
    const html = (file: string) => `<!doctype html><body style="margin:0">${read(file)}`;
    const shown = async (file: string) =>
      (await decode((await captureOf({ html: html(file) })).body)).colourAt(100, 100).join();
    expect(await shown(secret)).not.toBe(GREEN.join());
  });

  test.each(Object.keys(leaving))("by going there %s", async (how) => {
    const outcome = await captureOf({ html: leaving[how]?.(secret) }).then(
      async ({ body }) => (await decode(body)).colourAt(100, 100).join(),
      (error) => error.code,
    );
    expect(outcome).not.toBe(GREEN.join());
  });
});
