// PDF: headers, footers, and page numbers by the margin boxes of CSS, and how options change them.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../../lib/contract/options/capture-options.ts";
import { engineOptions } from "../../../../lib/contract/options/engine-options.ts";
import { printPdf } from "../../../../lib/engine/formats/pdf/pdf.ts";
import { createPdfSettings } from "../../../../lib/engine/formats/pdf/pdf-settings.ts";
import { readPdf } from "../../../fixtures/pdf.ts";
import { captureWith } from "../../../support/chromium.ts";
import { type OpenPage, openPage } from "../../../support/open-page.ts";
import { sampled } from "../../../support/slow-run.ts";

const guide = readFileSync(resolve(import.meta.dirname, "../../../../docs/guide/pdf.md"), "utf8");

/** The CSS that the guide shows below a sentence. */
function recipe(sentence: string): string {
  const [, css = ""] = new RegExp(`^${sentence}[^\\n]*:\\n\\n\`{3}css\\n(.+?)\\n\`{3}$`, "ims").exec(guide) ?? [];
  return css;
}

const html =
  "<style>section + section { break-before: page } table { width: 100%; text-align: right }</style><section>one</section><section id=methods>two</section>" +
  `<section><table><td>three</table></section>`;

let page: OpenPage;
beforeAll(async () => {
  page = await openPage("<!doctype html>", { window: { width: 1280, height: 1024 } });
});
afterAll(() => page[Symbol.asyncDispose]());

/** Prints the page with more styles, as a capture with these options does once the page is styled for print. */
async function print(styles: string, options: Readonly<Record<string, unknown>> = {}) {
  const { capturing } = page;
  const shown = await capturing.session.page();
  await shown.goto("about:blank"); // another document, without the style sheets of the last print
  await shown.setContent(`<!doctype html>${html}<style>${styles}</style>`);
  await shown.emulateMediaType("print");
  const settings = createPdfSettings(engineOptions(parseCaptureOptions({ html, format: "pdf", ...options })));
  return readPdf(await printPdf(capturing, settings));
}

test("pdf: a capture has the margin boxes of its styles", async () => {
  const styles = recipe("the first page has no header");
  const { body } = await captureWith({ html, styles, format: "pdf" });
  expect(readPdf(body).texts).toEqual(["1 of 3 one", "Annual report 2 of 3 two", "Annual report 3 of 3 three"]);
});

describe("pdf: a recipe of the guide does what it says:", () => {
  sampled(test, 3).each<[string, texts: readonly string[], last: "stands" | "lies"]>([
    [
      "the first page has no header",
      ["1 of 3 one", "Annual report 2 of 3 two", "Annual report 3 of 3 three"],
      "stands",
    ],
    ["the numbers begin at 5", ["5 one", "6 two", "7 three"], "stands"],
    ["the first page is not counted", ["one", "1 two", "2 three"], "stands"],
    ["one page lies among upright ones", ["one", "two", "three"], "lies"],
    ["a chapter has its own header", ["one", "Methods two", "three"], "stands"],
  ])("%s", async (name, texts, last) => {
    const pdf = await print(recipe(name));
    expect(pdf.texts).toEqual(texts);
    const orientations = pdf.sizes.map(([width, height]) => (width > height ? "lies" : "stands"));
    expect(orientations).toEqual(["stands", "stands", last]);
  });
});

describe("pdf: margin boxes of the page", () => {
  const boxes =
    "@page { margin: 25mm; @top-left-corner { content: 'A' } @top-center { content: 'B' } @left-middle { content: 'C' } @bottom-center { content: 'D' } }";

  sampled(test, 2).each<[string, Readonly<Record<string, unknown>>, letters: string]>([
    ["are printed", {}, "ABCD"],
    ["are printed on one page with margins", { pdf_fit_one_page: true, pdf_margin: "3cm" }, "ABCD"],
    ["are left out on one page without margins, where they would cover it", { pdf_fit_one_page: true }, ""],
    ["are left out at edges where the caller wants no margin", { pdf_margin_left: "0in" }, "BD"],
    ["are replaced by a header", { pdf_header_template: "<p>x</p>" }, "CD"],
    ["are replaced by a footer", { pdf_footer_template: "<p>x</p>" }, "ABC"],
  ])("%s", async (_, options, letters) => {
    const { texts } = await print(boxes, options);
    expect([...(texts[0]?.match(/[A-D]/g) ?? [])].toSorted().join("")).toBe(letters);
  });

  sampled(test, 2).each<[string, string, number]>([
    ["that has room for a header", "25mm", 71],
    ["without room for a header, which makes it 2 cm", "5mm", 57],
  ])("leave the page its margin %s", async (_, margin, y) => {
    const pdf = await print(`@page { margin: ${margin} } body { margin: 0 }`, { pdf_header_template: "<p>x</p>" });
    expect(pdf.lines(0).find(({ text }) => text === "one")?.y).toBeCloseTo(y, -1);
  });
});

describe("pdf: a named page that lies among upright ones", () => {
  const style = "@page { size: A4 } @page wide { size: A4 landscape } table { page: wide }";
  const [upright, lying] = ["420 596", "596 420"];

  sampled(test, 2).each<[string, string, Readonly<Record<string, unknown>>, string]>([
    ["lies on the caller's paper, too", style, {}, lying],
    ["and by a length", style.replace("A4 landscape", "20cm 10cm"), {}, lying],
    ["stands where the caller wants all pages upright", style, { pdf_landscape: false }, upright],
    ["stands where all pages of the document lie", style.replace("A4 }", "A4 landscape }"), {}, upright],
  ])("%s", async (_, styles, options, last) => {
    const pdf = await print(styles, { pdf_paper_format: "a5", ...options });
    expect(pdf.sizes.map((size) => size.map(Math.round).join(" "))).toEqual([upright, upright, last]);
    const right = pdf.lines(2).find(({ text }) => text === "three")?.x ?? 0;
    expect(right > 420).toBe(last === lying); // it is laid out in the width of its page
  });
});
