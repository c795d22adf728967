// Document formats (HTML, Markdown, text, MHTML): delivered, stored, and sandboxed.
import { beforeAll, describe, expect, inject, test } from "vitest";
import { UNREADABLE } from "../../fixtures/site-pages/documents.ts";
import { SHADOW_TEXTS } from "../../fixtures/site-pages/shadow.ts";
import { type Client, openClient } from "../../support/client.ts";
import { sample, sampled, slowTest } from "../../support/slow-run.ts";

const { site } = inject("service");
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

type Options = Record<string, string>;
const documentOf = (path: string, format: string, more: Options = {}) =>
  client.capture({ url: site + path, format, ...more });

const kinds: readonly (readonly [format: string, mimeType: string, extension: string])[] = [
  ["html", "text/html; charset=utf-8", "html"],
  ["markdown", "text/markdown; charset=utf-8", "md"],
  ["text", "text/plain; charset=utf-8", "txt"],
  ["mhtml", "multipart/related", "mhtml"],
];

/** Parts of the article in each format. */
const parts: Readonly<Record<string, readonly RegExp[]>> = {
  markdown: [/^## Lists$/m, /^\| *Name *\| *Amount:? *\|$/m, /\[relative\]\(http:\S+\/documents\/chapter-2\.html\)/],
  text: [/A quotation/],
  mhtml: [/^Content-Type: multipart\/related;$/m, /^Content-Type: image\/svg\+xml$/m],
};

describe.each(sample(kinds, 2))("documents: format %s", (format, mimeType, extension) => {
  test("is the document as bytes, and runs no script on the service's origin", async () => {
    const response = await documentOf("/documents/article", format);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": mimeType,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    });
    const body = await response.text();
    expect(body).toContain("How to read a page");
    for (const part of parts[format] ?? []) expect(body).toMatch(part);
    if (format === "markdown" || format === "text")
      expect(UNREADABLE.filter((word) => body.includes(word))).toEqual([]);
  });

  test("is stored with its type and file extension", async () => {
    const result = await (await documentOf("/documents/article", format, { response_type: "json" })).json();
    expect(result.mime_type).toBe(mimeType);
    expect(new URL(result.url).pathname).toMatch(new RegExp(`^/storage/1-day/[\\w-]{32}\\.${extension}$`));
    const stored = await fetch(result.url);
    expect(stored.headers.get("content-type")).toBe(mimeType);
    const body = Buffer.from(await stored.arrayBuffer());
    expect(body.length).toBe(result.file_size_bytes);
    expect(String(body)).toContain("How to read a page");
  });
});

test("documents: html is the page after its scripts, and can be rendered again", async () => {
  const html = `<!doctype html><title>T</title><p id="a">before</p><script>a.textContent = "after"</script>`;
  const written = await (await client.capture({ html, format: "html" })).text();
  expect(written).toMatch(/^<!DOCTYPE html>/);
  expect(written).toContain(`<p id="a">after</p>`);
});

test("documents: Markdown has its formulas, diagrams, and emoji drawn", async () => {
  const markdown = ":tada: $x^2$\n\n```mermaid\nflowchart LR\n  A[Start] --> B\n```";
  const response = await client.capture({ markdown, format: "html" });
  const html = await response.text();
  for (const part of ["🎉", 'class="katex"', "KaTeX_Main", "<svg", "Start"]) expect(html).toContain(part);
  expect(html).not.toContain("language-mermaid");
  expect(response.headers.get("x-warnings")).toBeNull();
});

sampled(test, 6).each(["html", "markdown", "text"])(
  "documents: include_shadow_dom adds shadow roots to %s",
  async (format) => {
    const found = async (more: Options) => {
      const body = await (await documentOf("/shadow", format, more)).text();
      return [SHADOW_TEXTS[0], SHADOW_TEXTS[2]].map((text) => body.includes(text));
    };
    expect(await found({})).toEqual([false, true]);
    expect(await found({ include_shadow_dom: "true" })).toEqual([true, true]);
  },
);

describe("documents: a stored page", () => {
  const hostile = `<script>document.title = "ran at " + location.host</script><p>Hostile</p>`;
  const storedOf = async (options: Options) => {
    const { url } = await (await client.capture({ html: hostile, response_type: "json", ...options })).json();
    return (await fetch(url)).headers.get("content-disposition");
  };

  test("is downloaded rather than shown at the bucket's URL", async () => {
    expect(await storedOf({ format: "html" })).toBe('attachment; filename="page.html"');
    expect(await storedOf({ format: "html", attachment_name: "own.html" })).toBe('attachment; filename="own.html"');
    expect(await storedOf({ format: "mhtml" })).toBe('attachment; filename="page.mhtml"');
  });

  sampled(test, 2).each(["png", "pdf", "text", "json"])("is shown as %s, without running scripts", async (format) => {
    expect(await storedOf({ format })).toBe("inline");
  });
});

test.each([
  ["png", "image/png", "sandbox; default-src 'none'"],
  ["pdf", "application/pdf", null], // browsers refuse to show one in a sandbox
])("documents: a %s as %s has the policy %s", async (format, mimeType, policy) => {
  const { headers } = await client.capture({ html: "x", format });
  expect([headers.get("content-type"), headers.get("content-security-policy")]).toEqual([mimeType, policy]);
});

slowTest("documents: a document of ten million characters is delivered whole", async () => {
  const html = `<p id="a"></p><script>a.textContent = "word ".repeat(2_000_000)</script>`;
  const response = await client.capture({ html, format: "text" });
  const body = await response.text();
  expect(body.length).toBeGreaterThan(9_900_000);
  expect(Number(response.headers.get("content-length"))).toBeLessThan(body.length / 100); // compressed
});
