// Large tables: they are divided before they are printed, and look as if they were whole.
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BrowserSession, launchBrowser } from "../../../../lib/engine/browser/browser.ts";
import { divideLargeTables } from "../../../../lib/engine/formats/pdf/large-tables.ts";
import { printPdf } from "../../../../lib/engine/formats/pdf/pdf.ts";
import type { PdfSettings } from "../../../../lib/engine/formats/pdf/pdf-settings.ts";
import { buildInjectedScripts } from "../../../../lib/engine/page/build-injected-scripts.ts";
import type { HoveredPage } from "../../../../lib/engine/page/hover.ts";
import { type PageActivity, trackPage } from "../../../../lib/engine/page/page-activity.ts";
import { readPdf } from "../../../fixtures/pdf.ts";
import { captureWith, chromiumFiles, testLimits } from "../../../support/chromium.ts";
import { sample, sampled, slowDescribe, slowTest } from "../../../support/slow-run.ts";

const WIDTH = 576;
const window = { width: WIDTH, height: 800, scale: 1, mobile: false };

let session: BrowserSession;
let activity: PageActivity;
beforeAll(async () => {
  buildInjectedScripts();
  session = await launchBrowser({ files: await chromiumFiles(), allowed: new Set(), limits: testLimits });
  await session.cdp.send("Emulation.setDeviceMetricsOverride", { ...window, deviceScaleFactor: 1 });
  activity = await trackPage(session);
});
afterAll(() => session.close());

/** A page on its way to print, in a window as wide as the sheet. */
async function open(html: string): Promise<HoveredPage> {
  const page = await session.page();
  await page.setContent(`<!doctype html>${html}`);
  await page.emulateMediaType("print");
  const [budget, now] = [{ deadline: performance.now() + 60_000 }, () => performance.now()];
  return { session, activity, budget, now, warnings: [], window, pointer: {} } as unknown as HoveredPage;
}

const settings: PdfSettings = {
  paper: { width: 6, height: 8 },
  margin: {},
  landscape: false,
  isPaperExplicit: true,
  printBackground: true,
  scale: 1,
  preferCssPageSize: false,
  outline: true,
  tagged: true, // the print itself divides no tables then
  fitOnePage: false,
};

const times = (count: number, row: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index)).join("");
const row = (number: number) =>
  `<tr id="r${number}"><td>${number}<td>text ${"x".repeat(number % 7)}<td><a href="#r1">top</a>`;
const rows = times(1100, row);
const head = "<thead><tr><th>Number<th>Text<th>Link</thead>";
const foot = `<tfoot><tr><td colspan="3">Foot</tfoot>`;
const styles = (css: string) =>
  `<style>body{margin:0}table{width:100%;font:9px sans-serif}td,th{padding:0 2px}${css}</style>`;
const COLLAPSED = "table{border-collapse:collapse}td,th{border:1px solid}";

const divisible: readonly [string, string][] = [
  ["with collapsed borders", `${styles(COLLAPSED)}<h1>A</h1><table>${head}${rows}</table><h1>B</h1>`],
  [
    "with lines between rows, and stripes",
    `${styles("table{border-collapse:collapse}tr{border-bottom:1px solid}tr:nth-child(5n){background:#cde}tr:first-child,tr:last-child{color:red}tr:nth-last-child(600){background:lime}")}<table>${head}${rows}</table>`,
  ],
  [
    "with spacing",
    `${styles("table{border-spacing:3px;border:1px solid;margin:20px auto;width:80%}td{border:1px solid}")}<p>x<table>${head}${rows}</table>`,
  ],
  [
    "with a caption, columns and a foot",
    `${styles("")}<table><caption>All</caption><colgroup><col style="background:yellow;width:30%"><col span="2"></colgroup>${head}${rows}${foot}</table>`,
  ],
  ["with a foot and no head", `${styles(COLLAPSED)}<table>${rows}${foot}</table>`],
  [
    "as wide as its content, from right to left",
    `${styles("table{width:auto}")}<div dir="rtl"><table>${rows}</table></div>`,
  ],
  [
    "with columns of fixed widths, whose text is cut",
    `${styles(`${COLLAPSED}table{table-layout:fixed}td{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}`)}<table>${head}${times(1100, (number) => `<tr><td>${number}<td>${"long text ".repeat(30)}<td>x`)}</table>`,
  ],
  [
    "with columns in percent",
    `${styles(`${COLLAPSED}#t td:first-child{width:10%!important}td:nth-child(2){width:70%}`)}<table id="t">${head}${rows}</table>`,
  ],
  [
    "with several bodies and cells that span",
    `${styles("table{border-collapse:collapse}tr:nth-child(even){background:#cde}td{height:13px}")}<table>${head}<tbody>${times(499, row)}<tr><td rowspan="3">a<td>b<td>c<tr><td>d<td>e<tr><td>f<td>g</tbody><tbody>${times(700, (number) => (number % 50 === 0 ? `<tr><th colspan="3">Group` : row(600 + number)))}</tbody></table>`,
  ],
  [
    "with rows that CSS counts",
    `${styles("tr{counter-increment:n}td:first-child::before{content:counter(n) '. '}")}<table>${head}<tbody>${times(550, row)}<tbody>${times(550, row)}</table>`,
  ],
  [
    "with a head that sticks and rules for page breaks",
    `${styles("th{position:sticky;top:0;background:white}tr{break-inside:avoid}tr:nth-child(100n){break-after:page}")}<table>${head}${rows}</table>`,
  ],
  [
    "in a shadow root",
    `<div><template shadowrootmode="open">${styles(COLLAPSED)}<table>${head}${rows}</table></template></div>`,
  ],
  ["with hidden rows", `${styles(`${COLLAPSED}tr:nth-child(3n){display:none}`)}<table>${head}${rows}</table>`],
  ["with transitions", `${styles(`${COLLAPSED}*{transition:all 1s}`)}<table>${head}${rows}</table>`],
];

/** A quarter of a sheet, at which lines that are moved by half a pixel look alike. */
const COARSE_WIDTH = 108;

/** Share of the pixels that may differ: where borders are collapsed, parts may be moved by half a pixel. */
const MAX_DIFFERING = 0.02;

async function differingShare(one: Buffer, other: Buffer): Promise<number> {
  const [first, second] = await Promise.all(
    [one, other].map((png) => sharp(png).greyscale().resize({ width: COARSE_WIDTH }).raw().toBuffer()),
  );
  const differing = first?.filter((value, index) => Math.abs(value - (second?.[index] ?? 0)) > 40).length ?? 0;
  return differing / (first?.length ?? 1);
}

slowDescribe("a large table is printed on the same pages when it is divided:", () => {
  test.each(divisible)("%s", async (_, html) => {
    const whole = readPdf(await printPdf(await open(html), settings));
    const page = await open(html);
    expect(await divideLargeTables(page, 1)).toBe(1);
    const divided = readPdf(await printPdf(page, settings));
    const words = (text: string) => text.split(" ").toSorted();
    expect(divided.texts.map(words)).toEqual(whole.texts.map(words));
    expect([divided.sizes, divided.outline, divided.links]).toEqual([whole.sizes, whole.outline, whole.links]);
    for (const number of sample([...whole.sizes.keys()], 6)) {
      expect(await differingShare(whole.png(number), divided.png(number))).toBeLessThan(MAX_DIFFERING);
    }
  });
});

describe("a table stays whole, and as it was:", () => {
  sampled(test, 8).each([
    ["one whose rows are no table rows", `<style>tr{display:block}</style><table>${rows}</table>`],
    ["one of a few hundred rows", `<table>${times(300, row)}</table>`],
    ["one with a cell that spans all of its rows", `<table><tr><td rowspan="0">a${rows}</table>`],
    ["one with coloured rows, and spaces between the cells", `<style>tr{background:red}</style><table>${rows}</table>`],
    [
      "one whose cells would move",
      `${styles("table{border-collapse:collapse;border:4px solid red}td{border:4px solid}")}<table>${head}${rows}</table>`,
    ],
  ])("%s", async (_, html) => {
    const page = await open(html);
    const markup = async () => (await session.page()).$eval("table", (table) => table.outerHTML);
    const before = await markup();
    expect(await divideLargeTables(page, 1)).toBe(0);
    expect(await markup()).toBe(before);
  });
});

test("a table is large by its cells, regardless of its first row, and no element comes or goes when it is divided", async () => {
  const watching = `<script>
    const seen = new Set();
    new MutationObserver((all) => { for (const { type } of all) seen.add(type); document.title = [...seen].join(); })
      .observe(document.querySelector("table"), { subtree: true, childList: true, attributes: true });
  </script>`;
  const table = `<table><tr><th colspan="3">Report</th></tr>${rows}</table>`;
  const page = await open(`${styles(COLLAPSED)}${table}${watching}`);
  expect(await divideLargeTables(page, 3 * 1102)).toBe(0);
  expect(await divideLargeTables(page, 3 * 1101)).toBe(1);
  expect(await (await session.page()).title(), "what a script of the page sees").toBe("attributes");
});

slowTest("a divided table is as before when the page is laid out again", async () => {
  const page = await open(`${styles(COLLAPSED)}<table>${head}${rows}</table>`);
  const tableRows = async () => (await session.page()).$$eval("tbody > tr", (all) => all.map((tr) => tr.outerHTML));
  const before = await tableRows();
  expect(await divideLargeTables(page, 1)).toBe(1);
  expect(await tableRows()).not.toEqual(before);
  expect(await divideLargeTables(page)).toBe(0);
  expect(await tableRows()).toEqual(before);
});

/** Of a browser in the function of synchronous captures, which has 2,048 MB. */
const memory_megabytes = 1488;

slowTest(
  "a PDF of 8,000 rows of 12 cells fits into the memory of a synchronous capture, and the same tagged doesn't",
  async () => {
    const cells = (number: number) => `<tr>${times(12, (column) => `<td>${number * 12 + column} cell`)}`;
    const html = `<!doctype html><style>td{border:1px solid #999}</style><table>${times(8000, cells)}</table>`;
    const capture = (options: object) =>
      captureWith({ html, format: "pdf", timeout: 90, ...options }, { limits: { memory_megabytes } });
    const { body } = await capture({});
    expect(readPdf(body).texts.at(-1)).toContain("95999 cell");
    await expect(capture({ pdf_tagged: true })).rejects.toMatchObject({ code: "TARGET_TOO_LARGE" });
  },
  240_000,
);
