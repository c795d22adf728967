// Elements under the caller's mouse pointer.
import { describe, expect, test } from "vitest";
import { readPdf } from "../../../fixtures/pdf.ts";
import { decode, type Pixels } from "../../../fixtures/png.ts";
import { CLICKS } from "../../../fixtures/site-pages/interactive.ts";
import { GREEN } from "../../../fixtures/site-pages.ts";
import { captureWith, failureOf } from "../../../support/chromium.ts";
import { openPage } from "../../../support/open-page.ts";
import { runStep } from "../../../support/run-step.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { middleOf, startSmallCaptures } from "../../../support/small-captures.ts";

const { imageOf } = startSmallCaptures();

describe("hover", () => {
  sampled(test, 4).each([[false], [true]])("shows in the image (full_page: %s)", async (full_page) => {
    const image = await imageOf("/clicks", { hover: "#menu", full_page });
    expect(image.colourAt(...middleOf(CLICKS.submenu))).toEqual(CLICKS.submenu.colour);
  });

  describe("stays on the element", () => {
    const lime = [0, 255, 0];
    /** An element at 100, 900, of 60 by 60 pixels, in a box 20 pixels larger on each side; wider than the window. */
    const page = `<!doctype html><style>body{margin:0;position:relative;width:900px;height:1500px}
      #box{position:absolute;left:80px;top:880px;width:800px;height:100px;background:silver}
      #e,.other{position:absolute;left:100px;width:60px;height:60px;background:gray}#e:hover{background:lime}.other:hover{background:red}
      #e i{display:none;position:absolute;left:20px;top:20px;width:20px;height:20px;background:blue}</style>
      <div style="position:fixed;left:300px;top:0;width:50px;height:20px;background:green"></div>
      <div id="box"></div>${[300, 600, 1200].map((y) => `<div class="other" style="top:${y}px"></div>`).join("")}<div id="e" style="top:900px"><i></i></div>
      <script>{ const [shown] = e.children; e.onmouseenter = () => { shown.style.display = "block" }; e.onmouseleave = () => { shown.style.display = "none" } }</script>`;
    const captured = async (options: Record<string, unknown>) => {
      const { body } = await captureWith({
        html: page,
        hover: "#e",
        viewport_width: 400,
        viewport_height: 300,
        wait_until: "load", // it says nothing, which is what else would be waited for
        timeout: 20,
        ...options,
      });
      return body;
    };
    /** Left and top of the element in the picture. */
    const expectHovered = (image: Pixels, left: number, top: number) =>
      expect([image.colourAt(left + 5, top + 5), image.colourAt(left + 30, top + 30)]).toEqual([lime, [0, 0, 255]]);

    sampled(test, 8).each<[string, Record<string, unknown>, number, number]>([
      ["with scroll_into_view of the same element", { scroll_into_view: "#e" }, 100, 0],
      ["with a selector that is wider than the window", { selector: "#box" }, 20, 20],
      ["with a selector that is taller than the window", { selector: "body" }, 100, 900],
      ["by sections, below the first window", { full_page: true, full_page_algorithm: "by_sections" }, 100, 900],
      ["in a full page", { full_page: true }, 100, 900],
    ])("%s", async (_, options, left, top) => {
      const image = await decode(await captured(options));
      expectHovered(image, left, top);
      if (image.height > 1000) expect(image.countInColumn(105, [255, 0, 0])).toBe(0); // the pointer rests on nothing else
      if (options["full_page"]) expect(image.countInColumn(325, GREEN)).toBe(20); // what is fixed stays at the top
    });

    slowTest.each<[string, Record<string, unknown>, number, number]>([
      ["with a selector", { selector: "#e" }, 0, 0],
      ["on one sheet", { pdf_fit_one_page: true, pdf_paper_width: "900px", pdf_paper_height: "400px" }, 100, 900],
    ])("in a pdf %s", async (_, options, left, top) => {
      const pdf = readPdf(await captured({ format: "pdf", pdf_margin: 0, ...options }));
      expectHovered(await pdf.draw(0, 96 / 72), left, top);
    });
  });

  slowTest("without a match fails, or is skipped with a warning", async () => {
    await using page = await openPage("<p>Text");
    const hover = (options: object) =>
      runStep(page.capturing, "hover", { hover: "#nothing", ...options }, { leftS: 1 });
    expect(await failureOf(hover({}))).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      details: { hover: [expect.stringMatching(/^no element matched '#nothing' within/)] },
    });
    const { warnings } = await hover({ error_on_hover_selector_not_found: false });
    expect(warnings).toEqual(["No visible element matched the selector '#nothing' of 'hover'."]);
  });
});
