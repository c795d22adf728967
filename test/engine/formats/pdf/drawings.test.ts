// Charts in a PDF: laid out for the width of the sheet, as a script draws them.
import { expect, test } from "vitest";
import { readPdf } from "../../../fixtures/pdf.ts";
import { sampled } from "../../../support/slow-run.ts";
import { startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf } = startSmallCaptures();

const RED = [255, 0, 0];
const WIDE = { viewport_width: 1280, viewport_height: 800, format: "pdf" };

/** Two boxes of class `c` in one of class `g`, each with a drawing as `draw(box)` returns it: as wide as the box. */
const page = (styles: string, script: string) => `<!doctype html>
  <style>body { margin: 0 } .c { height: 100px } canvas, svg { display: block } ${styles}</style>
  <div class="g"><div class="c"></div><div class="c"></div></div><script>
    const boxes = document.querySelectorAll(".c");
    const paint = (canvas, width) => {
      Object.assign(canvas, { width, height: 100 });
      const context = canvas.getContext("2d");
      context.fillStyle = "teal";
      context.fillRect(0, 0, width, 100);
      context.fillStyle = "red";
      context.fillRect(width - 20, 0, 20, 100);
    };
    const canvasIn = (box) => box.appendChild(document.createElement("canvas"));
    ${script}
  </script>`;

const observed = `for (const box of boxes) {
  const canvas = canvasIn(box);
  new ResizeObserver(() => paint(canvas, box.clientWidth)).observe(box);
}`;

/** Redraws when the window is resized, after a moment, in an element of its own with a width in pixels. */
const onResize = `for (const box of boxes) {
  const inner = box.appendChild(document.createElement("div"));
  const canvas = canvasIn(inner);
  const draw = () => {
    inner.style.display = "none";
    const width = box.clientWidth;
    inner.style.cssText = "width:" + width + "px";
    paint(canvas, width);
  };
  draw();
  let timer;
  addEventListener("resize", () => { clearTimeout(timer); timer = setTimeout(draw, 150) });
}`;

const svg = `for (const box of boxes) {
  const draw = () => {
    const width = box.clientWidth;
    box.innerHTML = '<svg width="' + width + '" height="100"><rect width="100%" height="100" fill="teal"/><rect x="' + (width - 20) + '" width="20" height="100" fill="red"/></svg>';
  };
  new ResizeObserver(draw).observe(box);
}`;

sampled(test, 8).each<[string, string, string, readonly number[]]>([
  ["in a grid", ".g { display: grid; grid-template-columns: 1fr 1fr }", observed, [397, 794]],
  ["in a flexible box", ".g { display: flex } .c { flex: 1 }", observed, [397, 794]],
  ["redrawn when the window is resized", ".g { display: grid; grid-template-columns: 1fr 1fr }", onResize, [397, 794]],
  ["in SVG", ".g { display: grid; grid-template-columns: 1fr 2fr }", svg, [265, 794]],
  [
    "one below the other where the sheet is narrow",
    ".g { display: grid } @media (min-width: 900px) { .g { grid-template-columns: 1fr 1fr } }",
    onResize,
    [794],
  ],
])("charts in a PDF are as wide as the sheet lets them be: %s", async (_, styles, script, rightEnds) => {
  const { body, warnings } = await captureOf(page(styles, script), WIDE);
  const drawn = await readPdf(body).draw(0, 96 / 72);
  expect(rightEnds.map((x) => drawn.colourAt(x - 8, 50))).toEqual(rightEnds.map(() => RED));
  expect(warnings).toEqual([]);
});

test("charts in a PDF: one that has a width by intention keeps it", async () => {
  const { body } = await captureOf(
    page(".c { display: inline-block }", "for (const box of boxes) paint(canvasIn(box), 400)"),
    WIDE,
  );
  const drawn = await readPdf(body).draw(0, 96 / 72);
  expect([drawn.colourAt(392, 50), drawn.colourAt(410, 50)]).toEqual([RED, [255, 255, 255]]);
});
