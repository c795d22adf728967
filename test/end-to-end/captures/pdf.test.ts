// PDFs through the whole service, read back from the file. What each option does is tested where pages are printed.
import { beforeAll, expect, inject, test } from "vitest";
import { readPdf } from "../../fixtures/pdf.ts";
import { TILE_HEIGHT, tileColour } from "../../fixtures/site-pages/lazy.ts";
import { type Client, openClient } from "../../support/client.ts";
import { slowTest } from "../../support/slow-run.ts";

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

/** Pages whose first word is their number. */
const pages = (count: number) =>
  Array.from({ length: count }, (_, n) => `<h1 style="break-after:page;margin:0">Sheet ${n + 1}</h1>`).join("");
const html = `<!doctype html><title>Sheets</title><style>body{margin:0}</style>`;

test("pdf: has the paper, the pages, and the header and footer of its options", async () => {
  const { sizes, texts } = await print({
    html: html + pages(5),
    pdf_paper_format: "LETTER",
    pdf_landscape: "true",
    pdf_page_ranges: "1-2,5",
    pdf_header_template: `<b>Report</b> <i class="title"></i>`,
    pdf_footer_template: `<span class="pageNumber"></span> of <span class="totalPages"></span>`,
  });
  expect(sizes).toEqual([1, 2, 3].map(() => [792, 612]));
  for (const [index, page] of [1, 2, 5].entries())
    for (const part of [`Sheet ${page}`, "Report Sheets", `${page} of `]) expect(texts[index]).toContain(part);
});

test("pdf: page ranges beyond the end are rejected, and so are margins that leave no space", async () => {
  const refusalOf = async (options: Options) => {
    const response = await client.capture({ format: "pdf", html: html + pages(2), ...options });
    const { code, details } = await response.json();
    return { status: response.status, code, details };
  };
  expect(await refusalOf({ pdf_page_ranges: "7-9" })).toMatchObject({
    status: 422,
    code: "VALIDATION_ERROR",
    details: { pdf_page_ranges: [expect.stringContaining("last page")] },
  });
  expect(await refusalOf({ pdf_margin: "12cm" })).toMatchObject({
    status: 422,
    code: "VALIDATION_ERROR",
    details: { pdf_margin: [expect.any(String)] },
  });
});

slowTest("pdf: contains images that load when they scroll into view", async () => {
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

test("pdf: is stored with its type, metadata, and links", async () => {
  const options = { url: `${site}/meta`, format: "pdf", response_type: "json", metadata_page_title: "true" };
  const result = await (await client.capture({ ...options, attachment_name: "meta.pdf" })).json();
  expect(result).toMatchObject({ mime_type: "application/pdf", metadata: { page_title: "Fixtures & figures" } });
  const stored = await fetch(result.url);
  expect(stored.headers.get("content-type")).toBe("application/pdf");
  expect(stored.headers.get("content-disposition")).toBe('attachment; filename="meta.pdf"');
  const { title, links, outline, isTagged } = readPdf(Buffer.from(await stored.arrayBuffer()));
  expect({ title, outline, isTagged }).toEqual({ title: "Fixtures & figures", outline: [], isTagged: false });
  expect(links[0]).toEqual(expect.arrayContaining([`${site}/documents/article`, "mailto:ann@example.com"]));
});

test("pdf: its options are rejected with an image, and vice versa", async () => {
  const requested = async (options: Options) => {
    const response = await client.capture({ html, ...options });
    return [response.status, Object.keys((await response.json()).details)];
  };
  expect(await requested({ pdf_margin: "1cm" })).toEqual([422, ["pdf_margin"]]);
  expect(await requested({ format: "pdf", image_width: "100" })).toEqual([422, ["image_width"]]);
});
