// Pages that scroll in a frame: wrapper pages, applications with a bar above a frame, and framesets.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPdf } from "../../fixtures/pdf.ts";
import {
  BAND,
  BANDED_WINDOW,
  bandColours,
  bandedPage,
  bands,
  bandsAt,
  bandTexts,
  fullPageOf,
  printedText,
} from "../../support/banded-page.ts";
import { captureWith } from "../../support/chromium.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";
import { decodeVideo } from "../../support/video.ts";

const BLUE = [0, 0, 255];
const RED = [255, 0, 0];
const GREEN = [0, 128, 0];
const HEAD = 50;

const FILLED =
  "html, body { height: 100%; overflow: hidden } iframe { border: 0; width: 100%; height: 100%; display: block }";
const srcdoc = (html: string) => `srcdoc="${html.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;

const content = bandedPage("", bands(4));
const withBars = bandedPage(
  `header, footer { position: fixed; inset: 0 0 auto; height: ${HEAD}px; background: blue } footer { inset: auto 0 0; background: red }
   main { padding: ${HEAD}px 0 } .hero { height: 50vh; background: green }`,
  `<header></header><main><div class="hero"></div>${bands(4)}</main><footer></footer>`,
);
const shell = bandedPage(
  `html, body { height: 100% } body { display: flex; flex-direction: column } header { height: ${HEAD}px; background: blue; flex: none }
   main { flex: 1; overflow: auto; min-height: 0 }`,
  `<header></header><main>${bands(4)}</main>`,
);
const wrapper = (attributes: string) => bandedPage(FILLED, `<iframe ${attributes}></iframe>`);

let server: Server;
let settings: { allow: string[] };
let [origin, foreign] = ["", ""];

/** Documents by path. The second address of the server is of another origin. */
const documents: Record<string, () => string> = {
  "/content": () => content,
  "/with-bars": () => withBars,
  "/frameset": () => `<frameset cols="30%,*" border="0"><frame src="/menu"><frame src="${foreign}/content"></frameset>`,
  "/frameset-rows": () =>
    `<frameset rows="${HEAD},*" border="0"><frame src="/bar" noresize><frameset cols="50%,50%"><frame src="/menu"><frame src="/content"></frameset></frameset>`,
  "/frameset-shares": () => `<frameset rows="50%,50%" border="0"><frame src="/menu"><frame src="/content"></frameset>`,
  "/menu": () => bandedPage("", bands(4, 20)),
  "/bar": () => "<body style='background:blue'>",
  "/foreign": () => wrapper(`src="${foreign}/with-bars"`),
  "/nested-bars": () => wrapper(`src="${foreign}/nested-bars-inner"`),
  "/nested-bars-inner": () => wrapper(`src="${origin}/with-bars"`),
  "/nested": () => wrapper(`src="${foreign}/nested-inner"`),
  "/nested-inner": () => wrapper(`src="${origin}/content"`),
};

beforeAll(async () => {
  server = createServer(({ url = "/" }, answer) => {
    answer.setHeader("content-type", "text/html; charset=utf-8").end(documents[url]?.() ?? "");
  });
  await once(server.listen(0), "listening");
  const { port } = server.address() as AddressInfo;
  [origin, foreign] = [`http://127.0.0.1:${port}`, `http://127.0.0.2:${port}`];
  settings = { allow: [`127.0.0.1:${port}`, `127.0.0.2:${port}`] };
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});

const ALGORITHMS = ["default", "by_sections"];

describe("a page that is one frame", () => {
  const pages: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ["of srcdoc", { html: wrapper(srcdoc(content)) }],
    [
      "in which an application scrolls",
      { html: wrapper(srcdoc(shell.replace("background: blue", "background: rgb(0, 0, 255)"))) },
    ],
  ];
  slowTest.each(ALGORITHMS.flatMap((algorithm) => pages.map((page) => [...page, algorithm] as const)))(
    "%s is shown whole (%j, %s)",
    async (_, options, full_page_algorithm) => {
      const image = await fullPageOf({ ...options, full_page_algorithm }, settings);
      const top = image.height - 4 * BAND;
      expect([0, HEAD]).toContain(top);
      expect(bandsAt(image, 200, { count: 4, top })).toEqual(bandColours(4));
      expect(image.warnings).toEqual([]);
    },
  );

  sampled(test, 2).each([
    ["another frame of another origin", "/nested-bars"],
    ["no other one", "/foreign"],
  ])("in %s is shown whole, with its fixed bars at its ends, and lengths in vh as they were", async (_, path) => {
    const image = await fullPageOf({ url: origin + path }, settings);
    expect(image.height).toBe(HEAD + 150 + 4 * BAND + HEAD);
    expect([image.colourAt(200, 20), image.colourAt(200, image.height - 20)]).toEqual([BLUE, RED]);
    expect([image.countInColumn(200, GREEN), image.countInColumn(200, RED)]).toEqual([150, HEAD]);
    expect(bandsAt(image, 300, { count: 4, top: HEAD + 150 })).toEqual(bandColours(4));
    expect(image.warnings).toEqual([]);
  });

  test("below a bar and next to a menu that scrolls, each is shown whole", async () => {
    const html = bandedPage(
      `html, body { height: 100% } body { display: flex; flex-direction: column } header { height: ${HEAD}px; background: blue; flex: none }
       main { flex: 1; display: flex; min-height: 0 } nav { width: 110px; overflow: auto } iframe { flex: 1; border: 0; height: 100% }`,
      `<header></header><main><nav>${bands(4, 20)}</nav><iframe ${srcdoc(content)}></iframe></main>`,
    );
    const image = await fullPageOf({ html });
    expect(image.height).toBe(HEAD + 4 * BAND);
    expect(image.colourAt(200, 20)).toEqual(BLUE);
    expect(bandsAt(image, 90, { count: 4, top: HEAD })).toEqual(bandColours(4, 20));
    expect(bandsAt(image, 300, { count: 4, top: HEAD })).toEqual(bandColours(4));
  });

  test("shows what is revealed in it while it is scrolled", async () => {
    const revealing = bandedPage(
      ".box { height: 200px; margin: 150px 0; background: red; transition: opacity .2s } .hidden .box { opacity: 0 }",
      `${'<div class="hidden"><div class="box"></div></div>'.repeat(2)}<script>
        const observer = new IntersectionObserver((entries) => {
          for (const { target, isIntersecting } of entries) target.classList.toggle("hidden", !isIntersecting);
        });
        for (const element of document.querySelectorAll(".hidden")) observer.observe(element);
      </script>`,
    );
    const image = await fullPageOf({ html: wrapper(srcdoc(revealing)) });
    expect(image.countInColumn(200, RED)).toBe(400);
  });

  describe("with content that changes when the frame grows", () => {
    const reacting = bandedPage(
      "",
      `${bands(4)}<script>
        addEventListener("resize", () => { if (innerHeight > 300) document.body.style.marginLeft = "50px"; });
      </script>`,
    );

    test("is shown whole, since nothing grows while it is visited", async () => {
      const image = await fullPageOf({ html: wrapper(srcdoc(reacting)) });
      expect(bandsAt(image, 20, { count: 4 })).toEqual(bandColours(4));
      expect(image.height).toBe(4 * BAND);
      expect(image.warnings).toEqual([]);
    });

    test("stays as it is, with a warning, where it is not visited", async () => {
      const image = await fullPageOf({ html: wrapper(srcdoc(reacting)), full_page_scroll: false });
      expect(image.height).toBe(BANDED_WINDOW.height);
      expect(image.warnings).toEqual([
        "The page scrolls in a frame that can't be laid out in full height without changing other parts of the page. " +
          "The capture shows it as the window does.",
      ]);
    });
  });

  sampled(test, 4).each(["/foreign", "/nested"])("is printed whole: %s", async (path) => {
    const text = await printedText({ url: origin + path }, settings);
    expect(bandTexts(4).filter((band) => !text.includes(band))).toEqual([]);
  });

  slowTest("is scrolled in a video", async () => {
    const { width, height } = BANDED_WINDOW;
    const { body } = await captureWith(
      {
        url: `${origin}/nested`,
        format: "gif",
        video_scenario: "scroll",
        video_duration: 1,
        video_fps: 5,
        scroll_back: false,
        scroll_start_delay: 0,
        viewport_width: width,
        viewport_height: height,
      },
      settings,
    );
    const { frames } = await decodeVideo(body);
    expect(frames.at(0)?.pixel(200, 50)).toEqual(bandColours(1)[0]);
    expect(frames.at(-1)?.pixel(200, 250)).toEqual(bandColours(4)[3]);
  });
});

describe("a frameset", () => {
  slowTest.each(ALGORITHMS)("of columns shows both documents whole, %s", async (full_page_algorithm) => {
    const image = await fullPageOf({ url: `${origin}/frameset`, full_page_algorithm }, settings);
    expect(image.height).toBe(4 * BAND);
    expect(bandsAt(image, 60, { count: 4 })).toEqual(bandColours(4, 20));
    expect(bandsAt(image, 300, { count: 4 })).toEqual(bandColours(4));
    expect(image.warnings).toEqual([]);
  });

  test("below a bar shows both documents whole", async () => {
    const image = await fullPageOf({ url: `${origin}/frameset-rows` }, settings);
    expect(image.colourAt(200, 20)).toEqual(BLUE);
    expect(bandsAt(image, 350, { count: 4, top: image.height - 4 * BAND })).toEqual(bandColours(4));
  });

  test("of rows with shares of the height shows both documents whole", async () => {
    const image = await fullPageOf({ url: `${origin}/frameset-shares` }, settings);
    expect(image.height).toBe(8 * BAND);
    expect(bandsAt(image, 200, { count: 8 })).toEqual([...bandColours(4, 20), ...bandColours(4)]);
  });

  slowTest("is printed whole on one sheet, with a warning", async () => {
    const { width, height } = BANDED_WINDOW;
    const options = { url: `${origin}/frameset`, format: "pdf", viewport_width: width, viewport_height: height };
    const { body, warnings } = await captureWith(options, settings);
    expect(warnings).toEqual(["The page is a frameset, which can't be divided: all of it is on one PDF page."]);
    const text = readPdf(body).texts.join("").replace(/\s+/g, "");
    expect([...bandTexts(4, 20), ...bandTexts(4)].filter((band) => !text.includes(band))).toEqual([]);
  });
});
