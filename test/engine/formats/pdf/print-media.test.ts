// A PDF is loaded for the screen, as by a visitor who prints the page, and then styled for print.
import { describe, expect, test } from "vitest";
import { readPdf } from "../../../fixtures/pdf.ts";
import { captureWith } from "../../../support/chromium.ts";

const printed = async (html: string, options: Readonly<Record<string, unknown>> = {}) =>
  readPdf((await captureWith({ html, format: "pdf", ...options })).body);

describe("a PDF", () => {
  const noticing = `<style>p { display: none } @media print { p { display: block } }</style><p id="told"></p>
    <script>
      const print = matchMedia("print");
      told.textContent = "Loaded for " + (print.matches ? "print." : "the screen.");
      print.addEventListener("change", ({ matches }) => told.append(" Print: " + matches));
    </script>`;

  test("is loaded for the screen, and the page is told that it is printed", async () => {
    const { texts } = await printed(noticing);
    expect(texts.join(" ")).toBe("Loaded for the screen. Print: true");
  });

  test("has the lazy images that only the print styles show, wherever they are on the page", async () => {
    const red = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="red"/></svg>`;
    const html = `<style>body { margin: 0 } div { display: none } @media print { div { display: block } main { height: 20000px; display: none } }</style>
      <main>Screen</main><div><img loading="lazy" width="100" height="100" src="data:image/svg+xml,${encodeURIComponent(red)}"></div>`;
    const page = await (await printed(html, { full_page_scroll: false })).draw(0);
    expect(page.colourAt(30, 30)).toEqual([255, 0, 0]);
  });

  test("of an element that only the print styles show has it", async () => {
    const { texts } = await printed(
      `<style>b { display: none } @media print { b { display: block } }</style>Screen<b>Print</b>`,
      {
        selector: "b",
      },
    );
    expect(texts).toEqual(["Print"]);
  });
});
