// Pages that never stand still: what moves forever is not waited for, and what comes to rest next to it is.
import { describe, expect, test } from "vitest";
import { decode } from "../../fixtures/png.ts";
import { captureWith } from "../../support/chromium.ts";
import { IS_SLOW_RUN, sampled, slowTest } from "../../support/slow-run.ts";

type Options = Readonly<Record<string, unknown>>;

const captureOf = (html: string, options: Options = {}) =>
  captureWith({ html, viewport_width: 400, viewport_height: 300, timeout: 60, ...options });

const imageOf = async (html: string, options: Options = {}) => decode((await captureOf(html, options)).body);

const [GREEN, WHITE] = [
  [0, 128, 0],
  [255, 255, 255],
];

const page = (style: string, body: string, script: string) =>
  `<!doctype html><style>body{margin:0;background:white}${style}</style>${body}<script>${script}</script>`;

/** A canvas of 400 × 100 pixels that is drawn in each frame: green and blue bars that move to the right. */
const LOOP = `
  const context2d = document.querySelector("#loop").getContext("2d");
  let frames = 0;
  requestAnimationFrame(function draw() {
    if (++frames % 10 === 0) console.log(frames);
    for (let x = 0; x < 400; x += 20) {
      context2d.fillStyle = x % 40 ? "green" : "blue";
      context2d.fillRect((x + 3 * frames) % 400, 0, 20, 100);
    }
    heavy();
    requestAnimationFrame(draw);
  });`;

const loop = `<canvas id="loop" width="400" height="100" style="display:block"></canvas>`;
const cheap = "const heavy = () => {};";

/** So many frames, of those that `LOOP` counts, take a tenth of a second each, more or less. */
const expensive = (count: number) =>
  `let sum = 0; const heavy = () => { if (frames <= ${count}) for (let n = 0; n < 4e7; n++) sum += n % 7 };`;

const COUNTING = { metadata_console: true, response_type: "json" };

/** How many frames the page was given, rounded down to tens, for a capture with `COUNTING`. */
const framesOf = ({ metadata }: Awaited<ReturnType<typeof captureOf>>) =>
  Math.max(0, ...(metadata.console ?? []).map(({ text }) => Number(text)));

describe("a canvas that is drawn without end", () => {
  test("is in the picture, ends the wait after the longest time that charts take, and leaves the rest as it is", async () => {
    const rest = `<div style="height:100px;background:green"></div><p>Some text below the canvas</p>`;
    const capture = await captureOf(page("", loop + rest, cheap + LOOP), COUNTING);
    const image = await decode(capture.body);
    expect(framesOf(capture)).toBeGreaterThan(20);
    expect(framesOf(capture)).toBeLessThan(200);
    expect(Array.from({ length: 20 }, (_, n) => image.colourAt(100 + 2 * n, 50))).toContainEqual(GREEN);
    expect(image.colourAt(10, 50)).not.toEqual(WHITE);
    expect(image.colourAt(390, 290)).toEqual(WHITE);
    expect([105, 150, 195].map((y) => image.colourAt(200, y))).toEqual([GREEN, GREEN, GREEN]);
  });

  slowTest("is next to what looks as it does on a page without it", async () => {
    const rest = "<h1>Heading</h1><p>Some text below the canvas</p>";
    const moving = await imageOf(page("", loop + rest, cheap + LOOP));
    const still = await imageOf(page("", `<div style="height:100px;background:green"></div>${rest}`, ""));
    for (let y = 100; y < 300; y += 3)
      for (let x = 0; x < 400; x += 3) expect([x, y, moving.colourAt(x, y)]).toEqual([x, y, still.colourAt(x, y)]);
  });

  test("is waited for when it is a chart that draws itself next to something that moves forever", async () => {
    const chart = `
      const chart = document.querySelector("#loop").getContext("2d");
      requestAnimationFrame(function draw(now) {
        const share = Math.min(1, (now - 100) / 1000);
        chart.fillStyle = "green";
        chart.fillRect(0, 0, 400 * share, 100);
        if (share < 1) requestAnimationFrame(draw);
      });`;
    const image = await imageOf(page("", `${loop}<marquee>News</marquee>`, chart));
    expect(image.colourAt(395, 50)).toEqual(GREEN);
  });
});

describe("on a page with expensive frames", () => {
  const counter = `
    const start = performance.now();
    requestAnimationFrame(function count(now) {
      const share = Math.min(1, (now - start) / 1200);
      document.querySelector("p").textContent = "Customers: " + Math.round(222 * share);
      if (share < 1) requestAnimationFrame(count);
    });`;
  const style = "div { width: 0; height: 100px; background: green; transition: width .8s } .in { width: 400px }";
  const widening = `setTimeout(() => document.querySelector("div").classList.add("in"), 300);`;

  test("a transition and a counter end in the time that the caller gives them, after few frames", async () => {
    const html = page(style, `${loop}<div></div><p></p>`, expensive(8) + LOOP + counter + widening);
    const options = { ...COUNTING, metadata_content: true, disable_animations: false, wait_until: "load", delay: 1.7 };
    const capture = await captureOf(html, options);
    expect((await decode(capture.body)).colourAt(395, 150)).toEqual(GREEN);
    expect(capture.metadata.content).toContain("Customers: 222");
    expect(framesOf(capture)).toBeLessThan(50); // of 102 that it has with cheap ones
  });

  slowTest("a counter is waited for", async () => {
    const html = page("", `${loop}<p></p>`, expensive(Number.POSITIVE_INFINITY) + LOOP + counter);
    const capture = await captureOf(html, { format: "text", ...COUNTING });
    expect(capture.body.toString()).toContain("Customers: 222");
    expect(framesOf(capture)).toBeLessThan(60);
  });
});

slowTest(
  "an element that a script moves for less than two seconds is where it stays, next to one that moves forever",
  async () => {
    const script = `
    const [ticker, bar] = document.querySelectorAll("div");
    requestAnimationFrame(function move(now) {
      ticker.style.translate = -(now / 10 % 100) + "px";
      bar.style.width = Math.min(400, now / 4.5) + "px";
      requestAnimationFrame(move);
    });`;
    const body = `<div style="height:100px;width:800px;background:blue"></div><div style="height:100px;background:green"></div>`;
    const image = await imageOf(page("", body, script));
    expect(image.colourAt(395, 150)).toEqual(GREEN);
  },
);

describe("what moves by a step in each frame comes to its end", () => {
  const bars = `<div style="height:100px;background:blue"></div><div id="bar" style="height:100px;width:0;background:green"></div>`;
  const growing = page(
    "div:first-child { animation: move 1s linear infinite } @keyframes move { to { translate: 50px } }",
    bars,
    `let percent = 0;
    requestAnimationFrame(function grow() {
      percent += 2;
      bar.style.width = percent + "%";
      if (percent < 100) requestAnimationFrame(grow);
    });`,
  );
  const gauge = page(
    "",
    `${loop}<marquee>News</marquee>`,
    `const context2d = document.querySelector("#loop").getContext("2d");
    let percent = 0;
    requestAnimationFrame(function draw() {
      context2d.fillStyle = "green";
      percent += 2;
      context2d.fillRect(0, 0, 4 * percent, 100);
      if (percent < 100) requestAnimationFrame(draw);
    });`,
  );

  sampled(test, 3).each<[string, string, number, Options]>([
    ["a bar that grows", growing, 150, {}],
    ["a bar that grows, in exact time", growing, 150, { deterministic: true }],
    ["a gauge that is drawn on a canvas", gauge, 50, {}],
    ["a gauge that is drawn on a canvas, in exact time", gauge, 50, { deterministic: true }],
  ])("%s", async (_, html, y, options) => {
    expect((await imageOf(html, options)).colourAt(395, y)).toEqual(GREEN);
  });

  slowTest("a counter", async () => {
    const script = `
      let count = 0;
      requestAnimationFrame(function add() {
        document.querySelector("p").textContent = "Customers: " + (count += 3);
        if (count < 111) requestAnimationFrame(add);
      });`;
    const { body } = await captureOf(page("", `${loop}<p></p>`, cheap + LOOP + script), { format: "text" });
    expect(body.toString()).toContain("Customers: 111");
  });
});

test("what follows the time is given few frames until it counts as moving forever", async () => {
  const script = `
    let frames = 0;
    requestAnimationFrame(function turn(now) {
      if (++frames % 10 === 0) console.log(frames);
      document.querySelector("div").style.transform = "rotate(" + now / 10 + "deg)";
      requestAnimationFrame(turn);
    });`;
  const byFrames = script.replace("now / 10", "frames * 2");
  const count = async (html: string) => framesOf(await captureOf(html, COUNTING));
  const square = `<div style="width:100px;height:100px;background:green">Text</div>`;
  expect(await count(page("", square, script))).toBeLessThan(70);
  expect(await count(page("", square, byFrames))).toBeGreaterThan(100);
});

slowTest("a full page shows what its scrolling reveals next to a canvas that is drawn without end", async () => {
  const style = `canvas { position: fixed; inset: 0 0 auto } section { height: 250px; background: green; opacity: 0; transition: opacity .4s } .in { opacity: 1 }
    main { position: relative; padding-top: 100px }`;
  const script = `
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) target.classList.add("in");
    });
    document.querySelectorAll("section").forEach((section) => observer.observe(section));`;
  const html = page(style, `${loop}<main>${"<section></section>".repeat(2)}</main>`, cheap + LOOP + script);
  const image = await imageOf(html, { full_page: true });
  expect([200, 450].map((y) => image.colourAt(200, y))).toEqual(Array(2).fill(GREEN));
});

describe("deterministic", () => {
  const scene = page("canvas { width: 400px; height: 300px }", loop, cheap + LOOP);
  const REPORTED = { deterministic: true, metadata_report: true, response_type: "json" };

  slowTest(
    "a page that never stands still has the same bytes, on a busy machine as well, and its report names the step of its frames",
    async () => {
      const captures = Array.from({ length: IS_SLOW_RUN ? 4 : 2 }, () => captureOf(scene, REPORTED));
      const [first, ...others] = await Promise.all(captures);
      expect(others.map(({ body }) => first?.body.equals(body))).toEqual(others.map(() => true));
      expect(first?.report).toMatchObject({ clock: "exact", frame_step_ms: 256 });
    },
  );

  test("a page that stands still keeps the usual step", async () => {
    const { report } = await captureOf(page("", "<p>Still</p>", ""), { ...REPORTED, format: "text" });
    expect(report).toMatchObject({ frame_step_ms: 16 });
  });
});
