// Full pages and PDFs of what is only there, or only where it belongs, while it is in view: reveals, parallax, and scenes.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { readPdf } from "../../../fixtures/pdf.ts";
import { decode } from "../../../fixtures/png.ts";
import { WHITE } from "../../../fixtures/site-pages.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { type Options, startSmallCaptures } from "../../../support/small-captures.ts";

const small = startSmallCaptures();
const captureOf = (html: string, options?: Options) =>
  small.captureOf(html, { full_page: true, wait_until: "load", viewport_width: 200, timeout: 60, ...options });
const imageOf = async (html: string, options?: Options) => decode((await captureOf(html, options)).body);

const packaged = (path: string) => readFileSync(createRequire(import.meta.url).resolve(path), "utf8");

/** The colour of the n-th section. */
const colourOf = (n: number) => [20 + n * 20, 200 - n * 15, 90];
const COUNT = 7;
const numbers = Array.from({ length: COUNT }, (_, n) => n);
const colours = numbers.map(colourOf);

/** Sections of 200 pixels, each with a colour of its own. */
const sections = (attributes = "") =>
  numbers.map((n) => `<section ${attributes} style="background: rgb(${colourOf(n)})">Section ${n}</section>`).join("");

const page = (body: string, styles: string) =>
  `<!doctype html><style>body { margin: 0 } section { height: 200px } ${styles}</style>${body}`;

/** Runs `update` with each section, now and after each scroll. */
const onScroll = (update: string, debounceMs = 0) =>
  `<script>
    const update = () => document.querySelectorAll("section").forEach((s) => { const { top, bottom } = s.getBoundingClientRect(); ${update} });
    let timer;
    addEventListener("scroll", () => { clearTimeout(timer); timer = setTimeout(update, ${debounceMs}) });
    update();
  </script>`;

const hidden = "section { opacity: 0; transform: translateY(60px); transition: opacity .6s, transform .6s }";
const revealPages: Readonly<Record<string, string>> = {
  "by a class, and hidden again": page(
    sections() + onScroll(`s.classList.toggle("in", top < innerHeight - 50)`, 60),
    `${hidden} .in { opacity: 1; transform: none }`,
  ),
  "while it is in view only": page(
    sections() + onScroll(`s.style.visibility = top < innerHeight - 20 && bottom > 20 ? "visible" : "hidden"`),
    "",
  ),
  "by an observer and an animation": page(
    `${sections()}<script>
      const observer = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries)
          target.animate({ opacity: isIntersecting ? [0, 1] : [1, 0] }, { duration: 400, fill: "forwards" });
      }, { threshold: 0.3 });
      document.querySelectorAll("section").forEach((s) => observer.observe(s));
    </script>`,
    "section { opacity: 0 }",
  ),
  "in a shadow root": page(
    `<div id="host"></div><script>
      const root = host.attachShadow({ mode: "open" });
      root.innerHTML = \`<style>section { height: 200px; opacity: 0; transition: opacity .3s } .in { opacity: 1 }</style>${sections()}\`;
      const update = () => root.querySelectorAll("section").forEach((s) => s.classList.toggle("in", s.getBoundingClientRect().top < innerHeight - 50));
      addEventListener("scroll", update);
      update();
    </script>`,
    "",
  ),
  "by AOS with its defaults": page(
    `<style>${packaged("aos/dist/aos.css")}</style>${sections('data-aos="fade-up"')}
     <script>${packaged("aos/dist/aos.js")}</script><script>AOS.init()</script>`,
    "",
  ),
};

describe("what scrolling reveals", () => {
  sampled(test, 8).for(Object.entries(revealPages))("%s: is in a full page", async ([, html]) => {
    const { body, warnings } = await captureOf(html);
    expect((await decode(body)).columnColours(190, 200)).toEqual(colours);
    expect(warnings).toEqual([]);
  });

  const [[, byClass] = ["", ""], ...others] = Object.entries(revealPages);
  const aos = others.at(-1)?.[1] ?? "";

  slowTest.each([byClass, aos])("is in a full page by sections (%#)", async (html) => {
    const image = await imageOf(html, { full_page_algorithm: "by_sections" });
    expect(image.columnColours(190, 200)).toEqual(colours);
  });

  sampled(test, 4).each([byClass, aos])("is in a PDF in screen media (%#)", async (html) => {
    const paper = { pdf_paper_width: "200px", pdf_paper_height: `${200 * COUNT}px`, pdf_margin: 0 };
    const { body } = await captureOf(html, { full_page: undefined, format: "pdf", media_type: "screen", ...paper });
    const sheet = await (await readPdf(body)).draw(0, 4 / 3);
    const drawn = sheet.columnColours(190, 200).slice(0, COUNT);
    const offBy = drawn.flatMap((colour, n) => colour.map((value, at) => Math.abs(value - (colourOf(n)[at] ?? 0))));
    expect(Math.max(...offBy)).toBeLessThanOrEqual(1); // as PDF rounds colours
  });

  slowTest.each([byClass, aos])("is in a full page that keeps real time (%#)", async (html) => {
    const socket = `<script>new WebSocket("ws://127.0.0.1:1/")</script>`;
    const image = await imageOf(html + socket);
    expect(image.columnColours(190, 200)).toEqual(colours);
  });

  sampled(test, 8).for(Object.entries(revealPages))(
    "%s: is in the image of an element that is larger than the window",
    async ([name, html]) => {
      const selector = name === "in a shadow root" ? "#host" : "body";
      const image = await imageOf(html, { full_page: undefined, selector });
      expect(image.columnColours(190, 200)).toEqual(colours);
    },
  );

  slowTest.each([byClass, aos])("is in the image of an element below the window (%#)", async (html) => {
    const image = await imageOf(html, { full_page: undefined, selector: "section:nth-of-type(6)" });
    expect(image.columnColours(190, 200)).toEqual([colourOf(5)]);
  });

  sampled(test, 8).for(Object.entries(revealPages))("%s: is in a rectangle below the window", async ([, html]) => {
    const clip = { clip_x: 50, clip_y: 800, clip_width: 100, clip_height: 400 };
    const image = await imageOf(html, { full_page: undefined, ...clip });
    expect(image.columnColours(90, 200)).toEqual([4, 5].map(colourOf));
  });

  slowTest.each([byClass, aos])("is in the window that is scrolled to it (%#)", async (html) => {
    const image = await imageOf(html, { full_page: undefined, scroll_into_view: "section:nth-of-type(5)" });
    expect(image.colourAt(190, 100)).toEqual(colourOf(4));
  });

  slowTest("is in a full page although another element makes the page wider while it is in view", async () => {
    const wide = `<p></p><script>
      addEventListener("scroll", () => { document.querySelector("p").style.transform = \`translateX(\${scrollY}px)\` });
    </script>`;
    const image = await imageOf(
      `${byClass}<style>p { position: absolute; top: 700px; right: 0; width: 90px; height: 50px }</style>${wide}`,
    );
    expect([image.width, image.columnColours(100, 200)]).toEqual([200, colours]);
  });

  test("is left out where the page is not scrolled", async () => {
    const image = await imageOf(byClass, { full_page_scroll: false });
    expect(image.colourAt(190, 1_300)).toEqual(WHITE);
  });

  test("leaves a header that hides while the page is scrolled at the top", async () => {
    const header = `<header style="position: fixed; inset: 0 0 auto; height: 40px; background: rgb(0, 0, 255); transition: transform .2s"></header>`;
    const html = page(
      `${header + sections()}<script>
        addEventListener("scroll", () => { document.querySelector("header").style.transform = scrollY > 100 ? "translateY(-100%)" : "" });
      </script>`,
      "",
    );
    const image = await imageOf(html);
    expect([image.colourAt(190, 20), image.colourAt(190, 100)]).toEqual([[0, 0, 255], colourOf(0)]);
    expect(image.countInColumn(190, [0, 0, 255])).toBe(40);
  });
});

describe("what moves while the page is scrolled", () => {
  const FILL = [10, 120, 160];

  test("fills its place: a parallax picture by a script of the page's own", async () => {
    const banner = `<section class="banner"><div></div></section>`;
    const html = page(
      Array(3).fill(`<section></section>${banner}`).join("") +
        onScroll(
          `if (s.firstChild) s.firstChild.style.transform = \`translateY(\${(innerHeight / 2 - (top + bottom) / 2) * 0.5}px)\``,
        ),
      `.banner { overflow: hidden; position: relative } .banner div { position: absolute; inset: -60px 0; background: rgb(${FILL}) }`,
    );
    const image = await imageOf(html);
    expect(image.countInColumn(100, FILL)).toBe(3 * 200);
  });

  slowTest("fills its place: by rellax", async () => {
    const html = page(
      `${Array(3).fill(`<section></section><section class="banner"><div class="rellax" data-rellax-speed="2"></div></section>`).join("")}
       <script>${packaged("rellax/rellax.min.js")}</script><script>new Rellax(".rellax", { center: true })</script>`,
      `.banner { overflow: hidden; position: relative } .banner div { position: absolute; inset: -120px 0; background: rgb(${FILL}) }`,
    );
    const image = await imageOf(html);
    expect(image.countInColumn(100, FILL)).toBe(3 * 200);
  });

  slowTest("is shown as its windows show it where fixed layers play scenes", async () => {
    const layers = numbers.map((n) => `<div style="background: rgb(${colourOf(n)})"></div>`).join("");
    const html = page(
      `${layers}<main></main><script>
        const play = () => document.querySelectorAll("div").forEach((layer, n) => {
          layer.style.transform = \`translateY(\${Math.max(0, (n - scrollY / 300) * 100)}%)\`;
        });
        addEventListener("scroll", play);
        play();
      </script>`,
      `div { position: fixed; inset: 0 } main { height: ${300 * COUNT}px }`,
    );
    const { body, warnings } = await captureOf(html);
    const seen = new Set((await decode(body)).columnColours(100, 50).map(String));
    expect(colours.filter((colour) => !seen.has(String(colour)))).toEqual([]);
    expect(warnings).toHaveLength(1);
  });

  test("is shown as it is in view if a script gives it another layout there", async () => {
    const html = page(
      sections() + onScroll(`s.style.display = "flex"; s.innerHTML = top < innerHeight && bottom > 0 ? "<b></b>" : ""`),
      `b { width: 50%; background: rgb(${FILL}) }`,
    );
    const { body, warnings } = await captureOf(html);
    const image = await decode(body);
    expect(image.columnColours(50, 200)).toEqual(numbers.map(() => FILL));
    expect(warnings).toEqual([]); // each window is joined as it was seen
  });
});
