// The options of a full page that is stitched from windows.
import { describe, expect, test } from "vitest";
import { decode } from "../../fixtures/png.ts";
import { captureWith } from "../../support/chromium.ts";
import { IS_SLOW_RUN, slowTest } from "../../support/slow-run.ts";

type Options = Readonly<Record<string, unknown>>;

const [GREEN, BLUE, RED, WHITE] = [
  [0, 128, 0],
  [0, 0, 255],
  [255, 0, 0],
  [255, 255, 255],
] as const;

const SHARED = { viewport_width: 400, viewport_height: 300, wait_until: "load", timeout: 60 };

const captureOf = (html: string, options: Options = {}) => captureWith({ html, ...SHARED, ...options });
const fullPageOf = (html: string, options: Options = {}) => captureOf(html, { full_page: true, ...options });

const page = (style: string, body: string, script = "") =>
  `<!doctype html><style>body{margin:0;background:white}${style}</style>${body}<script>${script}</script>`;

/** A page of sections that are shown as long as they are in the window, which hears of its scrolling. */
const revealed = (sections: number) =>
  page(
    "section{height:200px;visibility:hidden;background:green} .in{visibility:visible}",
    "<section></section>".repeat(sections),
    `const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) target.classList.toggle("in", isIntersecting);
    });
    document.querySelectorAll("section").forEach((section) => observer.observe(section));`,
  );

const elementsOf = async (html: string) => {
  const { metadata } = await fullPageOf(html, { metadata_elements: true, response_type: "json" });
  return new Map(metadata.elements?.elements.map(({ name, box }) => [name, box.y]));
};

describe("elements are listed where the picture shows them", () => {
  test("in a pane, next to it and below it", async () => {
    const style = `body{display:flex;flex-direction:column;height:300px;overflow:hidden} header,footer{height:40px}
      main{flex:1;overflow:auto} p{height:200px;margin:0}`;
    const rows = Array.from({ length: 3 }, (_, n) => `<p><button>In ${n}</button></p>`).join("");
    const html = page(
      style,
      `<header><button>Above</button></header><main>${rows}</main><footer><button>Below</button></footer>`,
    );
    const places = await elementsOf(html);
    expect([places.get("Above"), places.get("In 0"), places.get("In 2")]).toEqual([0, 40, 440]);
    expect(places.get("Below")).toBe(640);
  }, 60_000);

  test("at the foot of the window, which stands at the end of the picture", async () => {
    const style = "p{height:500px;margin:0} nav{position:fixed;bottom:0;left:0;right:0;height:40px;background:red}";
    const places = await elementsOf(page(style, "<p><button>First</button></p><nav><button>Foot</button></nav>"));
    expect([places.get("First"), places.get("Foot")]).toEqual([0, 460]);
  }, 60_000);
});

describe("after a visit", () => {
  test("the page is as it was: fixed elements, lazy images, layers behind it, and what snaps", async () => {
    const style = `header{position:fixed;top:0;height:30px;width:100%} p{height:500px} img{width:1px;height:1px}
      .back{position:fixed;z-index:-1;background:green} main{scroll-snap-type:y mandatory}`;
    const parts = [
      "<header>Fixed</header>",
      `<div class="back" style="inset:0"></div>`,
      `<main style="height:300px;overflow:auto"><p>Text</p></main>`,
    ];
    const { metadata } = await fullPageOf(
      page(style, `${parts.join("<p>Text</p>")}<img loading="lazy" src="data:,">`),
      {
        metadata_content: true,
        metadata_content_format: "html",
        response_type: "json",
      },
    );
    for (const part of [...parts, 'loading="lazy"']) expect(metadata.content).toContain(part);
  }, 60_000);
});

describe("a full page", () => {
  slowTest(
    "has equal bytes each time with exact time",
    async () => {
      const bodies: Buffer[] = [];
      const count = IS_SLOW_RUN ? 3 : 2;
      while (bodies.length < count) bodies.push((await fullPageOf(revealed(2), { deterministic: true })).body);
      expect(bodies.map((body) => body.equals(bodies[0] ?? Buffer.alloc(0)))).toEqual(Array(count).fill(true));
    },
    120_000,
  );

  slowTest(
    "hovers over its element in the window that shows it",
    async () => {
      const style = `section{height:200px;background:blue} #on:hover{background:green} header{position:sticky;top:0}`;
      const body = `<header></header>${"<section></section>".repeat(2)}<section id="on"></section>${"<section></section>".repeat(2)}`;
      const image = await decode((await fullPageOf(page(style, body), { hover: "#on" })).body);
      expect([300, 500, 700].map((y) => image.colourAt(200, y))).toEqual([BLUE, GREEN, BLUE]);
    },
    60_000,
  );

  test("scrolls by at most 0.8 of a window, so that its windows have rows in common", async () => {
    const { body } = await fullPageOf(revealed(3), { full_page_scroll_by: 5_000 });
    const image = await decode(body);
    expect(Array.from({ length: 3 }, (_, n) => image.colourAt(200, 200 * n + 100))).toEqual(Array(3).fill(GREEN));
  }, 60_000);

  test("is transparent where the page is", async () => {
    const html = page(
      "html,body{background:none} header{position:sticky;top:0} p{height:500px;margin:0}",
      "<header></header><p></p>",
    );
    const image = await decode((await fullPageOf(html, { omit_background: true })).body);
    expect([image.height, image.pixelAt(200, 400)[3]]).toEqual([500, 0]);
  }, 60_000);

  test("ends with its largest height", async () => {
    const { body, problems } = await fullPageOf(revealed(3), { full_page_max_height: 500 });
    expect([(await decode(body)).height, problems.map(({ code }) => code)]).toEqual([500, ["CUT_OFF"]]);
  }, 60_000);

  slowTest(
    "is painted as it is when the time for waits is up before it could be visited",
    async () => {
      const { body, warnings } = await fullPageOf(page("p{height:900px;margin:0;background:green}", "<p></p>"), {
        wait_for_selector: ["#never"],
        on_timeout: "capture",
        timeout: 6,
      });
      const image = await decode(body);
      expect([image.height, image.colourAt(200, 850)]).toEqual([900, GREEN]);
      expect(warnings.join()).toContain("#never");
    },
    60_000,
  );
});

describe("with full_page_freeze_fixed=false", () => {
  test("each window has its fixed header and bar, and nothing is wrong with that", async () => {
    const html = page(
      `header{position:fixed;top:0;width:100%;height:40px;background:red} p{height:900px;margin:0}
       footer{position:fixed;bottom:0;width:100%;height:40px;background:blue}`,
      "<header></header><p></p><footer></footer>",
    );
    const { body, problems, warnings } = await fullPageOf(html, { full_page_freeze_fixed: false });
    const image = await decode(body);
    expect([10, 310, 610].map((y) => image.colourAt(200, y))).toEqual([RED, RED, RED]);
    expect([290, 590, 890].map((y) => image.colourAt(200, y))).toEqual([BLUE, BLUE, BLUE]);
    expect(problems.map(({ code }) => code)).not.toContain("NO_SINGLE_LOOK");
    expect(warnings).toEqual([]);
  }, 60_000);
});

describe("a page that hears nothing of its scrolling, but asks for it by a timer", () => {
  const html = page(
    "p{height:600px;margin:0}",
    "<p><button>One</button></p>",
    `setInterval(() => { document.body.style.background = scrollY > 250 ? "blue" : "green" }, 20);`,
  );

  test("is painted at once", async () => {
    const image = await decode((await fullPageOf(html)).body);
    expect(image.colourAt(200, 500)).toEqual(GREEN);
  }, 60_000);

  test("is joined from its windows by sections, and its elements can be marked", async () => {
    const options = { full_page_algorithm: "by_sections", annotate: true, response_type: "json" };
    const { body, metadata } = await fullPageOf(html, options);
    expect((await decode(body)).colourAt(200, 500)).toEqual(BLUE);
    expect(metadata.marks?.map(({ name }) => name)).toEqual(["One"]);
  }, 60_000);
});

describe("a part of the page that is larger than the window", () => {
  const parts = page(
    "section{height:200px;visibility:hidden;background:green} .in{visibility:visible} main{width:300px} div{height:350px;background:red}",
    `<div></div><main>${"<section></section>".repeat(3)}</main><div></div>`,
    `const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) target.classList.toggle("in", isIntersecting);
    });
    document.querySelectorAll("section").forEach((section) => observer.observe(section));`,
  );
  const rows = (image: Awaited<ReturnType<typeof decode>>) => [10, 300, 590].map((y) => image.colourAt(150, y));

  test("is shown as a visitor sees it: an element", async () => {
    const image = await decode((await captureOf(parts, { selector: "main" })).body);
    expect([image.width, image.height]).toEqual([300, 600]);
    expect(rows(image)).toEqual(Array(3).fill(GREEN));
  }, 60_000);

  slowTest(
    "is shown as a visitor sees it: a rectangle",
    async () => {
      const clip = { clip_x: 0, clip_y: 340, clip_width: 350, clip_height: 600 };
      const image = await decode((await captureOf(parts, clip)).body);
      expect([image.width, image.height]).toEqual([350, 600]);
      expect(image.colourAt(150, 5)).toEqual(RED);
      expect(rows(image).slice(1)).toEqual(Array(2).fill(GREEN));
      expect(image.colourAt(330, 500)).toEqual(WHITE);
    },
    60_000,
  );
});
