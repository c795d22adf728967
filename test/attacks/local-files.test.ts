// Local file inclusion: the customer's HTML cannot show one, by means that show the same file when a server sends it.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decode } from "../fixtures/png.ts";
import { leaving } from "../fixtures/site-pages/ways-out.ts";
import { GREEN } from "../fixtures/site-pages.ts";
import { captureWith } from "../support/chromium.ts";
import { sampled } from "../support/slow-run.ts";

describe.concurrent("local files: HTML cannot read a file", () => {
  let folder: string;
  let secret: string;
  let server: Server;
  /** The same file on a server that the page may reach: the positive control. */
  let served: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "secret-"));
    const green = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" fill="green"/></svg>`;
    writeFileSync(join(folder, "secret.svg"), green);
    secret = pathToFileURL(join(folder, "secret.svg")).href;
    const headers = { "content-type": "image/svg+xml", "access-control-allow-origin": "*" };
    server = createServer((_, response) => void response.writeHead(200, headers).end(green));
    await once(server.listen(0, "127.0.0.1"), "listening");
    served = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret.svg`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  /** The colour that a page shows where the file would be green, or the code of the capture's error. */
  const shown = (html: string) =>
    captureWith({ html, timeout: 10 }, { allow: [new URL(served).host] }).then(
      async ({ body }) => (await decode(body)).colourAt(100, 100),
      (error) => error.code,
    );

  sampled(test, 2).each([
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
    // A page without a text would be waited for until it shows something.
    const text = `<p style="position:absolute;top:500px">Text</p>`;
    const html = (file: string) => `<!doctype html><body style="margin:0">${read(file)}${text}`;
    expect(await shown(html(served))).toEqual(GREEN);
    expect(await shown(html(secret))).not.toEqual(GREEN);
  });

  sampled(test, 4).each(Object.entries(leaving))("by navigating to it %s", async (_, leave) => {
    expect(await shown(leave(served))).toEqual(GREEN);
    expect(await shown(leave(secret))).not.toEqual(GREEN);
  });
});
