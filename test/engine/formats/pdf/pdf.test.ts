// PDF: paper, margins, page ranges, headers and footers, document properties, single-page PDFs and single elements.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultLimits } from "../../../../lib/contract/options/capture-limits.ts";
import { paperFormats } from "../../../../lib/contract/options/values/paper.ts";
import type { BrowserSession } from "../../../../lib/engine/browser/browser.ts";
import { parseAllowedOrigins } from "../../../../lib/engine/egress/egress-policy.ts";
import { isolateElement, printPdf } from "../../../../lib/engine/formats/pdf/pdf.ts";
import type { PdfSettings } from "../../../../lib/engine/formats/pdf/pdf-settings.ts";
import { readStream } from "../../../../lib/engine/formats/pdf/pdf-stream.ts";
import type { HoveredPage } from "../../../../lib/engine/page/hover.ts";
import { type PageActivity, trackPage } from "../../../../lib/engine/page/page-activity.ts";
import { type Pdf, readPdf } from "../../../fixtures/pdf.ts";
import { type Site, startSite } from "../../../fixtures/site.ts";
import { failureOf, testLimits } from "../../../support/chromium.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { openWarmPage } from "../../../support/warm-browser.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

interface PrintingPage {
  readonly session: BrowserSession;
  readonly activity: PageActivity;
}

/** The page whose content is replaced for each test, and those of tests that leave something behind. */
let shared: PrintingPage;
const others: BrowserSession[] = [];
beforeAll(async () => {
  shared = await openEmpty();
});
afterAll(() => Promise.all([shared.session, ...others].map((session) => session.close())));

async function openEmpty(): Promise<PrintingPage> {
  const session = await openWarmPage({ allowed: parseAllowedOrigins(site.hostPort), limits: testLimits });
  return { session, activity: await trackPage(session) };
}

const RED = [255, 0, 0];
const GREEN = [0, 128, 0];
const WHITE = [255, 255, 255];

/** A page on its way to print, in a window of 1280 × 1024. */
async function open(body: string, { media = "print", isAlone = false } = {}): Promise<HoveredPage> {
  const { session, activity } = isAlone ? await openEmpty() : shared;
  if (isAlone) others.push(session);
  const { cdp } = session;
  const page = await session.page();
  const window = { width: 1280, height: 1024, scale: 1 };
  await cdp.send("Emulation.setDeviceMetricsOverride", { ...window, deviceScaleFactor: 1, mobile: false });
  await page.emulateMediaType();
  await page.goto("about:blank"); // another document, without the style sheets of the last print
  await page.setContent(`<!doctype html><title>A title</title><style>body{margin:0}</style>${body}`);
  await page.emulateMediaType(media);
  const [budget, now] = [{ deadline: performance.now() + 25_000 }, () => performance.now()];
  return { session, activity, budget, now, warnings: [], problems: [], window, pointer: {} } as unknown as HoveredPage;
}

const settings: PdfSettings = {
  paper: { width: 6, height: 8 },
  margin: {},
  landscape: false,
  isPaperExplicit: false,
  printBackground: true,
  scale: 1,
  preferCssPageSize: false,
  outline: false,
  tagged: false,
  fitOnePage: false,
};

const print = async (body: string, requested: Partial<PdfSettings> = {}): Promise<Pdf> =>
  readPdf(await printPdf(await open(body), { ...settings, ...requested }));

const block = (height: number | string, colour = "red", style = "") =>
  `<div style="height:${typeof height === "number" ? `${height}px` : height};background:${colour};${style}"></div>`;

describe("pdf: paper", () => {
  sampled(test, 6).each([
    ["a4", 595.3, 841.9],
    ["letter", 612, 792],
    ["ledger", 1224, 792],
  ] as const)("%s measures %d × %d points", async (format, width, height) => {
    const { sizes } = await print("x", { paper: paperFormats[format] });
    expect(sizes).toHaveLength(1);
    expect(sizes[0]?.[0]).toBeCloseTo(width, -0.4);
    expect(sizes[0]?.[1]).toBeCloseTo(height, -0.4);
  });

  sampled(test, 2).each([paperFormats.letter, paperFormats.ledger])(
    "has its longer side as width with landscape",
    async (paper) => {
      const { sizes } = await print("x", { paper, landscape: true });
      expect(sizes[0]?.[0]).toBeGreaterThan(sizes[0]?.[1] ?? 0);
    },
  );

  /** Says at which widths its window has been. */
  const widths = `<script>addEventListener("resize", () => document.body.append(" " + innerWidth))</script>`;
  const adopt = (css: string) => `<script>
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("${css}");
    document.adoptedStyleSheets = [sheet];
  </script>`;

  sampled(test, 16).each<[string, string, readonly (readonly [number, number])[], text: string]>([
    ["of a label", `<style>@page{size:100mm 60mm;margin:4mm}</style>x`, [[283, 169]], "x 348"],
    ["of a named format, turned", `<style>@page{size:landscape letter}</style>x`, [[792, 612]], "x 1056"],
    [
      "of an orientation alone, which turns the usual paper",
      `<style>@page{size:landscape}</style>x`,
      [[576, 432]],
      "x 768",
    ],
    [
      "of named sheets",
      `<style>@page{size:3in 4in}@page wide{size:4in 3in}</style><p>x</p><p style="page:wide">y</p>`,
      [
        [216, 288],
        [288, 216],
        [216, 288],
      ],
      "x",
    ],
    [
      "of the name of the first sheet",
      `<style>@page{size:a5}@page slip{size:3in;margin:0}body{page:slip}</style>x`,
      [[216, 216]],
      "x 288",
    ],
    [
      "in rules for print, in a layer, and by a later rule",
      `<style>@media screen{@page{size:a3}}@media print{@layer l{@page{size:5in!important}}}@page{size:2in}</style>x`,
      [[360, 360]],
      "x 480",
    ],
    [
      "in an imported style sheet",
      `<style>@import "data:text/css,@page{size:calc(1in + 3in) 3in}";</style>x`,
      [[288, 216]],
      "x 384",
    ],
    ["in an adopted style sheet", `x${adopt("@supports (display:grid){@page{size:4in 3in}}")}`, [[288, 216]], "x 384"],
    [
      "in a rule that a script adds before the print",
      `x<script>addEventListener("beforeprint", () => document.body.append(Object.assign(document.createElement("style"), { textContent: "@page{size:4in 3in}" })))</script>`,
      [[288, 216]],
      "x 576 384",
    ],
  ])("is that of the page's @page rules, at whose width it is laid out: %s", async (_, body, sizes, text) => {
    const pdf = await print(body + widths);
    expect(pdf.sizes.map((size) => size.map(Math.floor))).toEqual(sizes);
    expect(pdf.texts[0]).toBe(text);
  });

  test.each<[string, string]>([
    ["larger than PDF readers accept", "size: 10000in 10in"],
    ["smaller than a letter", "size: 1px"],
  ])("is the usual one, with a warning, where the page's rules ask for one that is %s", async (_, rule) => {
    const page = await open(`<style>@page { ${rule} }</style>x`);
    expect(readPdf(await printPdf(page, settings)).sizes).toEqual([[432, 576]]);
    expect(page.warnings).toEqual([
      expect.stringMatching(/^The page's '@page' rules ask for sheets of .* which cannot be printed/),
    ]);
  });

  test("of a single page is as wide as the page's rules say", async () => {
    const { sizes } = await print(`<style>@page{size:4in 3in}</style>${block(1000)}`, { fitOnePage: true });
    expect(sizes.map(([width]) => width)).toEqual([288]);
  });

  sampled(test, 12).each<[string, string, Partial<PdfSettings>, number[]]>([
    ["letter, not turned", "size: A5 landscape", { paper: paperFormats.letter, landscape: false }, [612, 792]],
    ["turned", "size: A4 portrait", { paper: paperFormats.letter, landscape: true }, [792, 612]],
    ["of a width and a height", "size: 9in 2in", { paper: { width: 3, height: 4 } }, [216, 288]],
    ["upright", "page-orientation: rotate-left", { paper: { width: 3, height: 4 } }, [216, 288]],
    ["on one sheet", "size: A5 landscape", { paper: { width: 3, height: 4 }, fitOnePage: true }, [216]],
    [
      "upright on one sheet",
      "page-orientation: rotate-left",
      { paper: { width: 3, height: 4 }, fitOnePage: true },
      [216],
    ],
  ])("set by the caller is not rotated by the page's @page rules: %s", async (_, rule, requested, size) => {
    const body = `<style>@page { ${rule} } @page wide { size: 4in 3in }</style><p>x</p><p style="page:wide">y</p>`;
    const { sizes } = await print(body, { ...requested, isPaperExplicit: true, isOrientationExplicit: true });
    expect(sizes).toHaveLength(requested.fitOnePage ? 1 : 2);
    for (const each of sizes) expect(each.slice(0, size.length)).toEqual(size);
  });

  test("preferred by the page rotates its pages, although other paper was requested", async () => {
    const body = "<style>@page { size: 4in 3in }</style>x";
    const requested = { paper: paperFormats.letter, isPaperExplicit: true, preferCssPageSize: true };
    expect((await print(body, requested)).sizes).toEqual([[288, 216]]);
  });
});

describe("pdf: margins", () => {
  const own = `<style>@page { margin: 1in } @page :first { margin-left: 2in }</style>`;

  sampled(test, 8).each<[string, string, PdfSettings["margin"], [x: number, y: number]]>([
    ["are none", "", {}, [0, 0]],
    ["are those requested, each at its side", "", { top: 0.5, left: 1 }, [72, 36]],
    ["that were not requested are the page's own", own, {}, [144, 72]],
    ["that were requested win over the page's own", own, { top: 0.5, left: 0 }, [0, 36]],
  ])("%s", async (_, style, margin, [x, y]) => {
    const drawn = await (await print(style + block(100), { margin })).draw(0);
    expect([drawn.colourAt(x + 1, y + 1), drawn.colourAt(x + 1, y + 73)]).toEqual([RED, RED]);
    if (x > 0) expect(drawn.colourAt(x - 1, y + 1)).toEqual(WHITE);
    if (y > 0) expect(drawn.colourAt(x + 1, y - 1)).toEqual(WHITE);
  });

  test("at the right and at the bottom keep content away from the edge", async () => {
    const pdf = await print(block(2000), { margin: { right: 1, bottom: 2 } });
    expect(pdf.sizes).toHaveLength(4); // 2000 px at 6 in a sheet
    const drawn = await pdf.draw(0);
    expect([drawn.colourAt(358, 430), drawn.colourAt(362, 430), drawn.colourAt(358, 434)]).toEqual([RED, WHITE, WHITE]);
  });

  test("that leave no content area are refused", async () => {
    const error = await failureOf(print("x", { margin: { top: 4, bottom: 3.9 } }));
    expect(error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { pdf_margin: [expect.stringContaining("1 cm")] },
    });
  });
});

describe("pdf: rendering", () => {
  const inked = block(100, "red", "-webkit-print-color-adjust:economy");
  const styled = `<style>b { display: block; height: 100px } @media screen { b { background: red } } @media print { b { background: green } }</style><b></b>`;

  test("has backgrounds, even where the page saves ink, and print styles", async () => {
    const drawn = await (await print(inked + styled)).draw(0);
    expect([drawn.colourAt(50, 50), drawn.colourAt(50, 100)]).toEqual([RED, GREEN]);
  });

  test("has screen styles where the screen is emulated, and no backgrounds where they are turned off", async () => {
    const onScreen = await printPdf(await open(styled, { media: "screen" }), settings);
    expect((await readPdf(onScreen).draw(0)).colourAt(50, 50)).toEqual(RED);
    expect((await (await print(inked, { printBackground: false })).draw(0)).colourAt(50, 50)).toEqual(WHITE);
  });

  test("is scaled", async () => {
    const drawn = await (await print(block(100, "red", "width:100px"), { scale: 0.5 })).draw(0);
    expect([drawn.colourAt(36, 36), drawn.colourAt(39, 36), drawn.colourAt(36, 39)]).toEqual([RED, WHITE, WHITE]);
  });

  test("has the images that only the print styles use", async () => {
    const body = `<style>@media print { div { height: 20px; width: 20px; background: url("${site.origin}/image?after=300") } }</style><div></div>`;
    expect((await (await print(body)).draw(0)).colourAt(7, 7)).toEqual(GREEN);
  });
});

describe("pdf: page ranges", () => {
  const pages = Array.from({ length: 5 }, (_, n) => `<p style="break-after:page">page ${n + 1}</p>`).join("");

  sampled(test, 8).each([
    ["2", ["page 2"]],
    ["1-2,4", ["page 1", "page 2", "page 4"]],
    ["4-", ["page 4", "page 5"]],
    ["-2", ["page 1", "page 2"]],
    ["4-99", ["page 4", "page 5"]],
  ])("%s", async (pageRanges, texts) => {
    expect((await print(pages, { pageRanges })).texts).toEqual(texts);
  });

  test("that start beyond the last page are refused", async () => {
    expect(await failureOf(print(pages, { pageRanges: "9" }))).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { pdf_page_ranges: ["begins after the last page of the document"] },
    });
  });
});

describe("pdf: header and footer", () => {
  const pages = `<p style="break-after:page">one</p><p>two</p>`;

  test("have the values for their class names, and count the pages of the document, not those of the range", async () => {
    const { texts } = await print(pages, {
      pageRanges: "2",
      headerTemplate: `<span class="title"></span>, <span class="url"></span>`,
      footerTemplate: `<span class="pageNumber"></span> of <span class="totalPages"></span>`,
    });
    expect(texts).toEqual(["two A title, about:blank 2 of 2"]);
  });

  test("are printed on each page, legible without a style of their own, in a margin with room for them", async () => {
    const pdf = await print(pages, { headerTemplate: "header", footerTemplate: "footer" });
    expect(pdf.texts).toEqual(["one header footer", "two header footer"]);
    const [one, header, footer] = pdf.lines(0);
    expect([header?.text, header?.size, footer?.text, footer?.size]).toEqual(["header", 9, "footer", 9]);
    expect(header?.x).toBeGreaterThan(20);
    expect((header?.y ?? 0) + (header?.h ?? 0)).toBeLessThan(2 * 28.3);
    expect(one?.y).toBeGreaterThan(2 * 28.3);
    expect(footer?.y).toBeGreaterThan(576 - 2 * 28.3);
  });

  test("keep their own style, with backgrounds", async () => {
    const pdf = await print(pages, {
      headerTemplate: `<style>b { font-size: 16px; color: white }</style><div style="background:red;height:20px"><b>bold</b></div>`,
    });
    expect(pdf.lines(0).find(({ text }) => text === "bold")?.size).toBe(12);
    expect((await pdf.draw(0)).colourAt(300, 20)).toEqual(RED);
  });

  test("have inline images", async () => {
    const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="green"/></svg>')}`;
    const headerTemplate = `<img src="${picture}" width="40" height="20" style="display:block">`;
    const drawn = await (await print(pages, { headerTemplate, margin: { left: 1 } })).draw(0);
    expect([drawn.colourAt(75, 20), drawn.colourAt(110, 20)]).toEqual([GREEN, WHITE]);
  });

  sampled(test, 2).each([
    ["header", { headerTemplate: "alone" }],
    ["footer", { footerTemplate: "alone" }],
  ])("a %s alone comes without Chromium's default for the other one", async (_, templates) => {
    expect((await print(pages, templates)).texts).toEqual(["one alone", "two alone"]);
  });

  test("have room even where the page sets no margins", async () => {
    const pdf = await print(`<style>@page { margin: 0 }</style>${block(100)}`, { headerTemplate: "header" });
    expect((await pdf.draw(0)).colourAt(200, 50)).toEqual(WHITE);
  });

  test("have a warning when the requested margin is too small", async () => {
    const capturing = await open(pages);
    await printPdf(capturing, {
      ...settings,
      headerTemplate: "x",
      footerTemplate: "x",
      margin: { top: 0.1, bottom: 1 },
    });
    expect(capturing.warnings).toEqual([
      "A header or footer is printed into the margin and needs about 1 cm of it; raise pdf_margin_top.",
    ]);
  });

  sampled(test, 12).each([
    ["the head", `x</div></div></body></html><p id="a">left</p>`, "x left"],
    ["an event handler", `<b id=a>x</b><svg onload="a.textContent = 'ran'"></svg>`, "x"],
    ["a broken picture's handler", `<b id=a>x</b><img src="data:," onerror="a.textContent = 'ran'">`, "x"],
  ])("cannot leave their box by way of %s", async (_, headerTemplate, text) => {
    expect((await print("page", { headerTemplate })).texts).toEqual([`page ${text}`]);
  });

  sampled(test, 12).each([
    ["a script", `<script>1</script>`],
    ["a style sheet", `<link rel="stylesheet" href="ORIGIN/box">`],
    ["an import", `<style>@import "ORIGIN/box";</style>`],
    ["a font", `<style>@font-face { font-family: q; src: url(ORIGIN/box) } p { font-family: q }</style><p>x`],
    ["a filter", `<p style="filter:url(ORIGIN/image?after=0#f)">x`],
    ["a picture", `<img src="ORIGIN/image?after=0">`],
    ["a file", `<img src="file:///tmp/x.png">`],
  ])("that need %s are refused, without a request", async (_, template) => {
    const requested = site.requests.length;
    const footerTemplate = template.replaceAll("ORIGIN", site.origin);
    const error = await failureOf(print("page", { footerTemplate }));
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", details: { pdf_footer_template: [expect.any(String)] } });
    expect(site.requests).toHaveLength(requested);
  });
});

describe("pdf: document properties", () => {
  const body = `<h1>First</h1><p>text</p><h2>Second</h2><p style="break-before:page"></p><h1>Third</h1>`;

  test("include the title, links, and selectable text in every script, and neither tags nor an outline by default", async () => {
    const { title, isTagged, outline, texts, links } = await print(
      `<h1>First</h1><a href="https://example.com/a">link</a> Ελληνικά кириллица 日本語 한국어`,
    );
    expect({ title, isTagged, outline }).toEqual({ title: "A title", isTagged: false, outline: [] });
    expect(texts).toEqual(["First link Ελληνικά кириллица 日本語 한국어"]);
    expect(links).toEqual([["https://example.com/a"]]);
  });

  test("include tags and an outline of the headings on request", async () => {
    const { outline, isTagged } = await print(body, { outline: true, tagged: true });
    expect(isTagged).toBe(true);
    expect(outline).toEqual([
      { title: "First", depth: 0 },
      { title: "Second", depth: 1 },
      { title: "Third", depth: 0 },
    ]);
  });
});

describe("pdf: a long page", () => {
  test("has every row of its table, under a header on each page", async () => {
    const rows = Array.from({ length: 600 }, (_, n) => `<tr><td>row ${n}.`).join("");
    const { texts } = await print(`<table><thead><tr><th>Head of the table</thead>${rows}</table>`);
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((text) => text.startsWith("Head of the table row "))).toHaveLength(texts.length);
    const found = texts.join(" ").match(/row \d+\./g);
    expect(found).toEqual(Array.from({ length: 600 }, (_, n) => `row ${n}.`));
  });

  slowTest("of 500 pages is printed, twice", async () => {
    const capturing = await open(
      Array.from({ length: 500 }, (_, n) => `<h1 style="break-after:page">${n}</h1>`).join(""),
    );
    for (const _ of [1, 2]) {
      const { texts } = readPdf(await printPdf(capturing, settings));
      expect(texts).toEqual(Array.from({ length: 500 }, (_, n) => String(n)));
    }
  });
});

test("pdf: one that is larger than allowed is refused", async () => {
  const { cdp } = (await open("x")).session;
  const { stream = "" } = await cdp.send("Page.printToPDF", { transferMode: "ReturnAsStream" });
  const limits = { ...defaultLimits, result_megabytes: 0.0001 };
  expect(await failureOf(readStream(cdp, stream, limits))).toMatchObject({ code: "RESULT_TOO_LARGE" });
});

describe("pdf: single page", () => {
  /** Height of the only sheet in CSS pixels. */
  const heightOf = (pdf: Pdf): number => {
    expect(pdf.sizes).toHaveLength(1);
    expect(pdf.sizes[0]?.[0]).toBe(432);
    return ((pdf.sizes[0]?.[1] ?? 0) * 96) / 72;
  };
  const fit = (body: string, requested: Partial<PdfSettings> = {}) => print(body, { ...requested, fitOnePage: true });

  sampled(test, 16).each<[string, string, number]>([
    ["a short page", block(100), 100],
    ["a long page", block(4000), 4000],
    ["text", `<p style="font:20px/30px sans-serif;margin:0">${"word ".repeat(2000)}</p>`, 0],
    ["breaks in the page", block(300) + block(300, "green", "break-before:page;page:other") + block(300), 900],
    ["a body with margins", `<style>body { margin: 20px }</style>${block(100)}`, 140],
    ["a part as tall as the window", block("100vh") + block(500, "green"), 1524],
    ["a part at least as tall as the window", `<div style="min-height:50vh;background:red"></div>${block(500)}`, 1012],
    ["shares of the window's height", `<style>html, body { height: 100% }</style>${block("50%")}${block(900)}`, 1412],
    ["a page that sets its own paper", `<style>@page { size: A6 landscape; margin: 1in }</style>${block(900)}`, 900],
    ["something beyond its end", `${block(100)}<div style="position:absolute;top:700px;height:100px">x</div>`, 800],
    ["something fixed", `${block(1500)}<p style="position:fixed;bottom:0;margin:0">x</p>`, 1500],
    [
      "a part that print leaves out",
      `<style>@media print { .no { display: none } }</style>${block(200)}<div class="no">${block(500)}</div>`,
      200,
    ],
    [
      "a page that changes before it is printed",
      `${block(100)}<script>onbeforeprint = () => { document.body.style.paddingBottom = "50px" }</script>`,
      150,
    ],
    [
      "layout by the paper's width",
      `<style>@media (min-width: 600px) { div { height: 900px !important } }</style>${block(200)}`,
      200,
    ],
    ["a scroller", `<div style="height:300px;overflow:auto">${block(3000)}</div>`, 300],
    [
      "overflow the page hides at its sides",
      `<style>body { overflow-x: hidden }</style>${block(500, "red", "width:900px")}`,
      500,
    ],
  ])("holds %s", async (_, body, height) => {
    const pdf = await fit(body);
    const found = heightOf(pdf);
    if (height > 0) expect(Math.abs(found - height)).toBeLessThanOrEqual(2);
    else expect(pdf.texts[0]?.match(/word/g)).toHaveLength(2000);
  });

  test("ends where the content ends", async () => {
    const pdf = await fit(block(3000) + block(50, "green"));
    const drawn = await pdf.draw(0);
    expect([drawn.colourAt(10, 2240), drawn.colourAt(10, 2270), drawn.colourAt(10, drawn.height - 2)]).toEqual([
      RED,
      GREEN,
      GREEN,
    ]);
  });

  test("has margins, header and footer around the content", async () => {
    const pdf = await fit(block(960), {
      margin: { top: 1, left: 1, bottom: 1, right: 1 },
      headerTemplate: "header",
      footerTemplate: "footer",
    });
    expect(Math.abs(heightOf(pdf) - (960 + 192))).toBeLessThanOrEqual(2);
    expect(pdf.texts).toEqual(["header footer"]);
    const drawn = await pdf.draw(0);
    expect([drawn.colourAt(100, 70), drawn.colourAt(100, 74), drawn.colourAt(362, 80)]).toEqual([WHITE, RED, WHITE]);
  });

  test("scales content that is wider than the paper", async () => {
    const pdf = await fit(`<div style="width:1152px;height:200px;background:red"></div>`);
    expect(Math.abs(heightOf(pdf) - 100)).toBeLessThanOrEqual(2);
    expect((await pdf.draw(0)).colourAt(428, 30)).toEqual(RED);
  });

  slowTest("is as wide as the paper on its longer side", async () => {
    const { sizes } = await fit(block(3000), { landscape: true });
    expect(sizes.map(([width]) => width)).toEqual([576]);
  });

  test("is scaled down as a whole, with its margins and a warning, where it would be taller than a PDF page can be", async () => {
    const capturing = await open(block(38_400) + block(50, "green"));
    const pdf = readPdf(await printPdf(capturing, { ...settings, margin: { left: 1, top: 1 }, fitOnePage: true }));
    expect(pdf.sizes).toHaveLength(1);
    const [width = 0, height = 0] = pdf.sizes[0] ?? [];
    expect([width / 432, height / (402 * 72)]).toEqual([expect.closeTo(0.495, 2), expect.closeTo(0.495, 2)]);
    expect(height).toBeLessThanOrEqual(14_400);
    const drawn = await pdf.draw(0, 0.5);
    expect([drawn.colourAt(15, 100), drawn.colourAt(50, 15)]).toEqual([WHITE, WHITE]);
    expect([drawn.colourAt(20, 20), drawn.colourAt(50, 7100), drawn.colourAt(50, drawn.height - 4)]).toEqual([
      RED,
      RED,
      GREEN,
    ]);
    expect(capturing.warnings).toEqual([expect.stringMatching(/402 inches tall, more than the 200 .* scaled to 49 %/)]);
  });

  test("is refused for a page that no scale makes small enough", async () => {
    expect(await failureOf(fit(block(200_000)))).toMatchObject({ code: "RESULT_TOO_LARGE" });
  });
});

test("pdf: a page that blocks scripts and foreign styles by CSP is printed all the same", async () => {
  const policy = `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; require-trusted-types-for 'script'">`;
  const capturing = await open(`${policy}${block("100vh")}<p style="break-before:page">text</p><b id="it">it</b>`, {
    isAlone: true,
  });
  await capturing.session.cdp.send("Emulation.setScriptExecutionDisabled", { value: true });
  const pdf = readPdf(await printPdf(capturing, { ...settings, margin: { top: 1 }, fitOnePage: true }));
  expect(pdf.texts).toEqual(["text it"]);
  expect(await isolateElement(capturing, "#it")).toBe(true);
  expect(readPdf(await printPdf(capturing, settings)).texts).toEqual(["it"]);
});

describe("pdf: a single element", () => {
  const isolated = async (body: string, selector = "#it", requested: Partial<PdfSettings> = {}) => {
    const capturing = await open(body);
    expect(await isolateElement(capturing, selector)).toBe(true);
    return readPdf(await printPdf(capturing, { ...settings, ...requested }));
  };
  const it = `<div id="it" style="width:200px;height:100px;background:green">it</div>`;

  sampled(test, 12).each([
    ["in the page", `before ${it} after`],
    [
      "deep in boxes",
      `<main style="padding:99px;border:9px solid red;background:red">a<section style="margin:50px;position:relative;top:40px;width:10px;overflow:hidden">${it}</section>b</main>`,
    ],
    [
      "as an item",
      `<div style="display:flex;height:100%;align-items:center;justify-content:center"><p>x</p>${it}<p>y</p></div>`,
    ],
    [
      "with a place of its own",
      `<div style="position:fixed;inset:300px">${it.replace('style="', 'style="position:absolute;top:50%;left:50%;transform:translate(-50%,-50%);margin:9px;')}</div>`,
    ],
    [
      "around which things are generated",
      `<style>main::before, main::after { content: "generated"; display: block }</style><main>${it}</main>`,
    ],
    [
      "in a slot",
      `<x-card>text<template shadowrootmode="open"><style>:host::before { content: "host" } div { padding: 50px; background: red }</style>shadow<div>more<slot></slot></div></template><p>other</p>${it}</x-card>`,
    ],
    ["in a moved ancestor", `<div style="transform:rotate(20deg) scale(2);opacity:.2;filter:blur(9px)">${it}</div>`],
    ["under a cover", `${it}<div style="position:fixed;inset:0;background:red">cover</div>`],
  ])("is printed alone, at the top left: %s", async (_, body) => {
    const pdf = await isolated(body);
    expect(pdf.texts).toEqual(["it"]);
    const drawn = await pdf.draw(0);
    const points = [
      [1, 1],
      [148, 1],
      [1, 73],
      [148, 73],
      [153, 30],
      [80, 78],
    ] as const;
    expect(points.map(([x, y]) => drawn.colourAt(x, y))).toEqual([GREEN, GREEN, GREEN, GREEN, WHITE, WHITE]);
  });

  test("keeps inherited styles and those of its position", async () => {
    const pdf = await isolated(
      `<style>main { font: 40px serif } p:nth-child(2) { background: green; height: 100px; margin: 0 }</style><main><p>one</p><p id="it">two</p></main>`,
    );
    expect(pdf.lines(0).map(({ text, size }) => [text, size])).toEqual([["two", 30]]);
    expect((await pdf.draw(0)).colourAt(300, 50)).toEqual(GREEN);
  });

  const numbered = `<style>
    body { counter-reset: chapter figure } h1 { counter-increment: chapter; counter-reset: section } h2 { counter-increment: section }
    h2::before { content: counter(chapter) "." counter(section) " " } figure { counter-increment: figure }
    figure::before { content: "Figure " counter(figure) ": " }
    ol.nested { counter-reset: item; list-style: none } ol.nested > li { counter-increment: item }
    ol.nested > li::before { content: counters(item, ".") " " }
  </style>`;

  sampled(test, 4).each([
    [
      "counters",
      "<h1>A</h1><h2>b</h2><figure>c</figure><h1>D</h1><h2>e</h2><div id='it'><h2>f</h2><figure>g</figure></div>",
      "2.2 f Figure 2: g",
    ],
    [
      "nested counters",
      "<ol class='nested'><li>a<li>b<ol class='nested'><li>c<li id='it'>d<ol class='nested'><li>e</ol></ol></ol>",
      "2.2 d 2.2.1 e",
    ],
    ["the numbers of a list", "<ol start='5'><li>a<li id='it'>b<li>c</ol>", "6. b"],
  ])("goes on with %s", async (_, body, text) => {
    expect((await isolated(numbered + body)).texts).toEqual([text]);
  });

  slowTest("can be a row of a table", async () => {
    const rows = `<table><tr><td>a<td>b</tr><tr id="it"><td>c<td>d</tr></table>`;
    expect((await isolated(rows)).texts).toEqual(["cd"]);
  });

  test("can be a part of an SVG, with what it references", async () => {
    const pdf = await isolated(
      `<svg width="300" height="100" style="display:block"><defs><linearGradient id="g"><stop stop-color="green"/></linearGradient></defs><rect width="90" height="90" fill="red"/><g id="it"><rect x="100" width="90" height="90" fill="url(#g)"/></g></svg>`,
    );
    const drawn = await pdf.draw(0);
    expect([drawn.colourAt(30, 30), drawn.colourAt(110, 30)]).toEqual([WHITE, GREEN]);
  });

  test("can be a dialog over the page, without its backdrop", async () => {
    const pdf = await isolated(
      `<p>page</p><dialog id="it" style="padding:0;border:0">${block(100, "green", "width:100px")}</dialog><script>it.showModal()</script>`,
    );
    const drawn = await pdf.draw(0);
    expect([drawn.colourAt(30, 30), drawn.colourAt(200, 200)]).toEqual([GREEN, WHITE]);
  });

  test("is on a single page of its height", async () => {
    const { sizes } = await isolated(block(3000) + it + block(500), "#it", { fitOnePage: true });
    expect(sizes).toHaveLength(1);
    expect(sizes[0]?.[1]).toBeCloseTo(75, -0.5);
  });

  test("that is invisible leaves the page unchanged", async () => {
    const capturing = await open(`<p>page</p><p id="hidden" hidden>x</p>`);
    expect(await isolateElement(capturing, "#hidden")).toBe(false);
    expect(readPdf(await printPdf(capturing, settings)).texts).toEqual(["page"]);
  });
});
