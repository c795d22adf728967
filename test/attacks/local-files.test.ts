// Local file inclusion: a customer's HTML cannot read files of the machine.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { captureWith } from "../support/chromium.ts";
import { decode } from "../support/png.ts";
import { leaving } from "../support/site-pages/ways-out.ts";
import { GREEN } from "../support/site-pages.ts";

const captureOf = (options: Readonly<Record<string, unknown>>) => captureWith({ timeout: 10, ...options });

describe.concurrent("local files: HTML cannot read a file", () => {
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

  test.each(Object.keys(leaving))("by navigating to it %s", async (how) => {
    const outcome = await captureOf({ html: leaving[how]?.(secret) }).then(
      async ({ body }) => (await decode(body)).colourAt(100, 100).join(),
      (error) => error.code,
    );
    expect(outcome).not.toBe(GREEN.join());
  });
});
