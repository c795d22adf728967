// Markdown of the caller.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPdf } from "../../../fixtures/pdf.ts";
import { decode } from "../../../fixtures/png.ts";
import { type Site, startSite } from "../../../fixtures/site.ts";
import { BLACK, GREEN, RED, WHITE } from "../../../fixtures/site-pages.ts";
import { captureWith, failureOf } from "../../../support/chromium.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";

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

/** Ground of the dark look. */
const DARK = [0x14, 0x17, 0x1c];

describe("Markdown", () => {
  slowTest("is as tall as its lines", async () => {
    const heightOf = async (markdown: string) =>
      (await imageOf({ markdown, full_page: true, viewport_height: 64 })).height;
    const lines = Array.from({ length: 30 }, (_, n) => `- line ${n}`).join("\n");
    expect(await heightOf(lines)).toBeGreaterThan((await heightOf("# One line")) + 300);
  });

  test("has the flavour of GitHub and no scripts", async () => {
    const markdown =
      "# Title\n\n| a | b |\n|---|---|\n| ~~c~~ | d |\n\n- [x] done\n\n<script>document.title = 1</script>";
    const html = String((await captureOf({ markdown, format: "html" })).body);
    for (const part of ["<h1", "<table", "<del>c</del>", 'type="checkbox"']) expect(html).toContain(part);
    expect(html).not.toContain("<script");
  });

  test("fails when it is too complex to render", async () => {
    const error = await failureOf(captureOf({ markdown: "> ".repeat(500) }));
    expect(error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { markdown: [expect.stringMatching(/Flatten/)] },
    });
  });
});

describe("markdown_theme", () => {
  sampled(test, 8).each<[string, object, readonly number[]]>([
    ["github is light", { markdown_theme: "github" }, WHITE],
    ["github, which it is by default, is light", {}, WHITE],
    ["github is dark where dark_mode is", { dark_mode: true }, DARK],
    ["dark is dark", { markdown_theme: "dark" }, DARK],
    ["dark is dark for print", { markdown_theme: "dark", media_type: "print" }, DARK],
    ["plain is the browser's", { markdown_theme: "plain" }, WHITE],
    ["plain is white where dark_mode is, too", { markdown_theme: "plain", dark_mode: true }, WHITE],
  ])("%s", async (_, options, ground) => {
    expect((await imageOf({ markdown: "# Title", ...options })).colourAt(2, 2)).toEqual(ground);
  });

  slowTest("plain has nothing but the browser's margins, github has a column", async () => {
    const edge = async (markdown_theme: string) => {
      const image = await imageOf({ markdown: "# Title", markdown_theme });
      return Array.from({ length: 100 }, (_, x) => x).find((x) => image.countInColumn(x, WHITE) < image.height);
    };
    expect(await edge("plain")).toBeLessThan(14);
    expect(await edge("github")).toBe(20);
  });
});

describe("Markdown as PDF", () => {
  const CM = 72 / 2.54;
  const print = async (options: Readonly<Record<string, unknown>>) =>
    readPdf((await captureOf({ markdown: "# Title\n\nText", format: "pdf", ...options })).body);

  test.each([
    ["keeps two centimetres from the edge", {}, 2],
    ["has the margins that are requested", { pdf_margin: "1cm" }, 1],
  ])("%s", async (_, options, centimetres) => {
    const [title] = (await print(options)).lines(0);
    expect(title?.text).toBe("Title");
    expect(title?.x).toBeGreaterThan(centimetres * CM - 2);
    expect(title?.x).toBeLessThan(centimetres * CM + 4);
  });

  sampled(test, 8).each<[string, Record<string, unknown>, readonly number[]]>([
    ["light", {}, WHITE],
    ["light although the visitor prefers dark", { dark_mode: true }, WHITE],
    ["dark with the theme dark", { markdown_theme: "dark" }, [19, 23, 27]], // DARK, as it is rounded in a pdf
  ])("is %s, up to the edge of each page", async (_, options, ground) => {
    const sheet = await (await print(options)).draw(0);
    const corners = [
      [2, 2],
      [sheet.width - 3, sheet.height - 3],
      [Math.floor(sheet.width / 2), Math.floor(sheet.height / 2)],
    ] as const;
    expect(corners.map(([x, y]) => sheet.colourAt(x, y))).toEqual([ground, ground, ground]);
  });
});

describe("markdown_css", () => {
  sampled(test, 4).each([["github"], ["plain"]])(
    "is added to the theme %s and wins over it",
    async (markdown_theme) => {
      const markdown_css =
        "html { background: green !important } html, body { background: red } body { background: green }";
      expect((await imageOf({ markdown: "x", markdown_theme, markdown_css })).colourAt(2, 2)).toEqual(GREEN);
    },
  );

  slowTest("cannot close its style element", async () => {
    const markdown_css = `html { background: black } </style><p>Let out</p><script>document.body.append("Ran")</script>`;
    const options = { markdown: "Only this", markdown_theme: "plain", markdown_css };
    expect(await textOf(options)).toBe("Only this");
    expect((await imageOf(options)).colourAt(2, 2)).toEqual(BLACK);
  });

  test("keeps a text that contains the end tag of a style element", async () => {
    const markdown_css = `body { margin: 0 } p::before { content: "</style>" } p { background: red; margin: 0; height: 300px }`;
    expect((await imageOf({ markdown: "x", markdown_theme: "plain", markdown_css })).colourAt(390, 290)).toEqual(RED);
  });
});
