// Embedded PDFs: headless Chromium paints an empty box for them, of which a warning informs the caller.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { captureWith } from "../../support/chromium.ts";
import { sampled } from "../../support/slow-run.ts";

const PDF = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n%%EOF";

let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    if (url === "/redirect") return response.writeHead(302, { location: "/report" }).end();
    const isPage = url.endsWith(".html");
    response.setHeader("content-type", isPage ? "text/html" : "application/pdf").end(isPage ? "<p>Text" : PDF);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

async function warningsOf(html: string, options: Readonly<Record<string, unknown>> = {}): Promise<readonly string[]> {
  const page = `<!doctype html><base href="${origin}/"><p>Text</p>${html}`;
  const usual = { viewport_width: 320, viewport_height: 240 };
  const { warnings } = await captureWith(
    { html: page, ...usual, ...options },
    { allow: [origin.slice("http://".length)] },
  );
  return warnings;
}

const warning = (element: string, path: string) =>
  `The PDF '${origin}${path}' in <${element}> isn't shown, because headless Chromium has no PDF viewer.`;

describe("embedded PDF: a warning names the element", () => {
  test("of every kind, by its type, its address, or the answer of its server", async () => {
    const warnings = await warningsOf(
      `<object data="/a.pdf?page=1"></object><embed src="/b" type="application/pdf"><iframe src="/redirect"></iframe>
       <object data="/c"></object>`,
    );
    const expected = [
      warning("object", "/a.pdf?page=1"),
      warning("embed", "/b"),
      warning("iframe", "/redirect"),
      warning("object", "/c"),
    ];
    expect(warnings.toSorted()).toEqual(expected.toSorted());
  });

  sampled(test, 12).each([
    { format: "pdf" },
    { format: "gif", video_duration: 1, video_fps: 1 },
    { format: "markdown" },
  ])("in %o", async (options) => {
    expect(await warningsOf('<iframe src="/report"></iframe>', options)).toEqual([warning("iframe", "/report")]);
  });
});

test("embedded PDF: no warning for hidden elements, pages in frames, and other embedded content", async () => {
  const others = `<iframe hidden src="/download"></iframe><iframe src="/page.html"></iframe><embed src="/page.html">
    <object data="/page.html" type="text/html"></object><a href="/a.pdf">PDF</a>`;
  expect(await warningsOf(others)).toEqual([]);
});

test("embedded PDF: no warning once the frame shows a page", async () => {
  const script = `<script>
    const frame = document.querySelector("iframe");
    setTimeout(() => { frame.src = "/page.html"; frame.onload = () => { document.title = "page"; }; }, 300);
  </script>`;
  const options = { wait_for_expression: "document.title === 'page'" };
  expect(await warningsOf(`<iframe src="/report"></iframe>${script}`, options)).toEqual([]);
});
