// PDF options through the whole service, read back from the file.
import { beforeAll, describe, expect, inject, test } from "vitest";
import { paperFormats } from "../../../lib/contract/options/values/paper.ts";
import { readPdf } from "../../fixtures/pdf.ts";
import { TILE_HEIGHT, tileColour } from "../../fixtures/site-pages/lazy.ts";
import { GREEN, RED, WHITE } from "../../fixtures/site-pages.ts";
import { type Client, openClient } from "../../support/client.ts";
import { sampled } from "../../support/slow-run.ts";

const { site } = inject("service");
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

type Options = Record<string, string>;

async function print(options: Options) {
  const response = await client.capture({ format: "pdf", ...options });
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(String(body));
  expect(response.headers.get("content-type")).toBe("application/pdf");
  return readPdf(body);
}

async function refusalOf(options: Options) {
  const response = await client.capture({ format: "pdf", ...options });
  const { code, details } = await response.json();
  return { status: response.status, code, details };
}

/** Sheets of A4 without margins, 1123 px tall each; the first word of each is its number. */
const sheets = (count: number) =>
  Array.from({ length: count }, (_, n) => `<h1 style="break-after:page;margin:0">Sheet ${n + 1}</h1>`).join("");
const html = `<!doctype html><title>Sheets</title><style>body{margin:0}</style>`;
const filled = `${html}<div style="height:400px;background:red"></div>`;

const POINTS = 72;
const CM = POINTS / 2.54;

describe("pdf: paper", () => {
  sampled(test, 2).each(Object.entries(paperFormats))("%s has its size", async (name, { width, height }) => {
    const [size] = (await print({ html, pdf_paper_format: name.toUpperCase() })).sizes;
    expect(Math.abs((size?.[0] ?? 0) - width * POINTS)).toBeLessThan(1);
    expect(Math.abs((size?.[1] ?? 0) - height * POINTS)).toBeLessThan(1);
  });

  test("is A4 by default", async () => {
    expect((await print({ html })).sizes).toEqual((await print({ html, pdf_paper_format: "a4" })).sizes);
  });

  test("can have any width and height", async () => {
    const { sizes } = await print({ html, pdf_paper_width: "10cm", pdf_paper_height: "384px" });
    expect(sizes).toEqual([[expect.closeTo(10 * CM, -0.2), expect.closeTo(288, -0.2)]]);
  });

  test("is rotated by pdf_landscape", async () => {
    const [[width = 0, height = 0] = []] = (await print({ html, pdf_paper_format: "letter", pdf_landscape: "true" }))
      .sizes;
    expect([width, height]).toEqual([792, 612]);
  });

  test("is the page's own, and that of the caller only without pdf_prefer_css_page_size", async () => {
    const own = { html: `<style>@page { size: 4in 3in }</style>x` };
    expect((await print(own)).sizes).toEqual([[288, 216]]);
    const letter = { ...own, pdf_paper_format: "letter" };
    expect((await print(letter)).sizes).toEqual([[612, 792]]);
    expect((await print({ ...letter, pdf_prefer_css_page_size: "true" })).sizes).toEqual([[288, 216]]);
  });
});

describe("pdf: margins", () => {
  /** The box of red in the first sheet, in points from its edges. */
  async function edges(options: Options) {
    const pdf = await print({ html: `${html}<div style="height:3000px;background:red"></div>`, ...options });
    const { width, height, pixelAt } = await pdf.draw(0);
    const isRed = (x: number, y: number) => String(pixelAt(x, y).slice(0, 3)) === String(RED);
    const [middleX, middleY] = [Math.floor(width / 2), Math.floor(height / 2)];
    const from = (most: number, at: (n: number) => boolean) => Array.from({ length: most }, (_, n) => n).findIndex(at);
    return [
      from(height, (y) => isRed(middleX, y)),
      from(width, (x) => isRed(width - 1 - x, middleY)),
      from(height, (y) => isRed(middleX, height - 1 - y)),
      from(width, (x) => isRed(x, middleY)),
    ];
  }

  sampled(test, 4).each<[string, Options, readonly number[]]>([
    ["are none by default", {}, [0, 0, 0, 0]],
    ["are one for all sides", { pdf_margin: "2cm" }, [2 * CM, 2 * CM, 2 * CM, 2 * CM]],
    ["are four from the top clockwise", { pdf_margin: "1in 0.5in 2in 72px" }, [72, 36, 144, 54]],
    [
      "are one for each side, which wins",
      {
        pdf_margin: "1in",
        pdf_margin_top: "0",
        pdf_margin_right: "2in",
        pdf_margin_bottom: "12mm",
        pdf_margin_left: "96px",
      },
      [0, 144, 1.2 * CM, 72],
    ],
  ])("%s", async (_, options, expected) => {
    const found = await edges(options);
    for (const [side, points] of expected.entries()) expect(Math.abs((found[side] ?? -9) - points)).toBeLessThan(2.5);
  });

  test("that leave no space are rejected", async () => {
    expect(await refusalOf({ html, pdf_margin: "12cm" })).toMatchObject({
      status: 422,
      code: "VALIDATION_ERROR",
      details: { pdf_margin: [expect.any(String)] },
    });
  });
});

describe("pdf: content", () => {
  sampled(test, 2).each([
    ["is printed by default", {}, RED],
    ["is left out", { pdf_print_background: "false" }, WHITE],
  ])("has the background %s", async (_, options, colour) => {
    expect((await (await print({ html: filled, ...options })).draw(0)).colourAt(100, 100)).toEqual(colour);
  });

  sampled(test, 3).each([
    ["0.5", 150],
    ["1", 300],
    ["2", 600],
  ])("is scaled by pdf_scale %s", async (pdf_scale, bottom) => {
    const drawn = await (await print({ html: filled, pdf_scale })).draw(0);
    expect([drawn.colourAt(100, bottom - 4), drawn.colourAt(100, bottom + 4)]).toEqual([RED, WHITE]);
  });

  sampled(test, 2).each<[string, Options, readonly number[]]>([
    ["of print", {}, GREEN],
    ["of the screen with media_type", { media_type: "screen" }, RED],
  ])("has the style %s", async (_, options, colour) => {
    const page = `<style>body{background:red} @media print { body { background: green } }</style>x`;
    expect((await (await print({ html: page, ...options })).draw(0)).colourAt(200, 200)).toEqual(colour);
  });

  test("contains images that load when they scroll into view", async () => {
    const pdf = await print({ url: `${site}/lazy-gallery?count=20`, pdf_fit_one_page: "true" });
    const image = await pdf.draw(0, 96 / 72);
    const scale = image.height / (20 * TILE_HEIGHT);
    const seen = Array.from({ length: 20 }, (_, tile) =>
      image.colourAt(Math.floor(image.width / 2), Math.floor((tile + 0.5) * TILE_HEIGHT * scale)),
    );
    for (const [tile, colour] of seen.entries()) {
      const distance = Math.max(...tileColour(tile).map((part, n) => Math.abs(part - (colour[n] ?? 0))));
      expect(distance, `tile ${tile} is ${colour}`).toBeLessThan(4);
    }
  });

  test("is one element with selector", async () => {
    const page = `${html}<p>Before</p><section id="it"><h2>It</h2></section><p>After</p>`;
    expect((await print({ html: page, selector: "#it" })).texts).toEqual(["It"]);
    expect(await refusalOf({ html: page, selector: "#none", timeout: "8" })).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
    });
  });

  test("keeps its links", async () => {
    const { links } = await print({ url: `${site}/meta` });
    expect(links[0]).toEqual(expect.arrayContaining([`${site}/documents/article`, "mailto:ann@example.com"]));
  });
});

describe("pdf: pdf_page_ranges", () => {
  sampled(test, 6).each([
    ["2", ["Sheet 2"]],
    ["1-2,5", ["Sheet 1", "Sheet 2", "Sheet 5"]],
    ["4-", ["Sheet 4", "Sheet 5"]],
  ])("%s keeps these pages", async (pdf_page_ranges, kept) => {
    const { texts } = await print({ html: html + sheets(5), pdf_page_ranges });
    expect(texts.filter(Boolean)).toEqual(kept);
  });

  test("beyond the end are rejected", async () => {
    expect(await refusalOf({ html: html + sheets(2), pdf_page_ranges: "7-9" })).toMatchObject({
      status: 422,
      code: "VALIDATION_ERROR",
      details: { pdf_page_ranges: [expect.stringContaining("last page")] },
    });
  });
});

describe("pdf: header and footer", () => {
  const templates = {
    pdf_header_template: `<b>Report</b> <i class="title"></i>`,
    pdf_footer_template: `<span class="pageNumber"></span> of <span class="totalPages"></span>`,
  };

  test("are on each page, with page numbers", async () => {
    const { texts, sizes } = await print({ html: html + sheets(2), ...templates });
    const total = sizes.length;
    for (const [sheet, text] of texts.entries()) {
      expect(text).toContain("Report Sheets");
      expect(text).toContain(`${sheet + 1} of ${total}`);
    }
    expect(texts[1]).toContain("Sheet 2");
  });

  test("get margins that fit them", async () => {
    const lines = (await print({ html: `${html}<h1 style="margin:0">Title</h1>`, ...templates })).lines(0);
    const [header, title, footer] = ["Report", "Title", "of"].map((word) =>
      lines.find(({ text }) => text.includes(word)),
    );
    expect(header && header.y + header.h).toBeLessThan(2 * CM);
    expect(title?.y).toBeGreaterThan(1.9 * CM);
    expect(footer?.y).toBeGreaterThan(841 - 2 * CM);
  });

  test("that would load a resource are rejected", async () => {
    const refusal = await refusalOf({ html, pdf_header_template: `<img src="${site}/image">` });
    expect(refusal).toMatchObject({ status: 422, details: { pdf_header_template: [expect.any(String)] } });
  });
});

describe("pdf: pdf_fit_one_page", () => {
  test("is one page, as wide as the paper and as tall as the content", async () => {
    const tall = { url: `${site}/bands?count=60` };
    expect((await print(tall)).sizes.length).toBeGreaterThan(3);
    const { sizes } = await print({ ...tall, pdf_fit_one_page: "true" });
    expect(sizes).toEqual([[expect.closeTo(595, -0.3), expect.closeTo(60 * 75, -1.5)]]);
  });
});

describe("pdf: document properties", () => {
  const page = { url: `${site}/documents/article` };

  test("contain the title; outline and tags only when requested", async () => {
    const plain = await print(page);
    expect([plain.title, plain.outline, plain.isTagged]).toEqual(["How to read a page", [], false]);
    expect((await print({ ...page, pdf_tagged: "true" })).isTagged).toBe(true);
    expect((await print({ ...page, pdf_outline: "true" })).outline).toEqual([
      { title: "How to read a page", depth: 0 },
      { title: "Lists", depth: 1 },
      { title: "A table", depth: 1 },
      { title: "Code", depth: 2 },
    ]);
  });
});

test("pdf: is stored with its type and metadata", async () => {
  const options = { url: `${site}/meta`, format: "pdf", response_type: "json", metadata_page_title: "true" };
  const result = await (await client.capture({ ...options, attachment_name: "meta.pdf" })).json();
  expect(result).toMatchObject({ mime_type: "application/pdf", metadata: { page_title: "Fixtures & figures" } });
  const stored = await fetch(result.url);
  expect(stored.headers.get("content-type")).toBe("application/pdf");
  expect(stored.headers.get("content-disposition")).toBe('attachment; filename="meta.pdf"');
  expect(readPdf(Buffer.from(await stored.arrayBuffer())).title).toBe("Fixtures & figures");
});

test("pdf: its options are rejected with an image, and vice versa", async () => {
  const requested = async (options: Options) => {
    const response = await client.capture({ html, ...options });
    return [response.status, Object.keys((await response.json()).details)];
  };
  expect(await requested({ pdf_margin: "1cm" })).toEqual([422, ["pdf_margin"]]);
  expect(await requested({ format: "pdf", image_width: "100" })).toEqual([422, ["image_width"]]);
});
