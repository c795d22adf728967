// A PDF is printed after a visit of the page: what appears, is drawn or is mounted in view is on paper.
import { describe, expect, test } from "vitest";
import { readPdf } from "../../../fixtures/pdf.ts";
import { captureWith } from "../../../support/chromium.ts";
import { sampled, slowDescribe, slowTest } from "../../../support/slow-run.ts";

const printed = async (html: string, options: Readonly<Record<string, unknown>> = {}) => {
  const { body, warnings, problems } = await captureWith({ html, format: "pdf", ...options });
  const pdf = readPdf(body);
  return { pdf, text: pdf.texts.join(" "), warnings, codes: problems.map(({ code }) => code) };
};

const NUMBERS = Array.from({ length: 6 }, (_, index) => index + 1);
const cards = (content = "") =>
  NUMBERS.map((number) => `<div class="card" data-number="${number}">Card ${number}${content}</div>`).join("");
const GREEN = [0, 128, 0];
const BASE = `<!doctype html><style>
  body { margin: 0; font: 20px sans-serif } .card { height: 380px; margin: 16px; overflow: hidden; break-inside: avoid }
  .card canvas, .card svg { display: block; width: 100%; height: 300px }
</style>`;

/** What a page does with each card as it comes into the window and leaves it. */
const observed = (script: string, options = "{}") =>
  `<script>{
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) { ${script} }
    }, ${options});
    for (const card of document.querySelectorAll(".card")) observer.observe(card);
  }</script>`;

const reveal = (style: string) => `<style>.card { opacity: 0; ${style} } .card.shown { opacity: 1 }</style>`;

describe("a PDF has what a page reveals in view", () => {
  sampled(test, 4).each([
    [
      "long after the scroll, and hides again",
      reveal("transition: opacity 1s .4s"),
      observed("target.classList.toggle('shown', isIntersecting)"),
    ],
    [
      "by a timer, and hides again",
      reveal(""),
      observed("setTimeout(() => target.classList.toggle('shown', isIntersecting), 700)"),
    ],
    [
      "in its middle only",
      reveal(""),
      observed("if (isIntersecting) target.classList.add('shown')", "{ rootMargin: '-45% 0px' }"),
    ],
    [
      "when all of it is in the window",
      reveal(""),
      observed("if (isIntersecting) target.classList.add('shown')", "{ threshold: 1 }"),
    ],
  ])("%s", async (_, style, script) => {
    const green = "<style>.card { background: green; height: 220px }</style>";
    const page = `${BASE}${style}${green}<p style="height:600px">Top</p>${cards()}<p style="height:600px">End</p>${script}`;
    const { pdf, warnings } = await printed(page);
    expect(warnings).toEqual([]);
    const sheets = await Promise.all(pdf.sizes.map((_, number) => pdf.draw(number)));
    const rows = sheets.map((sheet) => sheet.countInColumn(300, GREEN));
    // 220 pixels of each card are 165 points; what is still faint is not of this colour.
    const perCard = rows.reduce((sum, count) => sum + count, 0) / NUMBERS.length;
    expect(Math.abs(perCard - 165), `${perCard} rows for each card`).toBeLessThan(2);
  });
});

describe("a PDF has what a page removes out of view", () => {
  const chart = "'<svg viewBox=\"0 0 400 300\"><text y=\"99\">Figure ' + card.dataset.number * 111 + '</text></svg>'";
  const drawn = (events: string) =>
    `<script>{
      const draw = () => {
        for (const card of document.querySelectorAll(".card")) {
          const { top, bottom } = card.getBoundingClientRect();
          const box = card.querySelector("div");
          if (bottom < 0 || top > innerHeight) box.innerHTML = "";
          else if (!box.firstChild) box.innerHTML = ${chart};
        }
      };
      for (const event of ${events}) addEventListener(event, draw);
      draw();
    }</script>`;

  sampled(test, 2).each([
    [
      "by its observer",
      observed(`const card = target; card.querySelector("div").innerHTML = isIntersecting ? ${chart} : ""`),
    ],
    ["as it is scrolled", drawn("['scroll']")],
    [
      "as it is scrolled, where a part is as tall as the window",
      `<header style="height: calc(100 * var(--vh))">Hero</header><script>
        const setHeight = () => document.documentElement.style.setProperty("--vh", innerHeight / 100 + "px");
        addEventListener("resize", setHeight); setHeight();
      </script>${drawn("['scroll', 'resize']")}`,
    ],
  ])("%s", async (_, script) => {
    const { text, warnings, codes } = await printed(`${BASE}${cards("<div></div>")}${script}`);
    expect([warnings, codes]).toEqual([[], []]);
    expect(NUMBERS.filter((number) => !text.includes(`Figure ${number * 111}`))).toEqual([]);
  });

  slowTest("such as the rows of a virtualized list", async () => {
    const { text, warnings } = await printed(`${BASE}<main style="position:relative;height:6000px"></main><script>
      const main = document.querySelector("main");
      const show = () => {
        main.replaceChildren();
        for (let n = Math.max(0, Math.floor(scrollY / 40) - 2); n < Math.min(150, (scrollY + innerHeight) / 40 + 2); n++)
          main.insertAdjacentHTML("beforeend", '<p style="position:absolute;margin:0;top:' + n * 40 + 'px">Row ' + n + ".</p>");
      };
      addEventListener("scroll", show); addEventListener("resize", show); show();
    </script>`);
    expect(warnings).toEqual([]);
    expect(Array.from({ length: 150 }, (_, n) => n).filter((n) => !text.includes(`Row ${n}.`))).toEqual([]);
  });
});

slowTest("a PDF has pictures that are fixed behind clip paths in their openings, and not over the text", async () => {
  const opening = (name: string) =>
    `<section style="position:relative;height:400px;clip-path:inset(0)"><div style="position:fixed;inset:0;background:green">${name}</div></section>`;
  const text = (name: string) => `<div style="height:300px;background:white">${name}</div>`;
  const { pdf } = await printed(
    `${BASE}${text("Intro")}${opening("First")}${text("Between")}${opening("Second")}${text("End")}`,
    {
      pdf_fit_one_page: true,
    },
  );
  const page = await pdf.draw(0, 4 / 3);
  const colours = [200, 500, 900, 1_200, 1_600].map((y) => page.colourAt(400, y));
  const [white, green] = [
    [255, 255, 255],
    [0, 128, 0],
  ];
  expect(colours).toEqual([white, green, white, green, white]);
  expect(pdf.texts[0]?.split(" ").sort()).toEqual(["Between", "End", "First", "Intro", "Second"]);
});

describe("a PDF of a dark page", () => {
  const controls = `<input style="position:absolute;left:40px;top:40px;width:200px;height:80px"><div style="position:absolute;left:40px;top:200px;width:200px;height:80px;background:light-dark(rgb(255,0,0),rgb(0,0,255))"></div>`;
  sampled(test, 2).each([
    ["that has both schemes", "<style>:root { color-scheme: light dark }</style>"],
    ["that names them for all of it", '<meta name="color-scheme" content="light dark">'],
  ])("%s is dark: the sheet and its margins, light-dark() and the fields of forms", async (_, head) => {
    const { pdf } = await printed(`<!doctype html>${head}${controls}`, { dark_mode: true, pdf_margin: "1in" });
    const page = await pdf.draw(0);
    const margin = page.colourAt(10, 10);
    expect(margin).toEqual(page.colourAt(400, 500));
    expect(Math.max(...margin)).toBeLessThan(40);
    expect(page.colourAt(72 + 60, 72 + 170)).toEqual([0, 0, 255]);
    expect(Math.max(...page.colourAt(72 + 60, 72 + 60))).toBeLessThan(90);
  });

  slowTest("that has a background has it in the margins, too", async () => {
    const { pdf } = await printed(
      "<!doctype html><style>@media (prefers-color-scheme: dark) { body { background: rgb(0, 0, 128) } }</style>Text",
      { dark_mode: true, pdf_margin: "1in" },
    );
    expect((await pdf.draw(0)).colourAt(10, 10)).toEqual([0, 0, 128]);
  });

  slowTest("is light without dark_mode", async () => {
    const { pdf } = await printed("<!doctype html><style>:root { color-scheme: light dark }</style>Text");
    expect((await pdf.draw(0)).colourAt(300, 300)).toEqual([255, 255, 255]);
  });
});

slowDescribe("what paper cuts off at the side", () => {
  const line = (length: number) => `const line = "${"x".repeat(length)}";`;
  const table = (columns: number) =>
    `<div style="overflow-x:auto"><table>${"<td style='min-width:120px;border:1px solid'>cell".repeat(columns)}</table></div>`;
  test.each([
    ["a table that scrolls", table(9), ["HORIZONTAL_OVERFLOW"]],
    ["code and a table that fit", `<pre style="overflow:auto">${line(20)}</pre>${table(3)}`, []],
    [
      "a row of pictures that scrolls",
      `<div style="overflow:auto;display:flex">${"<b style='flex:0 0 300px'>1</b>".repeat(9)}</div>`,
      [],
    ],
    [
      "code that wraps on paper",
      `<style>@media print { pre { white-space: pre-wrap; overflow-wrap: anywhere } }</style><pre style="overflow:auto">${line(200)}</pre>`,
      [],
    ],
  ])("%s", async (_, body, expected) => {
    expect((await printed(`<!doctype html>${body}`)).codes).toEqual(expected);
  });

  test("such as a long line of code is a problem, and whole with its fix", async () => {
    const html = `<!doctype html><pre style="overflow:auto">${line(200)} // end</pre>`;
    const { problems } = await captureWith({ html, format: "pdf" });
    expect(problems.map(({ code }) => code)).toEqual(["HORIZONTAL_OVERFLOW"]);
    const fixed = await printed(html, problems[0]?.fix ?? {});
    expect(fixed.codes).toEqual([]);
    expect(fixed.text).toContain("end");
  });
});
