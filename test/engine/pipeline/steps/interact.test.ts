// What a caller does to a page before it is captured: styles, scripts, clicks, the pointer, animations.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { captureWith, failureOf } from "../../../support/chromium.ts";
import { readPdf } from "../../../support/pdf.ts";
import { decode, type Pixels } from "../../../support/png.ts";
import { type Site, startSite } from "../../../support/site.ts";
import { CLICKS } from "../../../support/site-pages/interactive.ts";
import { SCROLL_REVEAL } from "../../../support/site-pages/lazy.ts";
import { ANIMATED } from "../../../support/site-pages/motion.ts";
import { BOX, bandColour, GREEN, RED, WHITE } from "../../../support/site-pages.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

type Options = Readonly<Record<string, unknown>>;
const window = { viewport_width: 400, viewport_height: 300, timeout: 10 };

const captureOf = (path: string, options: Options = {}) =>
  captureWith({ url: site.origin + path, ...window, ...options }, { allow: [site.hostPort], isTimedFromLaunch: true });
const htmlOf = (html: string, options: Options = {}) =>
  captureWith({ html, ...window, ...options }, { allow: [site.hostPort], isTimedFromLaunch: true });

async function imageOf(path: string, options: Options = {}) {
  return decode((await captureOf(path, options)).body);
}
async function groundOf(html: string, options: Options = {}) {
  return (await decode((await htmlOf(html, options)).body)).colourAt(390, 290);
}

const plain = `<!doctype html><body style="margin:0"><p>A page`;
const turnGreen = `document.body.style.background = "green"`;
const middleOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) =>
  [x + width / 2, y + height / 2] as const;

describe("styles", () => {
  const green = "html, body { background: green !important }";

  test.each([
    ["rules", green, GREEN],
    ["several", ["p { color: red }", green], GREEN],
  ])("are applied: %s", async (_, styles, colour) => {
    expect(await groundOf(plain, { styles })).toEqual(colour);
  });

  test("show their pictures, which are waited for", async () => {
    const picture = `${site.origin}/solid-image?colour=${GREEN.join(",")}&after=400`;
    expect(await groundOf(plain, { styles: `body { background: url("${picture}") }` })).toEqual(GREEN);
  });

  test("may be the address of a style sheet", async () => {
    expect(await groundOf(plain, { styles: `${site.origin}/red.css` })).toEqual(RED);
  });

  test("may import one, which is waited for", async () => {
    expect(await groundOf(plain, { styles: `@import url("${site.origin}/red.css");` })).toEqual(RED);
  });

  test.each([
    ["its address", (address: string) => address],
    ["an import of it", (address: string) => `@import "${address}";`],
  ])("that do not come fail, with their address: %s", async (_, styles) => {
    const address = `${site.origin}/no-such.css`;
    expect(await failureOf(htmlOf(plain, { styles: styles(address) }))).toMatchObject({
      code: "STYLE_FAILED",
      details: { styles: [`could not load ${address}`] },
    });
  });

  test("hold although the page's policy forbids styles", async () => {
    const image = await imageOf("/csp", { styles: "body { background: blue }" });
    expect(image.colourAt(390, 290)).toEqual([0, 0, 255]);
  });

  test("hold on the page that a click leads to", async () => {
    const image = await imageOf("/clicks", { click: "#leave", styles: "#box { background: green !important }" });
    expect(image.colourAt(BOX.x + 9, BOX.y + 9)).toEqual(GREEN);
  });
});

describe("hide_selectors", () => {
  const box = (id: string) => `<div id="${id}" style="width:400px;height:300px;background:red"></div>`;

  test.each([
    ["elements that are there", box("a")],
    ["elements that come later", `<script>setTimeout(() => { document.body.innerHTML = '${box("a")}' }, 300)</script>`],
  ])("hides %s", async (_, content) => {
    const html = `<!doctype html><body style="margin:0">${content}`;
    expect(await groundOf(html, { hide_selectors: ["#nothing", "#a"], delay: 0.5 })).toEqual(WHITE);
  });

  test.each([["#nothing /*"], ['#nothing[a="']])("is not led astray by the selector before: %s", async (other) => {
    const html = `<!doctype html><body style="margin:0">${box("b")}`;
    expect(await groundOf(html, { hide_selectors: [other, "#b"] })).toEqual(WHITE);
  });

  test("hides although the page's policy forbids styles", async () => {
    const options = { hide_selectors: "p", fail_if_content_contains: "Strict content security policy" };
    expect((await captureOf("/csp", options)).statusCode).toBe(200);
    const { hide_selectors: _, ...shown } = options;
    expect((await failureOf(captureOf("/csp", shown))).code).toBe("CONTENT_RULE_FAILED");
  });

  test("names the one that is no selector", async () => {
    expect(await failureOf(htmlOf(plain, { hide_selectors: ["p", "<<"] }))).toMatchObject({
      code: "VALIDATION_ERROR",
      status: 422,
      details: { hide_selectors: ["is not a valid CSS selector: '<<'"] },
    });
  });
});

describe("scripts", () => {
  test("run one after the other in the page's world, and may wait", async () => {
    const scripts = [
      "await new Promise((resolve) => setTimeout(resolve, 200)); said.push('one')",
      `said.push('two'); if (said.join() === "page,one,two") ${turnGreen} // the end`,
    ];
    expect(await groundOf(`${plain}<script>window.said = ["page"]</script>`, { scripts })).toEqual(GREEN);
  });

  test("run although the page's policy forbids scripts", async () => {
    const image = await imageOf("/csp", { scripts: `document.body.bgColor = "blue"` });
    expect(image.colourAt(390, 290)).toEqual([0, 0, 255]);
  });

  test.each([
    ["an error", "1;\n2;\nthrow new TypeError('boom')", "script 2: TypeError: boom (line 3)"],
    [
      "an error after a wait",
      "await null;\nnull.a",
      "script 2: TypeError: Cannot read properties of null (reading 'a') (line 2)",
    ],
    ["a rejection", "await Promise.reject(new Error('no'))", "script 2: Error: no (line 1)"],
    ["a text", "throw 'why'", "script 2: why"],
    ["what does not parse", "1;\nlet a = ;", "script 2: SyntaxError: Unexpected token ';' (line 2)"],
  ])("that throw fail, with the script, the message and the line: %s", async (_, script, told) => {
    expect(await failureOf(htmlOf(plain, { scripts: ["1", script] }))).toMatchObject({
      code: "SCRIPT_FAILED",
      details: { scripts: [told] },
    });
  });

  test.each([
    ["an address", `location.href = "/box"`],
    ["a reload", "location.reload()"],
    ["a form", `document.body.innerHTML = "<form action=/box>"; document.forms[0].submit()`],
    ["a link", `document.body.innerHTML = "<a href=/box>go"; document.links[0].click()`],
    ["a meta refresh", `document.head.innerHTML = '<meta http-equiv="refresh" content="0;url=/box">'`],
    ["this window opened anew", `window.open("/box", "_self")`],
  ])("that lead to another page fail: %s", async (_, scripts) => {
    expect(await failureOf(captureOf("/bands", { scripts }))).toMatchObject({
      code: "SCRIPT_FAILED",
      details: { scripts: ["script 1: it navigated to another page"] },
    });
  });

  test.each([["location.hash = 'a'"], ["history.pushState({}, '', '/elsewhere')"], ["window.open('/box')"]])(
    "that stay on the page are fine: %s",
    async (script) => {
      expect((await imageOf("/box", { scripts: `${script}; ${turnGreen}` })).colourAt(390, 290)).toEqual(GREEN);
    },
  );

  test.each([["for (;;);"], ["await new Promise(() => {})"]])("that do not end are told: %s", async (scripts) => {
    expect(await failureOf(htmlOf(plain, { scripts, timeout: 2 }))).toMatchObject({
      code: "CAPTURE_TIMEOUT",
      message: expect.stringContaining("waiting for a script to end"),
    });
  });
});

describe("scripts_wait_until", () => {
  test.each([
    ["networkidle0", GREEN],
    [undefined, WHITE],
  ])("%s", async (scripts_wait_until, colour) => {
    const scripts = `setTimeout(async () => { await fetch("${site.origin}/solid-image?after=600"); ${turnGreen} })`;
    const options = { scripts, ...(scripts_wait_until && { scripts_wait_until }) };
    expect(await groundOf(plain, options)).toEqual(colour);
  });
});

describe("bypass_csp", () => {
  const scripts = `const style = document.createElement("style"); style.textContent = "html:root { background: blue !important }"; document.head.append(style)`;

  test.each([
    [true, [0, 0, 255]],
    [false, GREEN],
  ])("%s: what a script adds to a page with a strict policy", async (bypass_csp, colour) => {
    const image = await imageOf("/csp", { scripts, bypass_csp });
    expect(image.colourAt(390, 290)).toEqual(colour);
  });

  test("lets a style sheet in", async () => {
    const styles = `${site.origin}/red.css`;
    expect((await imageOf("/csp", { styles, bypass_csp: true })).colourAt(390, 290)).toEqual(RED);
    expect((await failureOf(captureOf("/csp", { styles }))).code).toBe("STYLE_FAILED");
  });
});

describe("click", () => {
  test("presses an element, and waits for what comes of it", async () => {
    const [image, untouched] = [
      await imageOf("/clicks", { click: "#open", wait_for_selector: "#panel" }),
      await imageOf("/clicks"),
    ];
    expect(image.colourAt(...middleOf(CLICKS.panel))).toEqual(CLICKS.panel.colour);
    expect(untouched.colourAt(...middleOf(CLICKS.panel))).toEqual(WHITE);
  });

  test("presses one after the other, each when it is there", async () => {
    const html = `${plain}<button id=a>a</button><script>
      const b = document.createElement("button"); b.id = "b"; b.textContent = "b"; b.onclick = () => { ${turnGreen} };
      a.onclick = () => setTimeout(() => document.body.append(b), 400)</script>`;
    expect(await groundOf(html, { click: ["#a", "#b"] })).toEqual(GREEN);
  });

  test("captures the page it leads to", async () => {
    const { body, finalUrl } = await captureOf("/clicks", { click: "#leave" });
    expect((await decode(body)).colourAt(BOX.x + 9, BOX.y + 9)).toEqual(RED);
    expect(finalUrl).toBe(`${site.origin}/box`);
  });

  test("captures the page that a form of a page without scripts leads to", async () => {
    const html = `<form action="/slow-images" method="post"><button>go</button></form>`;
    const { body } = await htmlOf(html, { base_url: `${site.origin}/`, click: "button" });
    expect((await decode(body)).colourAt(200, 150)).toEqual(bandColour(1));
  });

  test("opens no other tab", async () => {
    const html = `${plain}<a id=a target=_blank href="${site.origin}/box">go</a><script>a.onclick = () => { ${turnGreen} }</script>`;
    expect(await groundOf(html, { click: "#a" })).toEqual(GREEN);
  });

  test("reaches a button that lies under something else", async () => {
    const image = await imageOf("/clicks", { click: "#covered" });
    expect(image.colourAt(...middleOf(CLICKS.alarm))).toEqual(CLICKS.alarm.rung);
  });

  test("does nothing to a disabled button, and says so", async () => {
    const { body, warnings } = await captureOf("/clicks", { click: "#disabled" });
    expect((await decode(body)).colourAt(...middleOf(CLICKS.alarm))).toEqual(CLICKS.alarm.quiet);
    expect(warnings).toEqual(["The element '#disabled' of 'click' is disabled; nothing was clicked."]);
  });

  const below = (button: string) =>
    `${plain}<div style="height:2000px"></div>${button}<div style="height:2000px"></div>`;

  test("below the window leaves the window where it was", async () => {
    const html = below(
      `<button id=a>a</button><script>a.onclick = () => { document.querySelector("div").style.background = "green" }</script>`,
    );
    expect(await groundOf(html, { click: "#a" })).toEqual(GREEN);
  });

  test("that scrolls is seen where it led", async () => {
    const html = `<a id=a href="#there">go</a>${below(`<div id=there style="height:600px;background:green">`)}`;
    expect(await groundOf(html, { click: "#a" })).toEqual(GREEN);
  });

  test("on nothing fails, or is done without", async () => {
    const click = ["#nothing"];
    expect(await failureOf(captureOf("/clicks", { click, timeout: 3 }))).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      details: { click: [expect.stringMatching(/^no element matched '#nothing' within/)] },
    });
    const optional = { click, error_on_click_selector_not_found: false, timeout: 3 };
    expect((await captureOf("/clicks", optional)).warnings).toEqual([
      "No visible element matched the selector '#nothing' of 'click'.",
    ]);
  });
});

describe("hover", () => {
  test.each([[false], [true]])("shows in the picture (full_page: %s)", async (full_page) => {
    const image = await imageOf("/clicks", { hover: "#menu", full_page });
    expect(image.colourAt(...middleOf(CLICKS.submenu))).toEqual(CLICKS.submenu.colour);
  });

  describe("is kept", () => {
    const lime = [0, 255, 0];
    /** An element at 100, 900, of 60 by 60 pixels, in a box 20 pixels larger on each side; wider than the window. */
    const page = `<!doctype html><style>body{margin:0;position:relative;width:900px;height:1500px}
      #box{position:absolute;left:80px;top:880px;width:800px;height:100px;background:silver}
      #e,.other{position:absolute;left:100px;width:60px;height:60px;background:gray}#e:hover{background:lime}.other:hover{background:red}
      #e i{display:none;position:absolute;left:20px;top:20px;width:20px;height:20px;background:blue}</style>
      <div style="position:fixed;left:300px;top:0;width:50px;height:20px;background:green"></div>
      <div id="box"></div>${[300, 600, 1200].map((y) => `<div class="other" style="top:${y}px"></div>`).join("")}<div id="e" style="top:900px"><i></i></div>
      <script>{ const [shown] = e.children; e.onmouseenter = () => { shown.style.display = "block" }; e.onmouseleave = () => { shown.style.display = "none" } }</script>`;
    const captured = async (options: Record<string, unknown>) => {
      const { body } = await captureWith({
        html: page,
        hover: "#e",
        viewport_width: 400,
        viewport_height: 300,
        timeout: 20,
        ...options,
      });
      return body;
    };
    /** Left and top of the element in the picture. */
    const expectHovered = (image: Pixels, left: number, top: number) =>
      expect([image.colourAt(left + 5, top + 5), image.colourAt(left + 30, top + 30)]).toEqual([lime, [0, 0, 255]]);

    test.each<[string, Record<string, unknown>, number, number]>([
      ["with scroll_into_view of the same element", { scroll_into_view: "#e" }, 100, 0],
      ["with a selector that is wider than the window", { selector: "#box" }, 20, 20],
      ["with a selector that is taller than the window", { selector: "body" }, 100, 900],
      ["by sections, below the first window", { full_page: true, full_page_algorithm: "by_sections" }, 100, 900],
      ["in a full page", { full_page: true }, 100, 900],
    ])("%s", async (_, options, left, top) => {
      const image = await decode(await captured(options));
      expectHovered(image, left, top);
      if (image.height > 1000) expect(image.countInColumn(105, [255, 0, 0])).toBe(0); // the pointer rests on nothing else
      if (options["full_page"]) expect(image.countInColumn(325, GREEN)).toBe(20); // what is fixed stays at the top
    });

    test.each<[string, Record<string, unknown>, number, number]>([
      ["with a selector", { selector: "#e" }, 0, 0],
      ["on one sheet", { pdf_fit_one_page: true, pdf_paper_width: "900px", pdf_paper_height: "400px" }, 100, 900],
    ])("in a pdf %s", async (_, options, left, top) => {
      const pdf = readPdf(await captured({ format: "pdf", pdf_margin: 0, ...options }));
      expectHovered(await pdf.draw(0, 96 / 72), left, top);
    });
  });

  test("over nothing fails, or is done without", async () => {
    const hover = "#nothing";
    expect(await failureOf(captureOf("/clicks", { hover, timeout: 3 }))).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      details: { hover: [expect.stringMatching(/^no element matched '#nothing' within/)] },
    });
    const { warnings } = await captureOf("/clicks", { hover, error_on_hover_selector_not_found: false, timeout: 3 });
    expect(warnings).toEqual(["No visible element matched the selector '#nothing' of 'hover'."]);
  });
});

describe("disable_animations", () => {
  const { infinite, finite, transition } = ANIMATED;
  const boxes = [infinite, finite, transition];

  test("ends what has an end, and takes what has none to its beginning", async () => {
    const image = await imageOf("/animated?duration=20000");
    expect(boxes.map((box) => image.colourAt(...middleOf(box)))).toEqual([infinite.from, finite.to, transition.to]);
  });

  test("off, shows them on their way", async () => {
    const image = await imageOf("/animated?duration=20000", { disable_animations: false });
    const colours = boxes.map((box) => image.colourAt(...middleOf(box)));
    expect(colours[1]).not.toEqual(finite.to);
    expect(colours[2]).not.toEqual(transition.to);
  });

  const fades = `[{ background: "red" }, { background: "green" }], { duration: 20_000, fill: "forwards" }`;
  test.each([
    ["by a script", `<script>document.body.animate(${fades})</script>`],
    [
      "by the end of another",
      `<script>document.body.animate([], 9_000).onfinish = () => document.body.animate(${fades})</script>`,
    ],
    [
      "in a shadow root",
      `<x-a><template shadowrootmode="open"><div style="position:fixed;inset:0"></div></template></x-a>
       <script>document.querySelector("x-a").shadowRoot.querySelector("div").animate(${fades})</script>`,
    ],
    [
      "in a frame",
      `<iframe style="position:fixed;inset:0;border:0;width:100%;height:100%" srcdoc='<script>document.documentElement.animate(${fades})</script>'></iframe>`,
    ],
  ])("ends one that was begun %s", async (_, content) => {
    expect(await groundOf(`<!doctype html><body>${content}`)).toEqual(GREEN);
  });

  test("ends what scrolling through the page has begun", async () => {
    const image = await imageOf("/scroll-reveal", { full_page: true });
    const sections = Array.from({ length: SCROLL_REVEAL.sections }, (_, n) => n);
    const middles = sections.map((n) => image.colourAt(200, (n + 0.5) * SCROLL_REVEAL.height));
    expect(middles).toEqual(sections.map(bandColour));
  });
});
