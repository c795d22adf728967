// What the painted page decides of text and Markdown: which words are on one line, powers and indices, formulas, and embedded media.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { documentMarkdown, documentText } from "../../../../lib/engine/formats/document/documents.ts";
import { openPage } from "../../../support/open-page.ts";

const styles = `<style>
  body { font: 16px/1.5 sans-serif }
  .row { display: flex; gap: 8px }
  .grid { display: grid; grid-template-columns: 1fr 1fr; gap: 20px }
  .card { border: 1px solid; padding: 20px }
  .cap { float: left; font-size: 60px; line-height: 50px; padding-right: 6px }
  .badge { display: inline-block; padding: 4px; margin-left: 8px }
  .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0); white-space: nowrap }
</style>`;

/** What is read of each of several parts of one page, which a sign separates. */
async function readParts(parts: readonly string[]): Promise<{ text: string[]; markdown: string[] }> {
  await using page = await openPage(`<!doctype html><title>t</title>${styles}${parts.join("<div>§</div>")}`);
  const split = (text: string) =>
    text
      .replaceAll(page.origin, "")
      .split("§")
      .map((part) => part.trim());
  return {
    text: split(await documentText(page.capturing, { shadowDom: false })),
    markdown: split(await documentMarkdown(page.capturing, { shadowDom: false })),
  };
}

/** Parts of a page, with their text and their Markdown; the same as the text if it is missing. */
type Cases = readonly (readonly [html: string, text: string, markdown?: string])[];

async function expectParts(cases: Cases): Promise<void> {
  const { text, markdown } = await readParts(cases.map(([html]) => html));
  expect(text).toEqual(cases.map(([, expected]) => expected));
  expect(markdown).toEqual(cases.map(([, expected, inMarkdown = expected]) => inMarkdown));
}

describe("text and Markdown: lines", () => {
  test("words that are painted on one line are on one line", async () => {
    await expectParts([
      [
        "<p><span class=cap>O</span>nce upon a time there was a page that was longer than a line.</p>",
        "Once upon a time there was a page that was longer than a line.",
      ],
      ["<p><span class=cap>A</span> dog barked.</p>", "A dog barked."],
      [
        "<p class=row><span>Price:</span> <b>12.50</b> <span>EUR</span></p>",
        "Price: 12.50 EUR",
        "Price: **12.50** EUR",
      ],
      [
        "<div class=row style=justify-content:space-between><p>Subtotal</p><p>−262.00&nbsp;€</p></div>",
        "Subtotal −262.00\u00a0€",
      ],
      ["<p class=row style=gap:0><span>$</span><span>19</span><span>/mo</span></p>", "$19/mo"],
      ["<h2><span class=row><span>Icon</span>Flex heading</span></h2>", "Icon Flex heading", "## Icon Flex heading"],
      ["<h3>Title<span class=badge>New</span></h3>", "Title New", "### Title New"],
      [
        "<a href=/x>Read more<span class=sr>about cats</span></a>",
        "Read more about cats",
        "[Read more about cats](/x)",
      ],
      [
        "<p>Text <span style=position:relative>rel<span style='position:absolute;top:-20px'>tip</span></span> end.</p>",
        "Text rel tip end.",
      ],
      ["<ul><li>Inbox<span style=float:right>12</span></li></ul>", "Inbox 12", "- Inbox 12"],
      ["<span style=margin-right:8px>Foo</span><span>Bar</span>", "Foo Bar"],
      ["<nav class=row><a href=/a>Home</a><a href=/b>About us</a></nav>", "Home About us", "[Home](/a) [About us](/b)"],
    ]);
  });

  test("letters and code that touch stay one word", async () => {
    await expectParts([
      ["<span style=display:inline-block>H</span><span style=display:inline-block>i</span>", "Hi"],
      ["<div class=row style=gap:0><span>W</span><span>o</span><span>w</span></div>", "Wow"],
      [
        "<p><code style=padding:4px>Array</code>s of so<span>me</span>thing</p>",
        "Arrays of something",
        "`Array`s of something",
      ],
      ["<p>日本語\nテキスト</p>", "日本語テキスト"],
    ]);
  });

  test("columns, cards and blocks stay apart", async () => {
    await expectParts([
      [
        "<div class=row><div style=flex:1>Left.</div><div style=flex:1>Right.</div></div>",
        "Left.\nRight.",
        "Left.\n\nRight.",
      ],
      ["<div class=grid><div class=card>One</div><div class=card>Two</div></div>", "One\nTwo", "One\n\nTwo"],
      ["<div class=row><div class=card>One</div><div class=card>Two</div></div>", "One\nTwo", "One\n\nTwo"],
      [
        "<div><div style=float:left;width:50%>One</div><div style=float:left;width:50%>Two</div></div>",
        "One\nTwo",
        "One\n\nTwo",
      ],
      ["<div class=row><div>Name<br>Street</div><div>12</div></div>", "Name\nStreet\n12", "Name\\\nStreet\n\n12"],
      ["<a href=/a style=display:block>A</a><a href=/b style=display:block>B</a>", "A\nB", "[A](/a)\n\n[B](/b)"],
      ["<h3>Two<br>lines</h3>", "Two\nlines", "### Two lines"],
    ]);
  });

  test("blocks in cells are separate lines, and white space that is kept has its lines", async () => {
    await expectParts([
      [
        "<table><tr><th>A<th>B<tr><td>text<ul><li>one<li>two</ul><td><span class=row><b>12</b><i>kg</i></span></table>",
        "A\tB\ntext\none\ntwo\t12 kg",
        "| A | B |\n| - | - |\n| text <br> one <br> two | **12** *kg* |",
      ],
      [
        "<p style=white-space:pre-line>Roses are red\nViolets are blue</p>",
        "Roses are red\nViolets are blue",
        "Roses are red\\\nViolets are blue",
      ],
      ["<p style=white-space:pre-wrap>Dear  Anna,\nthanks</p>", "Dear  Anna,\nthanks", "Dear Anna,\\\nthanks"],
    ]);
  });
});

describe("text and Markdown: powers and formulas", () => {
  test("powers and indices stay what they are", async () => {
    await expectParts([
      [
        "E=mc<sup>2</sup>, H<sub>2</sub>O, 10<sup>-3</sup>, 10<sup>−3</sup>, SO<sub>4</sub><sup>2−</sup>",
        "E=mc², H₂O, 10⁻³, 10⁻³, SO₄²⁻",
      ],
      ["x<sup>2.5</sup> and 2<sup>2<sup>n</sup></sup>", "x^(2.5) and 2^(2ⁿ)"],
      ["a<sub>i,j</sub>", "a_(i,j)", "a\\_(i,j)"],
      [
        "CO<span style='vertical-align:sub;font-size:.7em'>2</span>, $19<sup style=vertical-align:baseline>99</sup>",
        "CO₂, $19⁹⁹",
      ],
      ["1<sup>st</sup>, Brand<sup>®</sup>, only<sup>with all taxes</sup>", "1st, Brand®, only with all taxes"],
      [
        "It costs 5<sup><a href=/#fn1>1</a></sup><sup><a href=/#fn2>[2]</a></sup>",
        "It costs 5¹[2]",
        "It costs 5[¹](/#fn1)[\\[2\\]](/#fn2)",
      ],
    ]);
  });

  test("formulas come once: from their source, or from what is painted", async () => {
    const katex = `<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">E=mc^2 % energy</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span>E</span><span style="display:inline-block">=mc</span></span></span>`;
    const squared = "<msup><mi>x</mi><mn>2</mn></msup>";
    const fraction = `<mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt>${squared}</msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac>`;
    const glyph = (code: string) => `<use data-c="${code}"></use>`;
    await expectParts([
      [`Energy ${katex}.`, "Energy $E=mc^2$."],
      [`<p>Roots:</p><span class="katex-display">${katex}</span>`, "Roots:\n\n$$E=mc^2$$"],
      [`<mjx-container jax="SVG"><svg><g data-mml-node="math" data-latex="a_1"></g></svg></mjx-container>`, "$a_1$"],
      [
        `<mjx-container jax="CHTML" display="true"><mjx-math></mjx-math><mjx-assistive-mml><math>${fraction}</math></mjx-assistive-mml></mjx-container>`,
        "$$\\frac{-b±\\sqrt{x^{2}}}{2a}$$",
      ],
      [
        `<mjx-container jax="SVG"><svg><g data-mml-node="math"><g data-mml-node="msup"><g data-mml-node="mn">${glyph("31")}${glyph("30")}</g><g data-mml-node="TeXAtom"><g data-mml-node="mo">${glyph("2212")}</g><g data-mml-node="mn">${glyph("33")}</g></g></g></g></svg></mjx-container>`,
        "$" + "{10}^{-3}$",
      ],
      [
        `<span class="MathJax" id="MathJax-Element-1-Frame"><math></math></span><script type="math/tex" id="MathJax-Element-1">y%</script>`,
        "$y$",
      ],
      [
        `<span class="katex"><span class="katex-html"><span>10</span><span class="msupsub"><span class="vlist"><span><sup>−3</sup></span></span></span></span></span>`,
        "$" + "{10}^{-3}$",
      ],
      [`<p>Plain <math><mi>y</mi><mo>=</mo>${fraction}</math>.</p>`, "Plain y = (−b ± √x²)/2a."],
      [
        `<table><tr><th>F<th>G<tr><td>${katex.replace("E=mc^2", "|x|")}<td>1</table>`,
        "F\tG\n$|x|$\t1",
        "| F | G |\n| - | - |\n| $\\vert x\\vert$ | 1 |",
      ],
    ]);
  });
});

describe("text and Markdown: what is not in the document", () => {
  test("frames, videos and objects leave a link in Markdown", async () => {
    await expectParts([
      ["<iframe src=/embed title='A talk'></iframe>", "", "[A talk](/embed)"],
      ["<video src=/clip.mp4 width=99 height=99></video>", "", "</clip.mp4>"],
      ["<audio controls><source src=/song.mp3></audio>", "", "</song.mp3>"],
      [
        "<iframe src=/pixel width=1 height=1></iframe><iframe srcdoc=inside></iframe><iframe src=/h hidden></iframe>",
        "",
      ],
      ["<object data=/missing><p>Instead</p></object>", "Instead"],
    ]);
  });

  test("closed details and lists of options are in text and in Markdown", async () => {
    await expectParts([
      ["<details><summary>More</summary><p>Inside 42</p></details>", "More\n\nInside 42"],
      [
        "<label>City <select><option>Rome<option selected>Oslo</select></label>",
        "City\nRome\nOslo",
        "City\n\n- Rome\n- Oslo",
      ],
      ["<div hidden>gone</div><div style=content-visibility:hidden>gone</div>", ""],
    ]);
  });
});

test("text and Markdown: a page of a package has each word and each number that Chromium's innerText has", async () => {
  const require = createRequire(import.meta.url);
  const folder = require.resolve("startbootstrap-sb-admin-2/package.json").replace("package.json", "");
  await using page = await openPage(
    ({ url = "/" }, answer) => {
      const type = url.endsWith(".css") ? "text/css" : "text/html; charset=utf-8";
      const isThere = /\.(html|css)$/.test(url);
      answer
        .writeHead(isThere ? 200 : 404, { "content-type": type })
        .end(isThere ? readFileSync(`${folder}${url}`) : "");
    },
    { path: "/cards.html" },
  );
  const tokens = (text: string) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const expected = tokens(String(await (await page.capturing.session.page()).evaluate("document.body.innerText")));
  const text = await documentText(page.capturing, { shadowDom: false });
  const markdown = await documentMarkdown(page.capturing, { shadowDom: false });
  expect(expected.length).toBeGreaterThan(150);
  expect(tokens(text)).toEqual(expected);
  expect(tokens(markdown.replace(/\]\([^)]*\)/g, "]").replace(/!\[[^\]]*\]/g, ""))).toEqual(expected);
});
