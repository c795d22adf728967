// Full-page captures: lazy content, fixed and sticky elements, tall pages, inner scrollers, and unusual layouts.
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPdf } from "../../fixtures/pdf.ts";
import { decode, decodeColumn, type Pixels } from "../../fixtures/png.ts";
import { type Site, startSite } from "../../fixtures/site.ts";
import { APP_SHELL, isLazyInAppShell } from "../../fixtures/site-pages/app-shell.ts";
import { COOKIE_WALL, STICKY } from "../../fixtures/site-pages/fixed-elements.ts";
import { SCROLL_REVEAL, TILE_HEIGHT, tileColour } from "../../fixtures/site-pages/lazy.ts";
import { SHADOW_IMAGES } from "../../fixtures/site-pages/shadow.ts";
import { rowColour } from "../../fixtures/site-pages/tall.ts";
import { HERO, sectionColour, VH_UNITS } from "../../fixtures/site-pages/viewport.ts";
import { BAND_HEIGHT, BLACK, bandColour, GREEN, PLACEHOLDER, RED, WHITE } from "../../fixtures/site-pages.ts";
import { captureWith, failureOf } from "../../support/chromium.ts";
import { compareImages, expectToMatchReference } from "../../support/image-similarity.ts";
import { type PackagedSiteName, startPackagedSite } from "../../support/packaged-sites.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

type Options = Readonly<Record<string, unknown>>;

/** Windows in which few stops lead through a tall page. */
const TALL_WINDOW = { viewport_width: 200, viewport_height: 1_000 };
const SLIT = { viewport_width: 100, viewport_height: 1_500 };

/**
 * Captures a whole page of the fixture site, or of HTML, from a small window by default. It is captured once it has
 * loaded: what a page does when it is scrolled through is awaited by the scrolling itself.
 */
const captureOf = (page: string, options: Options = {}) =>
  captureWith(
    {
      ...(page.startsWith("/") ? { url: site.origin + page } : { html: page }),
      full_page: true,
      viewport_width: 400,
      viewport_height: 300,
      wait_until: "load",
      timeout: 25,
      ...options,
    },
    { allow: [site.hostPort] },
  );

async function imageOf(page: string, options: Options = {}): Promise<Pixels> {
  const { body } = await captureOf(page, options);
  return decode(body);
}

const html = (style: string, body: string) => `<!doctype html><style>body{margin:0} ${style}</style>${body}`;

const bands = (count: number) =>
  bandColours(count)
    .map((colour, n) => `<div id="band-${n}" ${band(colour)}></div>`)
    .join("");
const band = (colour: readonly number[]) => `style="height:${BAND_HEIGHT}px;background:rgb(${colour})"`;
const bandColours = (count: number) => Array.from({ length: count }, (_, n) => bandColour(n));

describe("full_page", () => {
  test("captures the page from top to bottom, each part once", async () => {
    const image = await imageOf("/bands?count=25");
    expect([image.width, image.height]).toEqual([400, 25 * BAND_HEIGHT]);
    expect(image.columnColours(200, BAND_HEIGHT)).toEqual(bandColours(25));
  });

  slowTest("captures a table of 500 rows with every hundredth at its offset", async () => {
    const image = await imageOf("/table?rows=500");
    const rows = [0, 100, 200, 300, 400].map((row) => image.colourAt(300, 40 + 20 * row + 10));
    expect(rows).toEqual([0, 1, 2, 3, 4].map(bandColour));
  });

  slowTest("captures a page that grows meanwhile as it is at one moment", async () => {
    const growing = `${bands(40)}<script>
      setInterval(() => {
        const first = document.createElement("p");
        first.style.cssText = "height: 7px; margin: 0; background: red";
        document.body.prepend(first);
      }, 50)
    </script>`;
    const window = { device_scale_factor: 3, viewport_width: 480 }; // large enough for tiles
    const { body } = await captureOf(html("", growing), { ...window, full_page_scroll: false, delay: 0.2 });
    const seen = (await decodeColumn(body, 10)).columnColours(0, 3, 1).map(String);
    const added = seen.lastIndexOf(String(RED)) + 1;
    expect(added).toBeGreaterThan(0);
    expect(seen.slice(0, added).every((colour) => colour === String(RED))).toBe(true);
    const after = seen.slice(added).filter((_, row) => row % BAND_HEIGHT === 50);
    expect(after).toEqual(bandColours(after.length).map(String));
  });
});

describe("full_page and fixed backgrounds", () => {
  const blue = [0, 0, 255];
  const halves = (name: string) =>
    ({
      gradient: "linear-gradient(red 50%, blue 50%) fixed",
      image: `url("data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="15" fill="red"/><rect y="15" width="40" height="15" fill="blue"/></svg>')}") center / cover no-repeat fixed`,
    })[name];
  const space = `<div style="height:500px"></div>`;

  sampled(test, 4).each([
    ["gradient", "that of the page spans all of it", (y: number) => (y < 600 ? RED : blue)],
    ["image", "and the page is as it was", () => WHITE],
  ])("are not white below the first window: %s, %s", async (name, _, ofPage) => {
    const section = `<div style='height:100px;background:${halves(name)}'></div>`;
    const body = name === "gradient" ? `body { background: ${halves(name)} }` : "";
    const image = await imageOf(html(body, `${section}${space}${section}${space}`));
    expect([image.colourAt(200, 5), image.colourAt(200, 95)]).toEqual([RED, RED]); // as the first window shows it
    expect([image.colourAt(200, 605), image.colourAt(200, 645)]).toEqual([RED, RED]);
    expect([image.colourAt(200, 655), image.colourAt(200, 695)]).toEqual([blue, blue]);
    for (const y of [105, 595, 705, 1_195]) expect([y, image.colourAt(200, y)]).toEqual([y, ofPage(y)]);
  });

  slowTest("repeat when the element is the page, or is captured by its selector", async () => {
    const page = html(`body { background: ${halves("image")} }`, `<main id="all" style="height:900px"></main>`);
    const colours = [RED, blue, RED, blue, RED, blue];
    expect((await imageOf(page)).columnColours(200, 150)).toEqual(colours);
    const tall = html("", `<main id="all" style='height:900px;background:${halves("image")}'></main>`);
    expect((await imageOf(tall, { full_page: false, selector: "#all" })).columnColours(200, 150)).toEqual(colours);
  });
});

describe("full_page and scroll-driven animations", () => {
  const green = [0, 128, 0];
  const rules = `@keyframes appear { from { opacity: 0; translate: 300px } } @keyframes vanish { to { opacity: 0 } }
    @keyframes pass { 0% { opacity: 0 } 50% { opacity: 1 } 100% { opacity: 0 } } @keyframes grow { from { scale: 0 1 } }
    div { height: 200px; background: green } .view { animation: appear both linear; animation-timeline: view(); animation-range: entry 0% cover 40% }
    .pass { animation: pass both linear; animation-timeline: view() } .leaves { animation: vanish both linear; animation-timeline: view(); animation-range: exit }
    .scroll { animation: appear both linear; animation-timeline: scroll(); animation-range: 0% 30% }
    .hero { animation: vanish both linear; animation-timeline: scroll(); animation-range: 0 200px }
    .bar { position: fixed; inset: 0 0 auto; height: 10px; background: red; transform-origin: left; animation: grow linear; animation-timeline: scroll() }`;
  const classes = ["hero", "view", "pass", "leaves", "scroll", "view"];
  /** Enough for a window of 1,024 pixels to scroll through. */
  const printed = ["hero", "view", "view", "pass", "leaves", "scroll", "scroll", "pass", "view", "view"];
  const pageOf = (names: readonly string[]) =>
    html(rules, `<div class="bar"></div>${names.map((name) => `<div class="${name}"></div>`).join("")}`);
  const page = pageOf(classes);

  sampled(test, 4).each(["default", "by_sections"])(
    "shows each section as it is in view, and a progress bar as at the top: %s",
    async (full_page_algorithm) => {
      const image = await imageOf(page, { full_page_algorithm });
      expect(image.columnColours(10, 200)).toEqual(classes.map(() => green));
      expect(image.colourAt(200, 5)).toEqual(green);
    },
  );

  slowTest("shows each section in a pdf, too", async () => {
    const { body } = await captureWith({
      html: pageOf(printed),
      format: "pdf",
      pdf_fit_one_page: true,
      pdf_margin: 0,
      timeout: 25,
    });
    const image = await readPdf(body).draw(0, 96 / 72);
    expect(image.columnColours(10, 200).slice(0, printed.length)).toEqual(printed.map(() => green));
  });

  test("off, captures the window only, with them as they are in it", async () => {
    const image = await imageOf(page, { full_page: false });
    expect([image.width, image.height]).toEqual([400, 300]);
    expect(image.colourAt(10, 250)).toEqual(WHITE); // on its way into view
    expect(image.colourAt(200, 100)).toEqual(green);
  });
});

describe("full_page and lazy content", () => {
  const tiles = (count: number) => Array.from({ length: count }, (_, n) => tileColour(n));

  sampled(test, 12).each([
    ["by their markup or by an observer", ""],
    ["by their markup", "&by=native"],
    ["by an observer", "&by=observer"],
    ["by a listener to scrolling", "&by=scroll"],
  ])("images that are put off %s are there", async (_, by) => {
    const image = await imageOf(`/lazy-gallery?count=20${by}`, TALL_WINDOW);
    expect(image.columnColours(100, TILE_HEIGHT)).toEqual(tiles(20));
  });

  test("loads images in shadow roots", async () => {
    const image = await imageOf("/shadow", SLIT);
    const seen = Object.values(SHADOW_IMAGES).map(({ y }) => image.colourAt(50, y + 50));
    expect(seen).toEqual(Object.values(SHADOW_IMAGES).map(({ colour }) => colour));
  });

  slowTest("waits for content that loads slowly", async () => {
    const image = await imageOf("/lazy-gallery?count=5&by=observer&delay=700");
    expect(image.columnColours(200, TILE_HEIGHT)).toEqual(tiles(5));
  });

  slowTest("shows sections that fade in with the scroll", async () => {
    const { sections, height } = SCROLL_REVEAL;
    const image = await imageOf("/scroll-reveal");
    expect(image.columnColours(200, height)).toEqual(bandColours(sections));
    expect(image.columnColours(200, height, 1)).toEqual(bandColours(sections));
  });

  test("measures a page of content-visibility in full", async () => {
    const section = (colour: readonly number[]) => `<section>${`<div ${band(colour)}></div>`.repeat(3)}</section>`;
    const page = html(
      "section { content-visibility: auto; contain-intrinsic-size: auto 100px }",
      bandColours(8).map(section).join(""),
    );
    const image = await imageOf(page, { viewport_width: 100, viewport_height: 600 });
    expect(image.height).toBe(24 * BAND_HEIGHT);
    expect(image.columnColours(50, 3 * BAND_HEIGHT)).toEqual(bandColours(8));
  });

  test("ends an infinite scroll at full_page_max_height", async () => {
    const { body, warnings } = await captureOf("/infinite-scroll", { ...TALL_WINDOW, full_page_max_height: 2_700 });
    const image = await decode(body);
    expect(image.columnColours(100, BAND_HEIGHT)).toEqual(bandColours(27));
    expect(warnings).toEqual([expect.stringMatching(/^The page is \d+ pixels tall; the image ends at 2700 pixels\.$/)]);
  });
});

describe("full_page_scroll", () => {
  test("off, leaves out content that loads in view only", async () => {
    const image = await imageOf("/lazy-gallery?count=20&by=scroll", { full_page_scroll: false });
    expect(image.colourAt(200, 50)).toEqual(tileColour(0));
    expect(image.colourAt(200, 19.5 * TILE_HEIGHT)).toEqual(PLACEHOLDER);
  });

  /** A page of which the title is the longest way between two positions at which it rests. */
  const longestStep = html(
    "",
    `${bands(9)}<script>
      let [last, most, timer] = [0, 0];
      const rest = () => { most = Math.max(most, scrollY - last); last = scrollY; document.title = most };
      addEventListener("scroll", () => { clearTimeout(timer); timer = setTimeout(rest, 100) });
    </script>`,
  );

  sampled(test, 4).each([
    ["0.95 of the window by default", {}, "285"],
    ["as far as full_page_scroll_by says", { full_page_scroll_by: 70 }, "70"],
  ])("scrolls %s", async (_, options, step) => {
    const { metadata } = await captureOf(longestStep, { ...options, metadata_page_title: true });
    expect(metadata.page_title).toBe(step);
  });

  /** Bands that are painted once they have been in view for 250 ms, which nothing on the network reports. */
  const patient = html(
    ".late { background: white !important }",
    `${bands(9)}<script>
      for (const band of document.querySelectorAll("div")) {
        band.className = "late";
        let timer;
        new IntersectionObserver(([{ isIntersecting }]) => {
          clearTimeout(timer);
          if (isIntersecting) timer = setTimeout(() => { band.className = "" }, 450);
        }).observe(band);
      }
    </script>`,
  );

  slowTest("waits for full_page_scroll_delay at each step", async () => {
    const image = await imageOf(patient, { full_page_scroll_delay: 500, wait_until: "auto" });
    expect(image.columnColours(200, BAND_HEIGHT)).toEqual(bandColours(9));
    expect((await imageOf(patient, { wait_until: "auto" })).colourAt(200, 450)).toEqual(WHITE);
  });

  test("leaves the page at its top, for scripts that read the scroll position", async () => {
    const image = await imageOf(
      html(
        "#top{height:50px;background:green}",
        `<div id="top"></div>${bands(4)}<script>
        addEventListener("scroll", () => { document.getElementById("top").style.background = scrollY > 0 ? "red" : "" })
      </script>`,
      ),
    );
    expect(image.colourAt(200, 25)).toEqual(GREEN);
  });
});

describe("full_page and content that reacts to the scroll", () => {
  const button = (answer: string) =>
    html(
      "#up { position: fixed; right: 0; bottom: 0; width: 40px; height: 40px; background: red; opacity: 0 }",
      `${bands(6)}<div id="up"></div><script>
        let goal = 0;
        const fade = (to) => {
          goal = to;
          const step = () => {
            const now = Number(getComputedStyle(up).opacity);
            if (now === to || goal !== to) return;
            up.style.opacity = to > now ? Math.min(to, now + 0.1) : Math.max(to, now - 0.04);
            requestAnimationFrame(step);
          };
          step();
        };
        let timer;
        addEventListener("scroll", () => { ${answer} });
      </script>`,
    );

  sampled(test, 4).each([
    ["at once", "fade(scrollY > 100 ? 1 : 0)"],
    ["once it has ended", "clearTimeout(timer); timer = setTimeout(() => fade(scrollY > 100 ? 1 : 0), 100)"],
  ])("a button to the top that answers %s is not shown", async (_, answer) => {
    const image = await imageOf(button(answer));
    expect(image.colourAt(380, 590)).toEqual(bandColour(5));
  });
});

describe("a tall page", () => {
  /** A window in which few steps lead through the page. */
  const narrow = { viewport_width: 64, viewport_height: 2_000, full_page_max_height: 100_000 };

  slowTest.each([
    [80_000, 1, narrow],
    [40_000, 2, { ...narrow, viewport_width: 110 }], // wide enough for tiles
  ])("of %i pixels at scale %i is right at every 1,000th row", async (height, scale, window) => {
    const options = { ...window, device_scale_factor: scale };
    const { body, warnings } = await captureOf(`/article?height=${height}`, options);
    expect(warnings).toEqual([]);
    const column = await decode(body, { left: 5, top: 0, width: 1, height: height * scale });
    const rows = Array.from({ length: height / 1_000 }, (_, n) => n * 1_000 + 50);
    expect(rows.map((y) => column.colourAt(0, y * scale))).toEqual(rows.map(rowColour));
  });

  slowTest("has no seam where its tiles meet, at the scale of a phone", async () => {
    const window = { viewport_width: 400, viewport_height: 1_000, device_scale_factor: 2.625 }; // large enough for tiles
    const { body } = await captureOf("/bands?count=60", window);
    const image = await decodeColumn(body, 10);
    const seen = new Set(image.columnColours(0, 1, 0).map(String));
    const pure = new Set(bandColours(60).map(String));
    expect(image.height).toBe(Math.round(6_000 * 2.625));
    // Where two bands meet within a pixel of the image it shows both.
    expect([...seen].filter((colour) => !pure.has(colour)).length).toBeLessThan(60);
    const middles = Array.from({ length: 60 }, (_, n) => image.colourAt(0, Math.round((n + 0.5) * 262.5)));
    expect(middles).toEqual(bandColours(60));
  });

  test("is right at every 1,000th row, and ends at 20,000 pixels by default, with a warning", async () => {
    const { body, warnings } = await captureOf("/article?height=20200", { viewport_width: 64, viewport_height: 2_000 });
    const image = await decode(body);
    expect(image.height).toBe(20_000);
    const rows = Array.from({ length: 20 }, (_, n) => n * 1_000 + 950);
    expect(rows.map((y) => image.colourAt(5, y))).toEqual(rows.map(rowColour));
    expect(warnings).toEqual(["The page is 20200 pixels tall; the image ends at 20000 pixels."]);
  });

  sampled(test, 8).each([
    ["webp", 16_383, "webp", []],
    ["webp", 16_384, "png", ["The webp format cannot hold an image of this size; the result is a png."]],
    ["jpeg", 65_500, "jpeg", []],
    ["jpeg", 65_501, "png", ["The jpeg format cannot hold an image of this size; the result is a png."]],
    ["avif", 16_400, "png", ["The avif format cannot hold an image of this size; the result is a png."]],
  ])("as %s of %i pixels with image_fallback_format becomes a %s", async (format, height, expected, warnings) => {
    const options = { ...narrow, format, image_fallback_format: "png" };
    const captured = await captureOf(`/article?height=${height}`, options);
    expect(captured.mimeType).toBe(`image/${expected}`);
    expect(captured.warnings).toEqual(warnings);
    const last = await decode(captured.body, { left: 0, top: height - 50, width: 5, height: 50 });
    const seen = last.colourAt(2, 49);
    for (const [channel, value] of rowColour(height - 1).entries()) expect(seen[channel]).toBeCloseTo(value, -1);
  });

  sampled(test, 4).each(["webp", "avif"])(
    "that %s can't hold is refused, with the options that help",
    async (format) => {
      await expect(captureOf("/article?height=16400", { ...narrow, format })).rejects.toMatchObject({
        code: "RESULT_TOO_LARGE",
        message: expect.stringMatching(
          /^The image would measure .* set image_fallback_format=png to get a png only when/s,
        ),
      });
    },
  );

  slowTest(
    "that needs more memory than allowed is refused",
    async () => {
      const noise = html(
        "#n{width:4000px;height:20000px}",
        `<div id="n"></div><script>
        const canvas = Object.assign(document.createElement("canvas"), { width: 4000, height: 50 });
        const context = canvas.getContext("2d");
        const image = context.createImageData(4000, 50);
        const words = new Uint32Array(image.data.buffer);
        for (let index = 0, seed = 1; index < words.length; index++) {
          seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5;
          words[index] = seed | 0xff000000;
        }
        context.putImageData(image, 0, 0);
        n.style.background = "url(" + canvas.toDataURL() + ")";
      </script>`,
      );
      const { code, message } = await failureOf(captureOf(noise, { full_page_scroll: false, timeout: 60 }));
      expect({ code, message }).toEqual({
        code: "RESULT_TOO_LARGE",
        message:
          "The page shows more detail than an image of its size can hold here. " +
          "Lower device_scale_factor or full_page_max_height, or capture a smaller part.",
      });
    },
    70_000,
  );
});

describe("full_page and the window's size", () => {
  sampled(test, 4).each([["default"], ["by_sections"]])(
    "never shows (%s) to the page, and 100vh stays 100vh",
    async (algorithm) => {
      const image = await imageOf("/hero?sections=2", { full_page_algorithm: algorithm });
      const { marker, grownMarker, colour } = HERO;
      expect(image.colourAt(marker.x + 10, marker.y + 10)).toEqual(GREEN);
      expect(image.colourAt(grownMarker.x + 10, grownMarker.y + 10)).toEqual(GREEN);
      expect(image.height).toBe(3 * 300 + HERO.bands * BAND_HEIGHT);
      const tops = [0, 300, 600].flatMap((top) => [image.colourAt(200, top), image.colourAt(200, top + 299)]);
      expect(tops).toEqual([colour, sectionColour(0), sectionColour(1)].flatMap((each) => [each, each]));
    },
  );

  slowTest("keeps lengths in every viewport unit", async () => {
    const image = await imageOf("/vh-units");
    expect(VH_UNITS.map(({ colour }) => image.countInColumn(200, colour))).toEqual([300, 300, 300, 150]);
  });

  slowTest("is kept from a page also where it is captured in tiles", async () => {
    const { body } = await captureOf("/hero", { viewport_width: 1_000, device_scale_factor: 3 });
    expect((await decodeColumn(body, 3 * (HERO.marker.x + 10))).colourAt(0, 30)).toEqual(GREEN);
  });

  sampled(test, 4).each<[string, { viewport_width?: number; device_scale_factor?: number }]>([
    ["at once", {}],
    ["in tiles", { device_scale_factor: 5, viewport_width: 700 }],
  ])("brings nothing that is for visitors without scripts, painted %s", async (_, options) => {
    const page = html(
      `#e { height: 100px; background: green } @media (scripting: none) { #e { background: red } }
       noscript { background: red } @media (max-width: 100px) { noscript { float: left } }`,
      `<div id="e"></div><noscript>Please turn scripts on</noscript>${bands(9)}`,
    );
    const image = await decodeColumn((await captureOf(page, options)).body, 10);
    const scale = options.device_scale_factor ?? 1;
    const seen = Array.from({ length: 10 }, (_, n) => image.colourAt(0, (n + 0.5) * BAND_HEIGHT * scale));
    expect(seen).toEqual([GREEN, ...bandColours(9)]);
  });
});

describe("full_page and fixed elements", () => {
  const { header, title, footer, bottomBar, pageHeight } = STICKY;

  slowTest.each([["default"], ["by_sections"]])("shows each of it once, where it belongs (%s)", async (algorithm) => {
    const image = await imageOf("/sticky-header", { ...TALL_WINDOW, full_page_algorithm: algorithm });
    expect(image.height).toBe(pageHeight);
    expect(image.countInColumn(20, header.colour)).toBe(header.height);
    expect(image.countInColumn(20, bottomBar.colour)).toBe(bottomBar.height);
    expect(image.countInColumn(20, footer.colour)).toBe(footer.height);
    expect(image.countInColumn(20, title.colour)).toBe(5 * title.height);
    expect(image.colourAt(20, 10)).toEqual(header.colour);
    const titles = [0, 1, 2, 3, 4].map((n) => image.colourAt(20, header.height + n * 1_000 + 10));
    expect(titles).toEqual(titles.map(() => title.colour));
    expect(image.colourAt(20, pageHeight - bottomBar.height - footer.height + 10)).toEqual(footer.colour);
    expect(image.colourAt(20, pageHeight - 10)).toEqual(bottomBar.colour);
  });

  test("keeps a dialog at the top of the page, and extends its backdrop over the whole page", async () => {
    const image = await imageOf("/cookie-wall", { viewport_height: 1_500 });
    const { colour, height, backdropOpacity } = COOKIE_WALL;
    expect(image.countInColumn(120, colour)).toBeGreaterThan(0.6 * height);
    expect(image.colourAt(60, 1_500 / 2)).toEqual(colour);
    const dimmed = bandColour(25).map((channel) => Math.floor(channel * (1 - backdropOpacity)));
    expect(image.colourAt(200, 25.5 * BAND_HEIGHT)).toEqual(dimmed);
  });

  slowTest("extends a fixed sidebar and a fixed background to the end of the page", async () => {
    const page = html(
      `nav { position: fixed; top: 40px; left: 0; bottom: 0; width: 80px; background: red }
       #ground { position: fixed; z-index: -1; inset: 0; background: green } main { height: 900px }`,
      `<div id="ground"></div><nav>Menu</nav><main></main>`,
    );
    const image = await imageOf(page);
    expect(image.countInColumn(40, RED)).toBeGreaterThan(900 - 40 - 20);
    expect(image.countInColumn(200, GREEN)).toBe(900);
  });
});

describe("full_page and inner scrollers", () => {
  const { topBar, sidebar, bands: count } = APP_SHELL;

  slowTest.each([
    ["flex", "default"],
    ["fixed", "default"],
    ["grid", "default"],
    ["flex", "by_sections"],
    ["fixed", "by_sections"],
  ])("shows all of the %s layout (%s)", async (layout, algorithm) => {
    const image = await imageOf(`/app-shell?layout=${layout}`, {
      viewport_height: 1_500,
      full_page_algorithm: algorithm,
    });
    expect(image.height).toBe(topBar.height + count * BAND_HEIGHT);
    expect(image.colourAt(300, 10)).toEqual(topBar.colour);
    expect(image.columnColours(300, BAND_HEIGHT, topBar.height + 50)).toEqual(bandColours(count));
    expect(image.countInColumn(100, sidebar.colour)).toBe(count * BAND_HEIGHT);
  });

  slowTest("full_page_expand_overflow off, shows one window of them", async () => {
    const image = await imageOf("/app-shell", { full_page_expand_overflow: false });
    expect(image.height).toBe(300);
    expect(isLazyInAppShell(2)).toBe(true);
    expect(image.columnColours(300, BAND_HEIGHT, 100)).toEqual(bandColours(2));
  });

  test("are expanded in a page that is a little taller than the window", async () => {
    const page = html(
      "main { height: 100vh; overflow: auto } footer { height: 20px }",
      `<main>${bands(6)}</main><footer>`,
    );
    expect((await imageOf(page)).columnColours(200, BAND_HEIGHT).slice(0, 6)).toEqual(bandColours(6));
  });

  test("does not expand a scrolling list in a page that scrolls itself", async () => {
    const page = html("ul { height: 250px; overflow: auto; margin: 0; padding: 0 }", `<ul>${bands(9)}</ul>${bands(3)}`);
    const image = await imageOf(page);
    expect(image.height).toBe(250 + 300);
  });
});

describe("full_page of a page", () => {
  sampled(test, 16).each([
    ["that scrolls smoothly", html("html { scroll-behavior: smooth }", bands(6))],
    ["that snaps", html("html { scroll-snap-type: y mandatory } div { scroll-snap-align: start }", bands(6))],
    ["with overflow-x: hidden on html", html("html { overflow-x: hidden }", bands(6))],
    ["with overflow-x: hidden on html and body", html("html, body { overflow-x: hidden }", bands(6))],
    ["with the same, as tall as the window", html("html, body { overflow-x: hidden; height: 100% }", bands(6))],
    ["whose body scrolls", html("html { overflow: hidden } body { overflow: auto; height: 100vh }", bands(6))],
    ["that is kept from scrolling", html("html, body { overflow: hidden; height: 100% }", bands(6))],
    ["of 10 pixels, with more below", html("html { height: 10px }", bands(6))],
    [
      "whose content is out of its flow",
      html("main { position: absolute; top: 0; width: 100% }", `<main>${bands(6)}</main>`),
    ],
    ["in quirks mode", `<body style="margin:0">${bands(6)}`],
    ["with scripts", html("", `${bands(6)}<script>document.title = "here"</script>`)],
  ])("%s shows all of it once", async (_, page) => {
    const image = await imageOf(page);
    expect([image.width, image.columnColours(200, BAND_HEIGHT)]).toEqual([400, bandColours(6)]);
  });

  slowTest("that is wider than the window shows all of its width", async () => {
    const wide = `<div style="width:800px;height:50px;background:linear-gradient(to right, red 50%, green 50%)"></div>`;
    const image = await imageOf(html("", wide + bands(8)));
    expect([image.width, image.height]).toEqual([800, 850]);
    expect([image.colourAt(399, 25), image.colourAt(401, 25)]).toEqual([RED, GREEN]);
  });

  test("that is written from right to left includes what overflows to the left", async () => {
    const wide = `<div style="width:800px;height:50px;background:linear-gradient(to right, red 50%, green 50%)"></div>`;
    const image = await imageOf(`<!doctype html><html dir="rtl"><style>body{margin:0}</style>${wide}${bands(8)}`);
    expect([image.width, image.height]).toEqual([800, 850]);
    expect([image.colourAt(399, 25), image.colourAt(401, 25)]).toEqual([RED, GREEN]);
    expect([image.colourAt(399, 500), image.colourAt(401, 500)]).toEqual([WHITE, bandColour(4)]);
  });

  slowTest("with transforms shows moved elements", async () => {
    const image = await imageOf(html("main { transform: translateX(20px) }", `<main>${bands(8)}</main>`));
    expect([image.colourAt(10, 50), image.colourAt(30, 50)]).toEqual([WHITE, bandColour(0)]);
  });
});

describe("a list that the page virtualizes by its window", () => {
  const rows = (extra = "", row = "row") =>
    html(
      "main { position: relative; height: 1200px } main div { position: absolute; height: 100px; width: 100% }",
      `<main></main>${extra}<script>const [main] = document.getElementsByTagName("main");
        const show = () => {
          main.replaceChildren();
          for (let n = Math.floor(scrollY / 100); n < Math.min(12, scrollY / 100 + 4); n++) {
            const row = document.createElement("div");
            row.textContent = n; row.style.cssText = "background:green;top:" + n * 100 + "px"; main.append(${row});
          }
        };
        addEventListener("scroll", show); show();
      </script>`,
    );
  const warning =
    "The page removes content that is far from its window (a virtualized list), so that parts of the capture are blank.";

  sampled(test, 6).each<[Options]>([[{}], [{ on_timeout: "capture" }], [{ full_page_algorithm: "by_sections" }]])(
    "is whole, without a warning: %j",
    async (options) => {
      const { warnings, body } = await captureOf(rows(), options);
      expect(warnings).toEqual([]);
      expect((await decode(body)).columnColours(200, 100)).toEqual(Array(12).fill(GREEN));
    },
  );

  slowTest("has a warning in a pdf, where it shows no more in a tall window", async () => {
    const { warnings } = await captureOf(rows(), { format: "pdf", full_page: false });
    expect(warnings).toEqual([`${warning} Capture an image with full_page=true.`]);
  });

  sampled(test, 12).each([
    [
      "only makes its rows again",
      rows("", "row.cloneNode(true)")
        .replace("main.replaceChildren();", "")
        .replaceAll("Math.floor(scrollY / 100)", "0"),
    ],
    ["is white below", html("", `<p>Text</p><div style="height:3000px"></div>`)],
    [
      "has a fixed header over nothing",
      html("", `<header style="position:fixed">Text</header><div style="height:3000px"></div>`),
    ],
  ])("is not what %s", async (_, page) => {
    expect((await captureOf(page)).warnings).toEqual([]);
  });
});

describe("full_page_algorithm by_sections", () => {
  sampled(test, 12).each([
    ["/bands?count=5", { viewport_width: 100, viewport_height: 299, device_scale_factor: 2.625 }],
    ["/sticky-header", {}],
    ["/lazy-gallery?count=12&by=scroll", {}],
    ["/content-visibility", {}],
    ["/article?height=3050", { image_width: 200 }],
  ])("gives the same picture of %s as the default (%j)", async (path, options) => {
    const [sheet, sections] = await Promise.all([
      captureOf(path, options),
      captureOf(path, { ...options, full_page_algorithm: "by_sections" }),
    ]);
    expect((await compareImages(sections.body, sheet.body)).summary).toMatch(/^0 pixels of \d+ differ/);
  });

  describe("leaves no white strip where a header turns fixed on scroll", () => {
    const bandsFrom = (first: number, count: number) =>
      Array.from(
        { length: count },
        (_, n) => `<div style="height:100px;background:rgb(${bandColour(first + n)})"></div>`,
      );
    const page = (before: string, fixed = "", compensation = "") =>
      html(
        `header { height: 60px; background: black } .scrolled header { position: fixed; inset: 0 0 auto; ${fixed} }`,
        `${before}<header></header><main>${bandsFrom(0, 6).join("")}</main><script>addEventListener("scroll", () => {
          const isPast = scrollY > 50;
          document.body.classList.toggle("scrolled", isPast); ${compensation}
        })</script>`,
      );
    const expectWhole = async (body: string, before: readonly (readonly number[])[]) => {
      const colours = (await imageOf(body)).columnColours(200, 1, 0);
      const seen = colours.filter((colour, y) => String(colour) !== String(colours[y - 1]));
      expect(seen).toEqual([...before, BLACK, ...bandColours(6)]);
    };
    const heroColours = [bandColour(20), bandColour(21), [210, 180, 140]];
    const hero = `${bandsFrom(20, 2).join("")}<div style="height:80px;background:tan"></div>`;

    sampled(test, 8).each<[string, string, readonly (readonly number[])[]]>([
      ["at the top", page(""), []],
      ["where one window ends and the next begins", page(hero), heroColours],
      ["lower than before", page("", "height: 30px"), []],
      ["that slides in", page("", "animation: in 1s } @keyframes in { from { transform: translateY(-100%) }"), []],
    ])("%s", (_, body, before) => expectWhole(body, before));

    // The header is cut where the first window ends: a known defect, of which a warning tells.
    slowTest.fails("for which the page keeps room", () =>
      expectWhole(page(hero, "", 'document.querySelector("main").style.marginTop = isPast ? "60px" : ""'), heroColours),
    );
  });

  test("shows content that a page paints in the window only", async () => {
    // A canvas as large as the window, painted again for each scroll position: in a tall sheet it would not go on.
    const page = html(
      "canvas { position: sticky; top: 0; display: block } main { height: 900px }",
      `<main><canvas width="400" height="300"></canvas></main><script>
        const paint = () => {
          const context = document.querySelector("canvas").getContext("2d");
          context.fillStyle = "rgb(" + [Math.round(scrollY / 10), 100, 50] + ")";
          context.fillRect(0, 0, 400, 300);
        };
        addEventListener("scroll", paint);
        paint();
      </script>`,
    );
    const options = { full_page_algorithm: "by_sections", full_page_freeze_fixed: false };
    const image = await imageOf(page, options);
    expect(image.columnColours(200, 300)).toEqual([0, 30, 60].map((red) => [red, 100, 50]));
  });
});

describe("full_page_slices", () => {
  const slicesOf = async (options: Options) => {
    const slicing = { full_page_slices: true, response_type: "json", ...options };
    const { slices } = await captureOf("/bands?count=10", slicing);
    return Promise.all(slices.map(async ({ body, ...place }) => ({ ...place, image: await decode(body) })));
  };

  test("repeats as much of the one before as full_page_slice_overlap_height says", async () => {
    const slices = await slicesOf({ full_page_slice_height: 400, full_page_slice_overlap_height: 100 });
    expect(slices.map(({ top, height }) => [top, height])).toEqual([
      [0, 400],
      [300, 400],
      [600, 400],
    ]);
    expect(slices.map(({ image }) => image.columnColours(200, BAND_HEIGHT))).toEqual([
      bandColours(4),
      bandColours(7).slice(3),
      bandColours(10).slice(6),
    ]);
  });

  slowTest(
    "have the format asked for also where the whole page is too tall for it, and become PNGs where they are",
    async () => {
      const page = { full_page_slices: true, response_type: "json", viewport_width: 64, format: "webp" };
      const slicing = { full_page_slice_height: 9_000, device_scale_factor: 2 };
      const small = await captureOf("/bands?count=170", page);
      const tall = await captureOf("/bands?count=170", { ...page, ...slicing });
      const formats = async (slices: typeof small.slices) =>
        Promise.all(slices.map(async ({ body, format }) => [format, (await sharp(body).metadata()).format]));
      expect(small.format).toBe("png");
      expect(await formats(small.slices)).toEqual(Array.from({ length: 5 }, () => ["webp", "webp"]));
      expect(await formats(tall.slices)).toEqual(Array.from({ length: 2 }, () => ["png", "png"]));
    },
  );

  test("follow each other in 4,000 pixels each by default, measured in pixels of the page", async () => {
    const { slices } = await captureOf("/bands?count=60", {
      full_page_slices: true,
      response_type: "json",
      viewport_width: 100,
      device_scale_factor: 2,
    });
    const images = await Promise.all(slices.map(({ body }) => decode(body)));
    expect(images.map(({ height }) => height)).toEqual([8_000, 4_000]);
    expect(images.flatMap((image) => image.columnColours(100, 2 * BAND_HEIGHT))).toEqual(bandColours(60));
  });
});

slowTest.each<[PackagedSiteName, string, Options]>([
  ["startbootstrap-agency", "/", { viewport_width: 1280, viewport_height: 1024 }],
  ["startbootstrap-agency", "/", { viewport_device: "iphone_15" }],
  ["startbootstrap-sb-admin-2", "/index.html", { viewport_width: 1280, viewport_height: 1024 }],
  ["startbootstrap-sb-admin-2", "/index.html", { viewport_device: "iphone_15" }],
])("full_page of a real site: %s%s looks as it did (%j)", async (name, path, options) => {
  await using stack = new AsyncDisposableStack();
  const packaged = await startPackagedSite(name);
  stack.defer(() => packaged.close());
  const { body } = await captureWith(
    { url: packaged.origin + path, full_page: true, timeout: 25, ...options },
    { allow: [packaged.hostPort] },
  );
  const place = `${name.replace("startbootstrap-", "")}-${options["viewport_device"] ? "phone" : "desktop"}`;
  await expectToMatchReference(body, `full-page/${place}`, { tolerance: 0.01, width: 240 });
});
