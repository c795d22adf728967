// Lists of elements: roles and names by the ARIA rules, frames and shadow roots, selectors, limits, and pages that lie.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PageElements, readPageElements } from "../../../../lib/engine/formats/elements/page-elements.ts";
import { type OpenPage, openPage } from "../../../support/open-page.ts";
import { slowTest } from "../../../support/slow-run.ts";

type Wanted = Partial<Parameters<typeof readPageElements>[1]>;

const read = (page: OpenPage, wanted: Wanted = {}) =>
  readPageElements(page.capturing, { scope: "interactive", root: undefined, max: 300, ...wanted });

async function elementsOf(body: string, wanted: Wanted = {}): Promise<PageElements> {
  await using page = await openPage(`<!doctype html><body>${body}`);
  return await read(page, wanted);
}

/** Role and name of each element. */
const named = ({ elements }: Pick<PageElements, "elements">) =>
  elements.map(({ role, name }) => `${role} ${name}`.trim());

describe("elements: roles and names", () => {
  let page: OpenPage;
  beforeAll(async () => {
    page = await openPage("<!doctype html><body>");
  });
  afterAll(() => page[Symbol.asyncDispose]());

  test.each([
    ["a link", `<a href="/x">Read <b>more</b></a>`, "link Read more"],
    ["a button with a label of its own", `<button aria-label="Close">×</button>`, "button Close"],
    [
      "a button that another element names",
      `<h2 id="t">Delete</h2><button aria-labelledby="t">x</button>`,
      "button Delete",
    ],
    ["a hidden name", `<i id="t" hidden>Hidden</i><button aria-labelledby="t">x</button>`, "button Hidden"],
    ["a field by its label", `<label for="f">Name</label><input id="f">`, "textbox Name"],
    ["a field in its label", `<label>Seats <input type="number" value="3"></label>`, "spinbutton Seats"],
    ["a field by its placeholder", `<input placeholder="Search here" type="search">`, "searchbox Search here"],
    ["a field with suggestions", `<input list="l" title="City"><datalist id="l"></datalist>`, "combobox City"],
    ["an image button", `<input type="image" alt="Go" width="20" height="20">`, "button Go"],
    ["a submit button", `<input type="submit">`, "button Submit"],
    ["an image in a link", `<a href="/"><img alt="Home" width="9" height="9"></a>`, "link Home"],
    ["a drawing with a title", `<button><svg width="9" height="9"><title>Menu</title></svg></button>`, "button Menu"],
    [
      "text of a style sheet",
      `<style>b::before{content:"New: "}</style><button><b>Offer</b></button>`,
      "button New: Offer",
    ],
    [
      "the alternative text of a style sheet",
      `<style>b::before{content:"★" / "\\"Best\\": "}</style><button><b>Offer</b></button>`,
      'button "Best": Offer',
    ],
    ["a role of the page", `<div role="switch" tabindex="0" aria-checked="true">Wi-Fi</div>`, "switch Wi-Fi"],
    ["an invalid role before a valid one", `<div role="nothing tab" tabindex="0">One</div>`, "tab One"],
    ["a presentational button, which stays one", `<button role="none">Buy</button>`, "button Buy"],
    ["details", `<details><summary>Terms</summary>Long text</details>`, "button Terms"],
    ["a menu of a form", `<select title="Size"><option>S<option selected>M</select>`, "combobox Size"],
    [
      "an element that a script made clickable",
      `<div style="cursor:pointer">Add <i>to cart</i></div>`,
      "generic Add to cart",
    ],
    ["an editor", `<div contenteditable aria-label="Note" role="textbox">Hi</div>`, "textbox Note"],
  ])("%s", async (_, html, expected) => {
    const shown = await page.capturing.session.page();
    await shown.evaluate((body) => {
      document.body.innerHTML = body;
    }, html);
    expect(named(await read(page))).toEqual([expected]);
  });

  test("scope all has what can only be read, with its text", async () => {
    const { elements } = await elementsOf(
      `<h1>Prices</h1><p>From <strong>5</strong> euros</p><ul><li>One<li>Two</ul><img alt="A cat" width="9" height="9">`,
      { scope: "all" },
    );
    expect(elements.map(({ role, name, value, level }) => [role, name, value, level])).toEqual([
      ["generic", "", null, null],
      ["heading", "Prices", null, 1],
      ["paragraph", "", "From euros", null],
      ["strong", "", "5", null],
      ["list", "", null, null],
      ["listitem", "", "One", null],
      ["listitem", "", "Two", null],
      ["img", "A cat", null, null],
    ]);
  });

  test("states, values, levels, and addresses", async () => {
    const { elements } = await elementsOf(
      `<input type="checkbox" checked required title="a"><input type="radio" disabled title="b">
       <button aria-pressed="mixed" aria-expanded="false">c</button><a href="/d?x#y" aria-current="page">d</a>
       <select title="e"><option>S<option selected>M</select><input value="text" readonly aria-invalid="true" title="f">`,
    );
    expect(elements.map(({ states, value }) => [states, value])).toEqual([
      [{ checked: true, required: true }, null],
      [{ checked: false, disabled: true }, null],
      [{ pressed: "mixed", expanded: false }, null],
      [{ current: true }, null],
      [{}, "M"],
      [{ readonly: true, invalid: true }, "text"],
    ]);
    expect(elements[3]?.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/d\?x#y$/);
  });

  test("headings and landmarks", async () => {
    const { headings, landmarks } = await elementsOf(
      `<header>Top</header><nav aria-label="Main">n</nav><main><h1>One</h1><div role="heading" aria-level="4">Two</div>
       <article><header>no landmark</header></article></main><section>none</section><section aria-label="News">s</section>`,
    );
    expect(headings.map(({ name, level }) => [name, level])).toEqual([
      ["One", 1],
      ["Two", 4],
    ]);
    expect(landmarks.map(({ role, name }) => `${role} ${name}`.trim())).toEqual([
      "banner",
      "navigation Main",
      "main",
      "region News",
    ]);
  });
});

test("elements: secrets of fields are masked, in names as well", async () => {
  const { elements } = await elementsOf(
    `<label>Password <input type="password" value="hunter2"></label><input autocomplete="cc-number" value="4111" title="Card">
     <button>Log in as <input type="password" value="hunter2"></button><input type="password" title="Empty">`,
  );
  expect(JSON.stringify(elements)).not.toMatch(/hunter2|4111/);
  expect(elements.map(({ name, value }) => [name, value])).toEqual([
    ["Password", "••••••••"],
    ["Card", "••••••••"],
    ["Log in as", null],
    ["", "••••••••"],
    ["Empty", ""],
  ]);
});

test("elements: boxes are those of the page, and only what is seen is in view", async () => {
  const { page, elements } = await elementsOf(
    `<style>body{margin:0}button{position:absolute;width:50px;height:20px}</style><button style="left:10px;top:30px">a</button>
     <button style="left:10px;top:3000px">b</button><div style="position:absolute;top:100px;width:100px;height:20px;overflow:hidden">
     <button style="left:200px">c</button></div>`,
  );
  expect(page.height).toBe(3020);
  expect(elements.map(({ name, box, in_view }) => [name, box, in_view])).toEqual([
    ["a", { x: 10, y: 30, width: 50, height: 20 }, true],
    ["b", { x: 10, y: 3000, width: 50, height: 20 }, false],
    ["c", { x: 200, y: 100, width: 50, height: 20 }, false],
  ]);
});

test("elements: content of open shadow roots and of frames of any origin stands at its place", async () => {
  const frame = (html: string) => `data:text/html,${encodeURIComponent(`<style>body{margin:0}</style>${html}`)}`;
  const inner = frame("<button>deep</button>");
  const { elements } = await elementsOf(
    `<style>body{margin:0}iframe{border:5px solid;position:absolute;left:100px;top:200px}</style><button>first</button>
     <x-card><button>slotted</button></x-card><iframe src="${frame(`<a href="/x">in a frame</a><iframe src="${inner}"></iframe>`)}"></iframe>
     <button>last</button><script>document.querySelector("x-card").attachShadow({mode:"open"}).innerHTML =
     "<button>in a shadow root</button><slot></slot><button>behind the slot</button>"</script>`,
  );
  expect(elements.map(({ name, frame: address }) => [name, address?.slice(0, 10) ?? null])).toEqual([
    ["first", null],
    ["in a shadow root", null],
    ["slotted", null],
    ["behind the slot", null],
    ["in a frame", "data:text/"],
    ["deep", "data:text/"],
    ["last", null],
  ]);
  expect(elements[4]?.box).toMatchObject({ x: 105, y: 205 });
});

test("elements: a root and a maximum limit the list", async () => {
  const html = `<button>out</button><form id="f">${"<button>in</button>".repeat(5)}</form>`;
  const inRoot = await elementsOf(html, { root: "#f", max: 3 });
  expect([named(inRoot), inRoot.truncated]).toEqual([["button in", "button in", "button in"], true]);
  expect(inRoot.elements.map(({ ref }) => ref)).toEqual(["e1", "e2", "e3"]);
  expect((await elementsOf(html)).truncated).toBe(false);
});

describe("elements: selectors", () => {
  const html = `<div id="app"><ul><li><a href="/1">One</a><li><a href="/2">Two</a></ul><input name="q"><button id="radix-:r1:">x</button>
    <button class="b">y</button></div><form><input name="id"><button name="getAttribute">z</button><button>last</button></form>
    <x-a><button>light</button></x-a><x-a></x-a><script>for (const host of document.querySelectorAll("x-a")) host.attachShadow({mode:
    "open"}).innerHTML = "<button>one</button><p><button>two</button></p><slot></slot>"</script>`;

  test("each matches its element only, as the options find it", async () => {
    await using page = await openPage(`<!doctype html><body>${html}`);
    const { elements } = await read(page);
    expect(elements).toHaveLength(13);
    const pageOfTest = await page.capturing.session.page();
    for (const { selector, name } of elements) {
      const found = await pageOfTest.evaluate((wanted) => {
        const roots = [document, ...[...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
        return roots.flatMap((root) =>
          [...root.querySelectorAll(wanted)].map(({ textContent }) => textContent?.trim()),
        );
      }, selector ?? "none");
      expect(found, String(selector)).toHaveLength(1);
      if (name !== "") expect(found[0]).toBe(name);
    }
  });

  test("they prefer ids and names that stay, and don't trust those that scripts make up", async () => {
    await using page = await openPage(`<!doctype html><body>${html}`);
    const { elements } = await read(page);
    expect(elements.slice(0, 5).map(({ selector }) => selector)).toEqual([
      "#app > ul > li:nth-of-type(1) > a",
      "#app > ul > li:nth-of-type(2) > a",
      `input[name="q"]`,
      "#app > button:nth-of-type(1)",
      "#app > button:nth-of-type(2)",
    ]);
  });
});

describe("elements: hostile pages", () => {
  test("a page that overrides prototypes and clobbers properties is read as it is", async () => {
    const { elements } = await elementsOf(
      `<script>Element.prototype.getAttribute = () => "lie"; Element.prototype.getBoundingClientRect = () => ({ x: 1 });
       window.getComputedStyle = () => ({}); Array.prototype.push = Array.prototype.map = () => { throw 1 }</script>
       <form><input name="children"><input name="getAttribute"><input name="shadowRoot"><input name="parentNode"><input name="localName">
       <input name="hasAttribute"><input name="firstChild"><input name="getRootNode"><button>Send</button></form>`,
    );
    expect(elements).toHaveLength(9);
    expect(elements.at(-1)).toMatchObject({ role: "button", name: "Send", selector: "html > body > form > button" });
  });

  test("what is shown but hidden from assistive technology is listed, and says so", async () => {
    const { elements } = await elementsOf(
      `<div aria-hidden="true"><button>Buy</button></div><div style="visibility:hidden"><button>a</button></div>
       <div hidden><button>b</button></div><button style="position:absolute;width:0;height:0;padding:0;border:0">c</button>`,
    );
    expect(elements.map(({ name, states }) => [name, states])).toEqual([["Buy", { hidden: true }]]);
  });

  test("elements that own or name each other are listed once", async () => {
    const { elements } = await elementsOf(
      `<div id="a" aria-owns="b"><button id="x" aria-labelledby="y">one</button></div>
       <div id="b" aria-owns="a b"><button id="y" aria-labelledby="x">two</button></div>`,
    );
    expect(named({ elements })).toEqual(["button two", "button one"]);
    const all = await elementsOf(`<div id="a" aria-owns="b">1</div><div id="b" aria-owns="a">2</div>`, {
      scope: "all",
    });
    expect(all.elements.length).toBeLessThan(5);
  });

  test("a name of a megabyte is cut at 200 characters, by code point", async () => {
    const { elements } = await elementsOf(
      `<button>${"😀".repeat(250_000)}</button><button aria-label="${"é".repeat(1e5)}">x</button>`,
    );
    expect(elements.map(({ name }) => [...name].length)).toEqual([200, 200]);
    expect(elements[0]?.name.isWellFormed()).toBe(true);
  });

  test("markup, control characters, and lone surrogates arrive as text", async () => {
    const { elements } = await elementsOf(
      `<button id="a">&lt;script&gt;alert(1)&lt;/script&gt;</button><button id="b"></button>
       <script>document.querySelector("#b").textContent = "a\\u001b[2J\\ud800b\\n\\tc"</script>`,
    );
    expect(elements.map(({ name }) => name)).toEqual(["<script>alert(1)</script>", "a\u001b[2J\ufffdb c"]);
  });

  slowTest("the first 50 of many frames are read", async () => {
    const frames = `<iframe srcdoc="<button>x</button>" width="40" height="30"></iframe>`.repeat(52);
    const { elements, truncated } = await elementsOf(`${frames}<button>last</button>`);
    expect([elements.length, elements.at(-1)?.name, truncated]).toEqual([51, "last", true]);
  });

  test("a document that nests deeper than it can be laid out is read to a limit", async () => {
    const { truncated } = await elementsOf(
      `<div id="a" hidden></div><script>let at = document.querySelector("#a"); for (let i = 0; i < 20000; i++) { const each =
       document.createElement("div"); at.append(each); at = each; }</script>`,
    );
    expect(truncated).toBe(true);
  });

  slowTest("of 10,000 frames, the first 50 are read, and the elements around them", async () => {
    const { elements, truncated } = await elementsOf(
      `${"<iframe width=40 height=30></iframe>".repeat(10_000)}<button>last</button>`,
    );
    expect([named({ elements }), truncated]).toEqual([["button last"], true]);
  });

  slowTest("a page of 200,000 elements takes seconds at most, on a busy machine as well", async () => {
    await using page = await openPage(`<!doctype html><body>${"<p><a href=/x>Link</a></p>".repeat(100_000)}`);
    await read(page); // the page is laid out when it is read first
    for (const scope of ["interactive", "all"] as const) {
      const startedAt = performance.now();
      const { elements, truncated } = await read(page, { scope, max: 2_000 });
      expect([elements.length, truncated]).toEqual([2_000, true]);
      expect(performance.now() - startedAt).toBeLessThan(4_000);
    }
  });
});
