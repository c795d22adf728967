// Canvases in a PDF: their content is printed, regardless of their context, and the page around them stays as it is.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Pdf, readPdf } from "../../../fixtures/pdf.ts";
import { type Site, startSite } from "../../../fixtures/site.ts";
import { BLACK, GREEN, RED, WHITE } from "../../../fixtures/site-pages.ts";
import { captureWith } from "../../../support/chromium.ts";
import { slowTest } from "../../../support/slow-run.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const BLUE = [0, 0, 255];
const YELLOW = [255, 255, 0];

/** Prints HTML on paper of 300 × 300 points, 4/3 CSS pixels each. */
const print = async (html: string, options: Readonly<Record<string, unknown>> = {}): Promise<Pdf> => {
  const requested = { format: "pdf", pdf_paper_width: "400px", pdf_paper_height: "400px", timeout: 20, ...options };
  return readPdf((await captureWith({ html, ...requested }, { allow: [site.hostPort] })).body);
};

const page = (body: string, style = "") =>
  `<!doctype html><style>body{margin:0}canvas{display:block}${style}</style>${body}`;

/** Paints all of a canvas in a colour, and transparent what lies in its right half. */
const drawing = `const draw = (canvas, colour, settings) => {
  const gl = canvas.getContext("webgl", settings);
  gl.clearColor(...colour, 1); gl.clear(gl.COLOR_BUFFER_BIT);
  gl.enable(gl.SCISSOR_TEST); gl.scissor(canvas.width / 2, 0, canvas.width, canvas.height);
  gl.clearColor(0, 0, 0, 0); gl.clear(gl.COLOR_BUFFER_BIT); gl.disable(gl.SCISSOR_TEST);
}; const green = [0, 128 / 255, 0];`;

const drawn = (statements: string) => `<script>${drawing} ${statements}</script>`;
const canvas = (id: string, style = "") => `<canvas id="${id}" width="80" height="40" style="${style}"></canvas>`;

/** Colours in the left and right half of a canvas whose top left corner lies at a place in CSS pixels. */
const halvesOf = async (pdf: Pdf, left: number, top: number) => {
  const sheet = await pdf.draw(0, 4 / 3);
  return [sheet.colourAt(left + 20, top + 20), sheet.colourAt(left + 60, top + 20)];
};

describe("print canvases: WebGL is not blank in a PDF", () => {
  let pdf: Pdf;
  beforeAll(async () => {
    const framed = page(`${canvas("c")}${drawn("draw(c, green)")}`, "body{background:blue}").replaceAll('"', "&quot;");
    const body = `${canvas("once")}${canvas("often")}${canvas("opaque")}
      <div style="width:60px;height:40px;overflow:hidden;background:blue"><div style="opacity:.5">${canvas("within", "transform:translateX(-20px)")}</div></div>
      <div id="host"></div><iframe srcdoc="${framed}" style="display:block;border:0;width:80px;height:40px"></iframe>
      ${canvas("kept")}${canvas("worker")}`;
    const statements = `draw(once, green); draw(opaque, green, { alpha: false }); draw(within, green);
      (function loop() { draw(often, green); requestAnimationFrame(loop); })();
      const root = host.attachShadow({ mode: "open" });
      root.innerHTML = '<style>canvas{display:block;box-sizing:border-box;padding:1px;background:yellow}</style><canvas width="80" height="40"></canvas>';
      draw(root.querySelector("canvas"), green);
      draw(kept, green, { preserveDrawingBuffer: true });
      const code = ${JSON.stringify(drawing)} + "onmessage = ({ data }) => draw(data, green)";
      const offscreen = worker.transferControlToOffscreen();
      new Worker(URL.createObjectURL(new Blob([code]))).postMessage(offscreen, [offscreen]);`;
    pdf = await print(page(body + drawn(statements)));
  });

  test.each<[string, number, number[][]]>([
    ["drawn once", 0, [GREEN, WHITE]],
    ["drawn in each frame", 1, [GREEN, WHITE]],
    ["without an alpha channel", 2, [GREEN, BLACK]],
    ["in a shadow root", 4, [GREEN, YELLOW]],
    ["in a frame", 5, [GREEN, BLUE]],
    ["with preserveDrawingBuffer", 6, [GREEN, WHITE]],
    ["drawn by a worker", 7, [GREEN, WHITE]],
  ])("%s", async (_, row, colours) => {
    expect(await halvesOf(pdf, 0, row * 40)).toEqual(colours);
  });

  test("transformed, translucent and clipped, once", async () => {
    const sheet = await pdf.draw(0, 4 / 3);
    const [faded = [], neighbour, outside] = [10, 40, 70].map((x) => sheet.colourAt(x, 140));
    expect([neighbour, outside]).toEqual([BLUE, WHITE]);
    expect(faded.map((channel) => Math.round(channel / 8))).toEqual([0, 8, 16]); // half green, half blue
  });
});

test("print canvases: a canvas keeps its style, position and resolution when it is printed as an image", async () => {
  const style = `canvas:nth-child(2){border:10px solid blue;background:yellow;animation:fade 1s both}
    @keyframes fade{from{opacity:0}to{translate:20px}}p{margin:0;font:20px/40px serif}`;
  const body = `<p>before</p><canvas id="c" width="320" height="160" style="width:80px;height:40px"></canvas><p>after</p>
    <canvas id="fine" width="200" height="200" style="width:50px;height:50px"></canvas>
    <script>new ResizeObserver(([{ target }]) => { if (target.seen) target.append(" resized"); target.seen = true; }).observe(document.body)</script>`;
  const columns = `const gl = fine.getContext("webgl"); gl.enable(gl.SCISSOR_TEST);
    for (let x = 0; x < 200; x += 2) { gl.scissor(x, 0, 2, 200); gl.clearColor(x % 4 / 2, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT); }`;
  // A window as wide as the paper: the page sees the resize to the width of its sheet otherwise.
  const pdf = await print(page(body + drawn(`draw(c, green); ${columns}`), style), { viewport_width: 400 });
  expect(pdf.texts).toEqual(["before after"]);
  expect(pdf.lines(0).map(({ x, y }) => [x, Math.round((y * 4) / 3 / 10)])).toEqual([
    [0, 1],
    [0, 11],
  ]);
  const sheet = await pdf.draw(0, 4 / 3);
  expect([25, 50, 90, 125].map((x) => sheet.colourAt(x, 70))).toEqual([BLUE, GREEN, YELLOW, WHITE]);
  const close = await pdf.draw(0, 16 / 3); // a pixel to each of the canvas
  expect([1, 3, 5, 7].map((x) => (close.colourAt(x, (140 + 20) * 4)[0] ?? 0) > 128)).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

slowTest("print canvases: a canvas on a single-page PDF is printed as drawn for the paper's width", async () => {
  const body = `<canvas id="c" style="width:100%;height:100px"></canvas>`;
  const fit = "new ResizeObserver(() => { c.width = c.clientWidth; c.height = 100; draw(c, green); }).observe(c)";
  const sheet = await (await print(page(body + drawn(fit)), { pdf_fit_one_page: true })).draw(0, 4 / 3);
  expect([sheet.colourAt(190, 50), sheet.colourAt(210, 50)]).toEqual([GREEN, WHITE]);
});

test("print canvases: a canvas tainted by a cross-origin image is printed as before", async () => {
  const image = `${site.origin}/solid-image?colour=${RED}&after=0&name=x`;
  const body = `${canvas("c", "padding-bottom:10px;background:yellow")}<script>
    const image = new Image(); image.onload = () => c.getContext("2d").drawImage(image, 0, 0, 40, 40); image.src = "${image}";</script>`;
  expect(await halvesOf(await print(page(body)), 0, 0)).toEqual([RED, YELLOW]);
});
