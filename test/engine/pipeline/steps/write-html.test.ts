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
  test("is rendered in standards mode, with its scripts and images from allowed addresses, and has no URL", async () => {
    const html = `<!doctype html><body style="margin:0;background:red"><img src="${site.origin}/solid-image?after=0&colour=0,0,255" style="display:block"><script>if (document.compatMode === "CSS1Compat") document.body.style.background = "green"</script>`;
    const { body, finalUrl, statusCode } = await captureOf({ html });
    expect({ finalUrl, statusCode }).toEqual({ finalUrl: null, statusCode: null });
    const image = await decode(body);
    expect([image.colourAt(390, 290), image.colourAt(1, 1)]).toEqual([GREEN, [0, 0, 255]]);
  });

  test.each([
    ["says nothing of its looks is black on white", "", WHITE],
    ["is made for both is dark", "<meta name=color-scheme content='light dark'>", [18, 18, 18]],
  ])("in dark_mode that %s", async (_, head, ground) => {
    const { body, warnings } = await captureOf({ html: `<!doctype html>${head}<p>Text`, dark_mode: true });
    expect((await decode(body)).colourAt(390, 290)).toEqual(ground);
    expect(warnings).toEqual([]);
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

  test("is the location and the origin of the document, which may fetch from it", async () => {
    const said = (path: string) =>
      `${LOCATION}<p id="said">nothing</p><script>fetch("${path}").then((a) => a.json()).then(({ a }) => { said.textContent = "a is " + a })</script>`;
    const base_url = `${site.origin}/folder/page`;
    expect(await textOf({ html: said("/json"), base_url })).toBe(`${base_url} ${base_url}\n\na is 1`);
    const withoutBase = { source: "html", html: said(`${site.origin}/json`) };
    expect(await textOf(withoutBase)).toBe("about:blank about:blank\n\nnothing");
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
