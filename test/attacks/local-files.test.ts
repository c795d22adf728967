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
import { slowTest } from "../support/slow-run.ts";

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

  const SIZE = 50;
  const window = { viewport_width: 400, viewport_height: 150 };

  /** Whether a page is green at these places, where the file would be; undefined where there is no image. */
  const shown = (html: string, places: readonly number[] = [0]) =>
    captureWith({ html, timeout: 10, ...window }, { allow: [new URL(served).host] }).then(
      async ({ body }) => {
        const image = await decode(body);
        return places.map((x) => String(image.colourAt(x + SIZE / 2, SIZE / 2)) === String(GREEN));
      },
      () => undefined,
    );

  /** By name, HTML that shows a file in the element `id`, or is such an element. */
  const ways: Readonly<Record<string, (file: string, id: string) => string>> = {
    "an iframe": (file) => `<iframe src="${file}" style="border:0"></iframe>`,
    "an image": (file) => `<img src="${file}">`,
    "an object": (file) => `<object data="${file}"></object>`,
    "an embed": (file) => `<embed src="${file}">`,
    "a CSS url()": (file) => `<div style="background:url('${file}')"></div>`,
    fetch: (file, id) =>
      `<div id="${id}"></div><script>fetch("${file}").then((answer) => answer.text()).then((svg) => { ${id}.innerHTML = svg })</script>`,
    XMLHttpRequest: (file, id) =>
      `<div id="${id}"></div><script>{ const xhr = new XMLHttpRequest(); xhr.onload = () => { ${id}.innerHTML = xhr.responseText }; xhr.open("GET", "${file}"); xhr.send() }</script>`,
    "a base address": (file) => `<base href="${new URL(".", file)}"><img src="secret.svg">`,
  };

  test("by any element, style or script, which all show the same file when a server sends it", async () => {
    const style = `<style>body { margin: 0 } section > * { position: absolute; top: 0; width: ${SIZE}px; height: ${SIZE}px; overflow: hidden }</style>`;
    const section = (html: string, index: number) =>
      `<section style="position:absolute;top:0;left:${index * SIZE}px">${html}</section>`;
    // A page without a text would be waited for until it shows something.
    const page = (file: string) =>
      `<!doctype html>${style}<p style="position:absolute;top:100px">Text</p>${Object.values(ways)
        .map((way, index) => section(way(file, `at${index}`), index))
        .join("")}`;
    const names = Object.keys(ways);
    const greenIn = async (file: string) => {
      const isGreen = await shown(
        page(file),
        names.map((_, index) => index * SIZE),
      );
      return names.filter((_, index) => isGreen?.[index]);
    };
    expect(await greenIn(served)).toEqual(names);
    expect(await greenIn(secret)).toEqual([]);
  });

  slowTest.each(Object.entries(leaving).toReversed())("by navigating to it %s", async (_, leave) => {
    expect(await shown(leave(served))).toEqual([true]);
    expect(await shown(leave(secret))).not.toEqual([true]);
  });
});
