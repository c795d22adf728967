// HTML of the caller.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decode } from "../../../fixtures/png.ts";
import { type Site, startSite } from "../../../fixtures/site.ts";
import { GREEN, WHITE } from "../../../fixtures/site-pages.ts";
import { captureWith } from "../../../support/chromium.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const captureOf = (options: Readonly<Record<string, unknown>>) =>
  captureWith({ viewport_width: 400, viewport_height: 300, ...options }, { allow: [site.hostPort] });

const imageOf = async (options: Readonly<Record<string, unknown>>) => decode((await captureOf(options)).body);

const textOf = async (options: Readonly<Record<string, unknown>>) =>
  String((await captureOf({ format: "text", ...options })).body).trim();

describe("HTML", () => {
  test("is rendered in standards mode, with its scripts, and has no URL", async () => {
    const html = `<!doctype html><body style="background:red"><script>if (document.compatMode === "CSS1Compat") document.body.style.background = "green"</script>`;
    const { body, finalUrl, statusCode } = await captureOf({ html });
    expect({ finalUrl, statusCode }).toEqual({ finalUrl: null, statusCode: null });
    expect((await decode(body)).colourAt(9, 9)).toEqual(GREEN);
  });

  test("may load images from allowed addresses", async () => {
    const html = `<body style="margin:0"><img src="${site.origin}/image?after=0" style="display:block">`;
    expect((await imageOf({ html })).colourAt(10, 10)).toEqual(GREEN);
  });

  test.each([
    ["says nothing of its looks is black on white", "", WHITE],
    ["is made for both is dark", "<meta name=color-scheme content='light dark'>", [18, 18, 18]],
  ])("in dark_mode that %s", async (_, head, ground) => {
    const { body, warnings } = await captureOf({ html: `<!doctype html>${head}<p>Text`, dark_mode: true });
    expect((await decode(body)).colourAt(390, 290)).toEqual(ground);
    expect(warnings).toEqual([]);
  });

  test("may be named as the source as well", async () => {
    expect(await textOf({ source: "html", html: "<p>Said twice" })).toBe("Said twice");
  });
});

const LOCATION = `<p id="where"></p><script>where.textContent = location.href + " " + document.baseURI</script>`;

describe("base_url", () => {
  test("resolves relative images of HTML, without a request for the document", async () => {
    const html = `<body style="margin:0"><img src="../image?after=0&of=html" style="display:block">`;
    const base_url = `${site.origin}/folder/page?virtual=html`;
    const { body, finalUrl, statusCode } = await captureOf({ html, base_url });
    expect((await decode(body)).colourAt(10, 10)).toEqual(GREEN);
    expect({ finalUrl, statusCode }).toEqual({ finalUrl: null, statusCode: null });
    const requested = site.requests.map(({ path }) => path);
    expect(requested).toContain("/image?after=0&of=html");
    expect(requested.filter((path) => path.includes("virtual"))).toEqual([]);
  });

  test("is the location of the document", async () => {
    const base_url = `${site.origin}/folder/page`;
    expect(await textOf({ html: LOCATION, base_url })).toBe(`${base_url} ${base_url}`);
    expect(await textOf({ html: LOCATION })).toBe("about:blank about:blank");
  });

  test("is the origin of the document, which may fetch from it", async () => {
    const html = `<p id="said">nothing</p><script>fetch("/json").then((a) => a.json()).then(({ a }) => { said.textContent = "a is " + a })</script>`;
    expect(await textOf({ html, base_url: site.origin })).toBe("a is 1");
    expect(await textOf({ html: html.replace("/json", `${site.origin}/json`) })).toBe("nothing");
  });

  test("resolves relative images of Markdown", async () => {
    const markdown = "![Green](pictures/../../image?after=0&of=markdown)";
    const markdown_css = "body, p { margin: 0; padding: 0 } article { max-width: none } img { display: block }";
    const options = { markdown, markdown_css, base_url: `${site.origin}/docs/readme.md?virtual=markdown` };
    expect((await imageOf(options)).colourAt(10, 10)).toEqual(GREEN);
    const requested = site.requests.map(({ path }) => path);
    expect(requested).toContain("/image?after=0&of=markdown");
    expect(requested.filter((path) => path.includes("virtual"))).toEqual([]);
  });
});
