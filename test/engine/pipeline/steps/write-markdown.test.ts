// Markdown of the caller.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPdf } from "../../../fixtures/pdf.ts";
import { decode, type Pixels } from "../../../fixtures/png.ts";
import { type Site, startSite } from "../../../fixtures/site.ts";
import { BLACK, GREEN, RED, WHITE } from "../../../fixtures/site-pages.ts";
import { captureOutputsWith, captureWith, failureOf } from "../../../support/chromium.ts";
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

  test("has the flavour of GitHub and no scripts, and the source of formulas that are no valid TeX, with a warning", async () => {
    const markdown =
      "# Title\n\n| a | b |\n|---|---|\n| ~~c~~ | d |\n\n- [x] done\n\na $\\frac{1$ b\n\n<script>document.title = 1</script>";
    const { body, warnings } = await captureOf({ markdown, format: "html" });
    const html = String(body);
    for (const part of ["<h1", "<table", "<del>c</del>", 'type="checkbox"', "$\\frac{1$"]) expect(html).toContain(part);
    expect(html).not.toContain("<script");
    expect(warnings).toEqual([expect.stringContaining("isn't valid TeX")]);
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

describe("Markdown with formulas", () => {
  /** A square of 40 pixels, which is laid out by KaTeX's style. */
  const square = "$$\\rule{2em}{2em}$$";
  const markdown_css = ".katex { font-size: 20px }";
  const DARK_TEXT = [0xd3, 0xd9, 0xe2];

  test("has them in the colour of the text, and in fonts that need no network", async () => {
    const options = { markdown: `${square}\n\n$x$`, markdown_css, dark_mode: true, metadata_fonts: true };
    const { body, metadata } = await captureOf({ ...options, response_type: "json" });
    expect((await decode(body)).countInColumn(200, DARK_TEXT)).toBe(40);
    expect(metadata).toMatchObject({
      fonts: expect.arrayContaining([expect.objectContaining({ family: "KaTeX_Math" })]),
    });
  });

  const markdown = "a $x_1$ b\n\n$$\ny = 1\n$$\n\n```mermaid\nflowchart LR\n```";
  test("and diagrams has their source as text and as Markdown", async () => {
    const outputs = ["text", "markdown"].map((format) => ({ name: format, format }));
    const captured = await captureOutputsWith({ markdown, outputs });
    const shown = captured.outputs.map((output) => ("capture" in output ? String(output.capture.body).trim() : output));
    expect(shown).toEqual([
      "a $x_1$ b\n\ny = 1\nflowchart LR",
      "a $`x_1`$ b\n\n```math\ny = 1\n```\n\n```mermaid\nflowchart LR\n```",
    ]);
  });
});

describe("Markdown with diagrams", () => {
  const diagram = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``;
  const markdown = diagram("flowchart LR\n  A[Start here] --> B[End there]\n  style A fill:#ff0000");
  const full = { markdown };
  const has = ({ width, countInColumn }: Pixels, colour: readonly number[]) =>
    Array.from({ length: width }, (_, x) => countInColumn(x, colour)).filter((count) => count > 10).length > 20;
  const LIGHT_NODE = [0xec, 0xec, 0xff];
  const DARK_NODE = [0x1f, 0x20, 0x20];

  sampled(test, 9).each<[string, object, readonly number[]]>([
    ["in light colours", {}, LIGHT_NODE],
    ["in dark ones where the page is dark", { dark_mode: true }, DARK_NODE],
    ["in dark ones with the theme dark", { markdown_theme: "dark" }, DARK_NODE],
    ["in light ones with the theme plain", { markdown_theme: "plain", dark_mode: true }, LIGHT_NODE],
    ["in light ones for print", { dark_mode: true, media_type: "print" }, LIGHT_NODE],
    ["without scripts of the page", { javascript: false }, LIGHT_NODE],
    ["in exact time", { deterministic: true }, LIGHT_NODE],
    ["at a URL", { base_url: "https://example.com/" }, LIGHT_NODE],
    ["before the page has loaded", { wait_until: ["domcontentloaded"] }, LIGHT_NODE],
  ])("shows them %s", async (_, options, node) => {
    const image = await imageOf({ ...full, ...options });
    expect([has(image, RED), has(image, node)]).toEqual([true, true]);
  });

  slowTest("has their labels in a PDF, in light colours, also before the page has loaded", async () => {
    const wait_until = ["domcontentloaded"];
    const { body } = await captureOf({ markdown, format: "pdf", dark_mode: true, wait_until });
    const pdf = readPdf(body);
    expect(pdf.texts.join(" ")).toMatch(/Start here.*End there/);
    expect((await pdf.draw(0)).colourAt(2, 2)).toEqual(WHITE);
  });

  test("has the source of those that fail, a warning for each, and the others, safe from what they ask for", async () => {
    const hostile = `%%{init: {"securityLevel": "loose"}}%%
flowchart LR
  A["<img src=x onerror=document.title=1>"] --> B["<script>document.title = 2</script>label"]
  click A href "javascript:document.title=3"
  click B call alert(4)`;
    const diagrams = [diagram("nonsense <b>"), diagram(hostile), diagram("flowchart LR\n  A --"), markdown];
    const { body, warnings } = await captureOf({ markdown: `# Title\n\n${diagrams.join("\n\n")}`, format: "html" });
    const html = String(body);
    expect(html).toMatch(
      /nonsense &lt;b&gt;[\s\S]*<svg[\s\S]*label[\s\S]*flowchart LR\n {2}A --[\s\S]*<svg[\s\S]*Start here/,
    );
    expect(warnings).toEqual([
      expect.stringMatching(/^Mermaid can't draw diagram 1, and its source is shown: ./),
      expect.stringMatching(/^Mermaid can't draw diagram 3, and its source is shown: ./),
    ]);
    expect(html).toContain("<title>Title</title>");
    expect(html).not.toMatch(/<script|onerror|javascript:|onclick/);
  });

  slowTest("has the source of one that takes too long, and is captured in time", async () => {
    const nodes = Array.from({ length: 490 }, (_, n) => `n${n} --> n${(n * 7) % 2_400}`);
    const texts = Array.from({ length: 1_500 }, (_, n) => `a${n}[text ${n}]`);
    const heavy = diagram(["flowchart LR", ...nodes, ...texts].join("\n"));
    const { body, warnings } = await captureOf({ markdown: `${heavy}\n\nThe end`, format: "html", timeout: 30 });
    expect(String(body)).toMatch(/n0 --&gt; n0[\s\S]*The end/);
    expect(String(body)).not.toContain("<svg");
    expect(warnings).toEqual(["Diagrams from number 1 on took too long to draw, and their source is shown."]);
  });
});

describe("Markdown as PDF", () => {
  const CM = 72 / 2.54;
  const print = async (options: Readonly<Record<string, unknown>>) =>
    readPdf((await captureOf({ markdown: "# Title\n\nText", format: "pdf", ...options })).body);

  /** The corners and the middle of the first page, and where its title begins. */
  const firstPage = async (options: Readonly<Record<string, unknown>>) => {
    const pdf = await print(options);
    const sheet = await pdf.draw(0);
    const points = [
      [2, 2],
      [sheet.width - 3, sheet.height - 3],
      [Math.floor(sheet.width / 2), Math.floor(sheet.height / 2)],
    ] as const;
    const [title] = pdf.lines(0);
    return { title, ground: points.map(([x, y]) => sheet.colourAt(x, y)) };
  };

  sampled(test, 4).each<[string, Record<string, unknown>, readonly number[], number]>([
    ["light, two centimetres from the edge", {}, WHITE, 2],
    ["light although the visitor prefers dark", { dark_mode: true }, WHITE, 2],
    ["dark with the theme dark", { markdown_theme: "dark" }, [19, 23, 27], 2], // DARK, as it is rounded in a pdf
    ["dark with the margins that are requested", { markdown_theme: "dark", pdf_margin: "1cm" }, [19, 23, 27], 1],
  ])("is %s, up to the edge of each page", async (_, options, ground, centimetres) => {
    const { title, ground: shown } = await firstPage(options);
    expect(shown).toEqual([ground, ground, ground]);
    expect(title?.text).toBe("Title");
    expect(title?.x).toBeGreaterThan(centimetres * CM - 2);
    expect(title?.x).toBeLessThan(centimetres * CM + 4);
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
