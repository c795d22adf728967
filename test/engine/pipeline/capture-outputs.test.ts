// Several outputs of one page: each is what it would be alone, in as few loads as allow that.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseOutputs } from "../../../lib/contract/options/outputs.ts";
import { planLoads } from "../../../lib/engine/pipeline/plan/plan-loads.ts";
import { readPdf } from "../../fixtures/pdf.ts";
import { captureOutputsWith, captureWith } from "../../support/chromium.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

type Raw = Readonly<Record<string, unknown>>;

/** Shows chance, time, what moves, what scrolls into view, what is fixed or sticky, what is transparent, and what is printed. */
const html = `<body style="margin: 0">
  <style>
    @keyframes appear { from { opacity: 0 } }
    header { position: fixed; top: 0; right: 0; left: 0; height: 20px; background: navy; color: white }
    section { height: 150px; animation: appear .2s; border: 1px solid }
    @keyframes turn { to { transform: rotate(1turn) } }
    #endless { width: 20px; height: 20px; background: teal; animation: turn 3s linear infinite }
    h2 { position: sticky; top: 0; margin: 0; background: white }
    #two { background: fixed linear-gradient(white, silver) }
    #reveal { height: 60px; background: gold; opacity: 0; transition: opacity .3s }
    #reveal.in { opacity: 1 }
    footer { position: fixed; bottom: 0; left: 0; width: 100px; height: 30px; background: green }
    @media print { section { color: red } header { display: none } }
  </style>
  <header>Fixed</header><div id="endless"></div>
  <p id="chance" style="margin-top: 60px"></p><p id="time"></p><canvas id="drawn" width="100" height="50"></canvas>
  <a href="https://example.com">A link</a>
  <section><h2>One</h2></section><section id="two">Two</section><section id="three">Three</section>
  <div id="reveal">Revealed</div><p id="printed"></p><footer>Fixed below</footer>
  <script>
    chance.textContent = Math.random();
    const draw = (now) => {
      time.textContent = new Date().toISOString() + " " + now + " " + scrollY;
      drawn.getContext("2d").fillRect(100 * Math.random(), 50 * Math.random(), 5, 5);
      if (now < 200) requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
    new IntersectionObserver(([entry]) => { if (entry.isIntersecting) three.textContent = "Seen"; }).observe(three);
    new IntersectionObserver(([entry]) => reveal.classList.toggle("in", entry.isIntersecting)).observe(reveal);
    matchMedia("print").addEventListener("change", ({ matches }) => { printed.textContent = "Print: " + matches; });
  </script>`;

const shared: Raw = { html, deterministic: true, viewport_width: 300, viewport_height: 400 };

/** An output of each kind. */
const kinds: Readonly<Record<string, Raw>> = {
  html: { format: "html" },
  markdown: { format: "markdown" },
  text: { format: "text" },
  json: { format: "json" },
  window: {},
  thumbnail: { format: "webp", image_width: 150 },
  transparent: { omit_background: true },
  palette: { format: "jpeg", metadata_palette: true, metadata_links: true },
  clip: { clip_x: 10, clip_y: 450, clip_width: 200, clip_height: 100 },
  element: { selector: "#two" },
  scrolled: { scroll_into_view: "#three" },
  page: { full_page: true },
  sections: { full_page: true, full_page_algorithm: "by_sections" },
  pdf: { format: "pdf" },
  pageJpeg: { format: "jpeg", full_page: true },
  pageThumbnail: { format: "webp", full_page: true, image_width: 100 },
  elementAvif: { format: "avif", selector: "#two" },
};

/** A window for what does not depend on its size. */
const small: Raw = { viewport_width: 200, viewport_height: 150 };

const names = Object.keys(kinds);
const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));

const alone = new Map<string, Promise<Buffer>>();

/** The bytes of an output that is captured alone. */
function bytesAlone(name: string): Promise<Buffer> {
  const captured =
    alone.get(name) ?? captureWith({ ...shared, ...kinds[name], response_type: "json" }).then(({ body }) => body);
  alone.set(name, captured);
  return captured;
}

const requested = (...of: readonly string[]): Raw => ({
  ...shared,
  outputs: of.map((name) => ({ name, ...kinds[name] })),
});

/** The loads that are planned, with the names of their outputs. */
const loadsOf = (sent: Raw) => planLoads(parseOutputs(sent)).map((load) => load.map(({ name }) => name));

async function expectBytesOfAlone(...of: readonly string[]): Promise<{ readonly loads: number }> {
  const { loads, outputs } = await captureOutputsWith(requested(...of));
  expect(outputs.map(({ name }) => name)).toEqual(of);
  for (const output of outputs) {
    if (!("capture" in output)) throw output.error;
    expect(output.capture.body.equals(await bytesAlone(output.name)), `the bytes of ${output.name}`).toBe(true);
  }
  return { loads };
}

describe("with `deterministic`, each output has the bytes that it has alone", () => {
  sampled(test, 2).each([
    ["a document, an image of the window, and a full page", ["html", "window", "page"]],
    ["an image of the window, and an element in two formats", ["window", "elementAvif", "element"]],
  ])("%s, of one load", async (_, outputs) => {
    expect(loadsOf(requested(...outputs))).toHaveLength(1);
    const { loads } = await expectBytesOfAlone(...outputs);
    expect(loads).toBe(1);
  });

  // Pairs that don't share a load are captured as alone by construction; one of them stands for all.
  const isShared = (pair: readonly string[]) => loadsOf(requested(...pair)).length === 1;
  const apart = pairs.filter((pair) => !isShared(pair));

  slowTest.each([...pairs.filter(isShared), ...apart.slice(0, 1)])(
    "%s and %s",
    async (...outputs) => void (await expectBytesOfAlone(...outputs)),
  );

  slowTest(
    "a full page in two formats, its thumbnail and Markdown of one load, and one visit of the page",
    async () => {
      const outputs = ["page", "pageJpeg", "markdown", "pageThumbnail"];
      expect(loadsOf(requested(...outputs))).toHaveLength(1);
      const { loads } = await expectBytesOfAlone(...outputs);
      expect(loads).toBe(1);
    },
  );

  slowTest(
    "a full page and a PDF of an app shell, whose scroller is visited for one and laid out in full height for the other",
    async () => {
      const shell = {
        ...shared,
        html: `<style>html, body, main { height: 100%; margin: 0 } main { overflow: auto } p { height: 300px }</style>
        <main>${Array.from({ length: 9 }, (_, index) => `<p>Part ${index}</p>`).join("")}</main>`,
      };
      const outputs = ["page", "pdf"].map((name) => ({ name, ...kinds[name] }));
      const { outputs: captured } = await captureOutputsWith({ ...shell, outputs });
      for (const output of captured) {
        if (!("capture" in output)) throw output.error;
        const alone = await captureWith({ ...shell, ...kinds[output.name] });
        expect(output.capture.body.equals(alone.body), `the bytes of ${output.name}`).toBe(true);
      }
    },
  );

  slowTest("eight outputs of one load", async () => {
    await expectBytesOfAlone("transparent", "window", "text", "html", "thumbnail", "json", "markdown", "palette");
  });
});

describe("a load is shared", () => {
  test("by documents, images of the window, and one output that changes the page, in this order", () => {
    expect(loadsOf(requested("element", "window", "text", "thumbnail"))).toEqual([
      ["text", "window", "thumbnail", "element"],
    ]);
  });

  test("by images of the same part of the page that are encoded from one picture", () => {
    expect(loadsOf(requested("pageThumbnail", "page", "elementAvif", "element"))).toEqual([
      ["page", "pageThumbnail"],
      ["element", "elementAvif"],
    ]);
  });

  test("by no two outputs that change the page for good", () => {
    expect(loadsOf(requested("element", "clip", "text"))).toEqual([["text", "element"], ["clip"]]);
    expect(loadsOf(requested("sections", "pdf"))).toEqual([["sections"], ["pdf"]]);
  });

  test("by full pages of any format, for which the page is visited once, after documents and images of the window", () => {
    const outputs = ["pageThumbnail", "page", "pageJpeg", "text", "window"];
    expect(loadsOf(requested(...outputs))).toEqual([["text", "window", "page", "pageJpeg", "pageThumbnail"]]);
  });

  test("by no full page and one by sections, for which every page is visited", () => {
    expect(loadsOf(requested("page", "sections"))).toEqual([["page"], ["sections"]]);
  });

  test("by no full page and a PDF, which show two ways in which a page is scrolled", () => {
    expect(loadsOf(requested("pdf", "page", "text"))).toEqual([["text", "page"], ["pdf"]]);
  });

  test("by no outputs for which the page is prepared in different ways, such as by scrolling in other steps", () => {
    const outputs = [
      { name: "one", full_page: true },
      { name: "two", full_page: true, full_page_scroll_by: 100 },
    ];
    expect(loadsOf({ html, outputs })).toEqual([["one"], ["two"]]);
  });

  slowTest("by no PDF after a full page to which a script has reacted for good", async () => {
    const noticing = `<header style="position: fixed; bottom: 0">Fixed</header><p style="height: 500px">Long</p><script>
      new MutationObserver(() => document.body.append("Noticed")).observe(document.querySelector("header"), { attributes: true });
    </script>`;
    const outputs = [
      { name: "page", full_page: true },
      { name: "pdf", format: "pdf" },
    ];
    const { loads, outputs: captured } = await captureOutputsWith({ html: noticing, ...small, outputs });
    expect(loads).toBe(2);
    const pdf = captured.find(({ name }) => name === "pdf");
    if (!pdf || !("capture" in pdf)) throw new Error("There is no PDF.");
    expect(readPdf(pdf.capture.body).texts.join(" ")).not.toContain("Noticed");
  });

  test("by no video, whose load is the last one", () => {
    const outputs = [{ name: "video", format: "gif", video_duration: 1 }, { name: "shot" }];
    expect(loadsOf({ html, outputs })).toEqual([["shot"], ["video"]]);
  });

  test("by no capture that is attempted again for its quality, or that is taken before the page is ready", () => {
    const outputs = [{ name: "one" }, { name: "two", format: "jpeg" }];
    for (const option of [{ min_quality: 50 }, { on_timeout: "capture" }]) {
      expect(loadsOf({ html, ...option, outputs })).toEqual([["one"], ["two"]]);
    }
  });
});

describe("loads of a page", () => {
  let server: Server;
  let url: string;
  let requests = 0;

  beforeAll(async () => {
    server = createServer(({ url: path }, response) => {
      if (path === "/" || path === "/live") requests++;
      const live = `<script>new WebSocket("ws://127.0.0.1:1/")</script>`;
      response.setHeader("content-type", "text/html");
      response.end(`<title>Home</title><h1>Home</h1>${path === "/live" ? live : ""}`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const allowed = () => ({ allow: [new URL(url).host] });

  test("are as many as are told", async () => {
    requests = 0;
    const outputs = [{ name: "shot" }, { name: "text", format: "text" }, { name: "page", format: "pdf" }];
    const { loads } = await captureOutputsWith({ url, ...small, outputs }, allowed());
    expect([loads, requests]).toEqual([1, 1]);
  });

  const absent = { name: "absent", selector: "#absent" };

  slowTest("an element that is absent after a full wait isn't waited for in another load", async () => {
    requests = 0;
    const outputs = [absent, { name: "text", format: "text" }];
    // The page keeps real time, in which no frames are rendered for the wait.
    const options = { url: `${url}/live`, ...small, timeout: 45, outputs };
    const { loads, outputs: captured } = await captureOutputsWith(options, allowed());
    const error = captured[0] && "error" in captured[0] ? captured[0].error : undefined;
    expect([loads, requests, error?.code]).toEqual([1, 1, "SELECTOR_NOT_FOUND"]);
    expect(error?.details).toEqual({ selector: ["no element matched '#absent' within 10 s"] });
    expect(captured[1]).toMatchObject({ name: "text", capture: { mimeType: "text/plain; charset=utf-8" } });
  });

  slowTest("an element is waited for in another load if the time of the request shortened the wait", async () => {
    const outputs = [absent, { name: "text", format: "text" }];
    const options = { url, ...small, deterministic: true, timeout: 8, outputs };
    const captured = await captureOutputsWith(options, allowed());
    expect(captured.loads).toBe(2);
    expect(captured.outputs).toMatchObject([
      { name: "absent", error: {} },
      { name: "text", capture: {} },
    ]);
  });

  test("an output that fails has the error that it has alone, and the others are captured", async () => {
    const outside = { clip_x: 0, clip_y: 90_000, clip_width: 10, clip_height: 10 };
    const outputs = [
      { name: "outside", ...outside },
      { name: "text", format: "text" },
      { name: "page", format: "pdf" },
    ];
    const captured = await captureOutputsWith({ url, ...small, outputs }, allowed());
    const states = captured.outputs.map((output) => ("error" in output ? output.error.code : output.capture.mimeType));
    expect(states).toEqual(["SELECTOR_NOT_FOUND", "text/plain; charset=utf-8", "application/pdf"]);
  });

  test("results that are larger than one may be, together, have an error from the one on that is too much", async () => {
    const text = { format: "text", html: `<p>${"word ".repeat(70_000)}</p>` }; // 350 kB
    const { html: long, ...one } = text;
    const outputs = [{ name: "one", ...one }, { name: "two", ...one }, { name: "three", ...one }, { name: "small" }];
    const limits = { result_megabytes: 1 };
    const captured = await captureOutputsWith({ html: long, ...small, outputs }, { limits });
    expect(captured.outputs.map((output) => ("error" in output ? output.error.code : "captured"))).toEqual([
      "captured",
      "captured",
      "RESULT_TOO_LARGE",
      "captured",
    ]);
    expect(captured.outputs[2]).toMatchObject({ error: { details: { limit: ["result_megabytes"] } } });
  });
});
