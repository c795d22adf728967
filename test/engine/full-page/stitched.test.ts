// Full pages that are stitched from windows: each part as a visitor sees it who scrolls to it.
import { describe, expect, test } from "vitest";
import { decode, type Pixels } from "../../fixtures/png.ts";
import { captureWith } from "../../support/chromium.ts";
import { slowTest } from "../../support/slow-run.ts";

type Options = Readonly<Record<string, unknown>>;
type Colour = readonly number[];

const [GREEN, BLUE, RED, WHITE, BLACK]: readonly [Colour, Colour, Colour, Colour, Colour] = [
  [0, 128, 0],
  [0, 0, 255],
  [255, 0, 0],
  [255, 255, 255],
  [0, 0, 0],
];

const WINDOW = { viewport_width: 400, viewport_height: 300 };

const captureOf = (html: string, options: Options = {}) =>
  captureWith({
    html,
    full_page: true,
    full_page_algorithm: "by_sections",
    ...WINDOW,
    wait_until: "load",
    timeout: 60,
    ...options,
  });

const imageOf = async (html: string, options: Options = {}): Promise<Pixels> =>
  decode((await captureOf(html, options)).body);

const page = (style: string, body: string, script = "") =>
  `<!doctype html><style>body{margin:0;background:white}${style}</style>${body}<script>${script}</script>`;

const repeat = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join("");

/** The colours in the middle of parts of equal height. */
const coloursOf = (image: Pixels, count: number, height: number) =>
  Array.from({ length: count }, (_, n) => image.colourAt(200, n * height + height / 2));

const observing = (options: string) => `
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) target.classList.toggle("in", isIntersecting);
  }, ${options});
  document.querySelectorAll("section").forEach((section) => observer.observe(section));`;

const sections = (count: number) => repeat(count, (n) => `<section>Part ${n}</section>`);
const SECTION = "section{height:200px;box-sizing:border-box;border:8px solid white;background:green;color:green}";

describe("what appears while the page is scrolled is seen", () => {
  slowTest("after a delay of almost a second, and hidden again when it is out of view", async () => {
    const style = `${SECTION} section{opacity:0;transition:opacity .4s .8s} .in{opacity:1}`;
    const image = await imageOf(page(style, sections(4), observing("{}")));
    expect(coloursOf(image, 4, 200)).toEqual(Array(4).fill(GREEN));
  });

  test("only in the middle of the window", async () => {
    const style = `${SECTION} section{visibility:hidden} .in{visibility:visible}`;
    const body = `<div style="height:150px"></div>${sections(3)}<div style="height:150px"></div>`;
    const image = await imageOf(page(style, body, observing('{ rootMargin: "-45% 0px" }')));
    expect(Array.from({ length: 3 }, (_, n) => image.colourAt(200, 150 + n * 200 + 100))).toEqual(Array(3).fill(GREEN));
  });

  test("one after the other, as a stagger of timers", async () => {
    const script = `
      const observer = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) [...target.children].forEach((child, n) => setTimeout(() => (child.style.opacity = 1), 90 * n));
      });
      document.querySelectorAll("section").forEach((section) => observer.observe(section));`;
    const style = "section{height:200px;display:flex} i{flex:1;background:green;opacity:0}";
    const image = await imageOf(
      page(
        style,
        repeat(3, () => `<section>${"<i></i>".repeat(8)}</section>`),
        script,
      ),
    );
    const marks = Array.from({ length: 24 }, (_, n) =>
      image.colourAt(25 + 50 * (n % 8), 100 + 200 * Math.floor(n / 8)),
    );
    expect(marks).toEqual(Array(24).fill(GREEN));
  });
});

describe("what changes while the page is scrolled is shown whole, as one window showed it", () => {
  test("the colour of the page by section, and its text", async () => {
    const script = `
      const colours = ["rgb(0,128,0)", "rgb(0,0,255)", "rgb(255,0,0)"];
      const change = () => {
        const at = [...document.querySelectorAll("section")].findLastIndex((each) => each.getBoundingClientRect().top < innerHeight / 2);
        document.body.style.background = colours[Math.max(0, at)];
      };
      addEventListener("scroll", change);
      change();`;
    const image = await imageOf(
      page(
        "section{height:270px}",
        repeat(3, (n) => `<section>Part ${n}</section>`),
        script,
      ),
    );
    expect([20, 135, 250].map((y) => image.colourAt(390, y))).toEqual(Array(3).fill(GREEN));
    expect([290, 405, 520].map((y) => image.colourAt(390, y))).toEqual(Array(3).fill(BLUE));
    expect([560, 675, 790].map((y) => image.colourAt(390, y))).toEqual(Array(3).fill(RED));
  });

  test("a counter that starts again each time it comes into view ends at its number", async () => {
    const script = `
      const observer = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
          if (!isIntersecting) continue;
          const start = performance.now();
          requestAnimationFrame(function count(now) {
            const share = Math.min(1, (now - start) / 900);
            target.firstChild.style.width = 400 * share + "px";
            target.firstChild.textContent = Math.round(222 * share);
            if (share < 1) requestAnimationFrame(count);
          });
        }
      });
      document.querySelectorAll("section").forEach((section) => observer.observe(section));`;
    const style =
      "section{height:250px;box-sizing:border-box;padding-top:100px} b{display:block;width:0;height:40px;overflow:hidden;background:green}";
    const image = await imageOf(
      page(
        style,
        repeat(3, () => "<section><b>0</b></section>"),
        script,
      ),
    );
    const ends = Array.from({ length: 3 }, (_, n) => image.colourAt(395, n * 250 + 120));
    expect(ends).toEqual(Array(3).fill(GREEN));
  });
});

describe("what is pinned is shown once, at its place", () => {
  const filler = repeat(
    3,
    (n) => `<p style="margin:0;height:200px;background:${n % 2 ? "white" : "#eee"}">Text ${n}</p>`,
  );
  const rowsOf = async (image: Pixels, colour: Colour, x: number) =>
    Array.from({ length: image.height }, (_, y) => y).filter((y) => `${image.colourAt(x, y)}` === `${colour}`);

  test("a header and titles that stick to the top, a foot that sticks above a bar, and the bar that is fixed below it", async () => {
    const style = `header{position:sticky;top:0;height:40px;background:green} body{padding-bottom:40px}
      h2{position:sticky;top:40px;height:30px;margin:0;background:red} p{margin:0;height:150px}
      aside{position:sticky;bottom:40px;height:30px;background:black}
      footer{position:fixed;bottom:0;left:0;right:0;height:40px;background:blue}`;
    const titled = repeat(3, (n) => `<section><h2>Title ${n}</h2><p>Text ${n}</p></section>`);
    const image = await imageOf(page(style, `<header></header>${titled}<aside></aside><footer></footer>`));
    const rows = (top: number, height: number) => Array.from({ length: height }, (_, n) => top + n);
    expect(await rowsOf(image, GREEN, 390)).toEqual(rows(0, 40));
    expect(await rowsOf(image, RED, 390)).toEqual([40, 220, 400].flatMap((top) => rows(top, 30)));
    expect(await rowsOf(image, BLACK, 390)).toEqual(rows(580, 30));
    expect(await rowsOf(image, BLUE, 390)).toEqual(rows(610, 40));
  });

  test("a box that a script moves along with the window", async () => {
    const script = `addEventListener("scroll", () => { box.style.transform = "translateY(" + Math.max(0, scrollY - 100) + "px)" })`;
    const box =
      '<div id="box" style="position:absolute;right:0;top:100px;width:60px;height:50px;background:red"></div>';
    const image = await imageOf(page("body{position:relative}", box + filler, script));
    expect(await rowsOf(image, RED, 390)).toEqual(Array.from({ length: 50 }, (_, n) => 100 + n));
  });

  test("a canvas behind the page is in all of it", async () => {
    const style = "canvas{position:fixed;inset:0;width:100%;height:100%;z-index:-1}";
    const script = `
      const canvas = document.querySelector("canvas");
      const pen = canvas.getContext("2d");
      const draw = () => { pen.fillStyle = "green"; pen.fillRect(0, 0, canvas.width, canvas.height) };
      draw();
      addEventListener("scroll", draw);`;
    const image = await imageOf(
      page(style, `<canvas></canvas>${repeat(3, (n) => `<section style="height:200px">${n}</section>`)}`, script),
    );
    expect(coloursOf(image, 3, 200)).toEqual(Array(3).fill(GREEN));
  });

  test("a scene that is fixed in the window and fades in while the page is scrolled", async () => {
    const style = `
      .hero, .rest{height:300px;background:blue} .rest{position:relative;background:red}
      .scene{position:fixed;inset:0;background:green;opacity:0;pointer-events:none}
      .scene b{position:absolute;left:150px;top:130px;width:100px;height:40px;background:black}`;
    const body =
      '<div class="hero"></div><div style="height:300px"></div><div class="scene"><b></b></div><div class="rest"></div>';
    const script = `
      const fade = () => (document.querySelector(".scene").style.opacity = Math.min(1, Math.max(0, (scrollY - 50) / 200)));
      addEventListener("scroll", fade);`;
    const image = await imageOf(page(style, body, script));
    expect([50, 350, 450, 550, 650, 850].map((y) => image.colourAt(200, y))).toEqual([
      BLUE,
      GREEN,
      BLACK,
      GREEN,
      RED,
      RED,
    ]);
    expect(await rowsOf(image, BLACK, 200)).toEqual(Array.from({ length: 40 }, (_, n) => 430 + n));
  });

  slowTest("each stage of a scene that is smaller than the window, whole", async () => {
    const style = ".space{height:800px} .scene{position:sticky;top:50px;height:180px;background:green}";
    const script = `
      const scene = document.querySelector(".scene");
      addEventListener("scroll", () => (scene.textContent = Math.round(scrollY)));`;
    const body = `<div style="height:200px"></div><div class="space"><div class="scene">0</div></div><div style="height:400px;background:blue"></div>`;
    const image = await imageOf(page(style, body, script));
    const rows = await rowsOf(image, GREEN, 390);
    const starts = rows.filter((row) => !rows.includes(row - 1));
    expect(starts).toHaveLength(4);
    expect(rows).toHaveLength(4 * 180);
  });

  test("an aside longer than the window that a script fixes by its end", async () => {
    const style =
      "main{height:700px;position:relative} aside{width:100px;background:linear-gradient(green 380px,red 0);height:400px}";
    const script = `
      const aside = document.querySelector("aside");
      const stick = () => (aside.style.cssText = scrollY > 100 ? "position:fixed;bottom:0" : "");
      addEventListener("scroll", stick);`;
    const image = await imageOf(page(style, "<main><aside></aside></main>", script));
    expect(await rowsOf(image, GREEN, 50)).toEqual(Array.from({ length: 380 }, (_, n) => n));
    expect(await rowsOf(image, RED, 50)).toEqual(Array.from({ length: 20 }, (_, n) => 380 + n));
  });

  slowTest("a page that a script moves behind the scroll position until it has come to rest", async () => {
    const style = "#page{position:fixed;top:0;left:0;right:0} i{display:block;height:100px}";
    const body = `<div id="page">${repeat(8, (n) => `<i style="background:rgb(${n * 10},0,0)">Row ${n}</i>`)}</div>`;
    const script = `
      const content = document.getElementById("page");
      document.body.style.height = "800px";
      let at = 0;
      requestAnimationFrame(function move() {
        at += (scrollY - at) * 0.06;
        if (Math.abs(scrollY - at) < 0.3) at = scrollY;
        content.style.transform = "translateY(" + -at + "px)";
        requestAnimationFrame(move);
      });`;
    const image = await imageOf(page(style, body, script));
    expect(Array.from({ length: 8 }, (_, n) => image.colourAt(390, n * 100 + 90))).toEqual(
      Array.from({ length: 8 }, (_, n) => [n * 10, 0, 0]),
    );
  });

  slowTest("each stage of a scene that stays in the window", async () => {
    const style = `.scene{height:1200px} .pin{position:sticky;top:0;height:300px;overflow:hidden}
      .track{display:flex;width:400%;height:100%} .track i{flex:1}`;
    const colours = ["green", "blue", "red", "black"];
    const track = colours.map((colour) => `<i style="background:${colour}"></i>`).join("");
    const body = `<div style="height:300px"></div><div class="scene"><div class="pin"><div class="track">${track}</div></div></div><div style="height:300px"></div>`;
    const script = `
      const [scene, track] = [document.querySelector(".scene"), document.querySelector(".track")];
      addEventListener("scroll", () => {
        const share = Math.min(1, Math.max(0, (scrollY - scene.offsetTop) / (scene.offsetHeight - innerHeight)));
        track.style.transform = "translateX(" + -75 * share + "%)";
      });`;
    const image = await imageOf(page(style, body, script));
    expect([450, 750, 1050, 1350].map((y) => image.colourAt(200, y))).toEqual([GREEN, BLUE, RED, BLACK]);
  });
});

describe("what scrolls in place of the page is shown whole", () => {
  test("a list that renders only the rows that are in view", async () => {
    const style =
      "#list{height:300px;overflow:auto} #space{position:relative;height:800px} #space div{position:absolute;left:0;right:0;height:40px}";
    const script = `
      const render = () => {
        const first = Math.max(0, Math.floor(list.scrollTop / 40) - 1);
        space.innerHTML = "";
        for (let n = first; n < Math.min(20, first + 10); n++) {
          const row = document.createElement("div");
          row.style.top = 40 * n + "px";
          row.textContent = "Row " + n;
          row.style.background = n % 2 ? "rgb(0,128,0)" : "rgb(0,0,255)";
          space.append(row);
        }
      };
      list.addEventListener("scroll", render);
      render();`;
    const image = await imageOf(page(style, '<div id="list"><div id="space"></div></div>', script));
    expect(image.height).toBe(800);
    expect(coloursOf(image, 20, 40)).toEqual(Array.from({ length: 20 }, (_, n) => (n % 2 ? GREEN : BLUE)));
  });

  test("a page that scrolls by its header, and a pane below it", async () => {
    const style = "header{height:50px;background:red} main{height:100vh;overflow:auto} p{margin:0;height:100px}";
    const rows = repeat(6, (n) => `<p style="background:${n % 2 ? "green" : "blue"}">Row ${n}</p>`);
    const image = await imageOf(page(style, `<header></header><main>${rows}</main>`));
    expect(image.height).toBe(650);
    expect(image.colourAt(200, 25)).toEqual(RED);
    const colours = Array.from({ length: 6 }, (_, n) => image.colourAt(200, 50 + n * 100 + 50));
    expect(colours).toEqual(Array.from({ length: 6 }, (_, n) => (n % 2 ? GREEN : BLUE)));
  });
});

describe("a page that stands still", () => {
  const still = page(
    "",
    repeat(
      4,
      (n) => `<section style="height:170px;background:hsl(${40 * n} 60% 60%)"><h2>Part ${n}</h2><p>Text</p></section>`,
    ),
  );

  slowTest("is stitched into the picture that is painted at once", async () => {
    const [stitched, whole] = [await imageOf(still), await imageOf(still, { full_page_algorithm: "default" })];
    expect([stitched.width, stitched.height]).toEqual([whole.width, whole.height]);
    for (let y = 0; y < whole.height; y += 3)
      for (let x = 0; x < 400; x += 7) expect([x, y, stitched.colourAt(x, y)]).toEqual([x, y, whole.colourAt(x, y)]);
  });

  slowTest("has the same bytes in each deterministic capture", async () => {
    const capture = async () => (await captureOf(still, { deterministic: true })).body;
    const [first, second] = [await capture(), await capture()];
    expect(second.equals(first)).toBe(true);
  });

  slowTest("is stitched at any scale factor", async () => {
    const image = await imageOf(still, { device_scale_factor: 2 });
    const whole = await imageOf(still, { device_scale_factor: 2, full_page_algorithm: "default" });
    expect([image.width, image.height]).toEqual([whole.width, whole.height]);
    const column = (pixels: Pixels) => Array.from({ length: 136 }, (_, n) => pixels.colourAt(780, 10 * n + 5));
    expect(column(image)).toEqual(column(whole));
  });

  test("that is wider than the window is captured in its width", async () => {
    const image = await imageOf(page("", '<div style="width:900px;height:400px;background:green"></div>'));
    expect([image.width, image.height]).toEqual([900, 400]);
    expect(image.colourAt(890, 390)).toEqual(GREEN);
    expect(image.colourAt(890, 10)).not.toEqual(WHITE);
  });
});
