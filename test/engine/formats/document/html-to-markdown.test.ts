// HTML to Markdown: which elements are kept, how URLs are resolved, and limits for hostile input.
import { describe, expect, test } from "vitest";
import { HtmlTooComplexError, htmlToMarkdown } from "../../../../lib/engine/formats/document/html-to-markdown.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";

const baseUrl = "https://site.test/docs/page.html";
/** With time that it does not need, so that none of this depends on how busy the machine is. */
const converted = (html: string) => htmlToMarkdown(html, { baseUrl, timeoutMs: 25_000 });

describe("html to markdown: converts", () => {
  test.each([
    ["headings and paragraphs", "<h1>Title</h1><p>One.</p><p>Two.</p>", "# Title\n\nOne.\n\nTwo.\n"],
    [
      "emphasis",
      "<p><b>bold</b> <i>slanted</i> <del>gone</del> <code>x()</code></p>",
      "**bold** *slanted* ~~gone~~ `x()`\n",
    ],
    ["spaces at the edge of emphasis", "<p>a<b> bold </b>b <i> </i>c</p>", "a **bold** b c\n"],
    ["nested lists", "<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>", "- a\n  1. b\n- c\n"],
    [
      "tasks",
      "<ul><li><input type=checkbox checked> done<li><input type=checkbox> open</ul>",
      "- [x] done\n- [ ] open\n",
    ],
    ["code with its language", '<pre><code class="language-js">a\n  b</code></pre>', "```js\na\n  b\n```\n"],
    ["quotes", "<blockquote><p>said</p></blockquote>", "> said\n"],
    ["tables", "<table><tr><th>A<th>B<tr><td>1<td>a|b</table>", "| A | B |\n| - | - |\n| 1 | a\\|b |\n"],
    [
      "tables with merged cells",
      "<table><tr><th colspan=2>A<tr><td rowspan=2>1<td>2<tr><td>3</table>",
      "| A | |\n| - | - |\n| 1 | 2 |\n| | 3 |\n",
    ],
    [
      "blocks in cells, in one line with an element for each line end",
      "<table><tr><th>A<th>B<tr><td><ul><li>x<li>y</ul><td><p>p</p><pre>q\nr</pre></table>",
      "| A | B |\n| - | - |\n| x <br> y | p <br> q <br> r |\n",
    ],
    ["text that looks like Markdown", "<p># no [link](x) *no*</p>", "\\# no \\[link]\\(x) \\*no\\*\n"],
  ])("%s", async (_, html, markdown) => {
    expect(await converted(html)).toBe(markdown);
  });

  test("html to markdown: layout tables become their content", async () => {
    const html =
      "<table><tr><td><h1>Left</h1><td><table><tr><td>a<td>b<tr><td>c<td>d</table></table><table role=presentation><tr><td>e<td>f</table>";
    expect(await converted(html)).toBe("# Left\n\n| | |\n| - | - |\n| a | b |\n| c | d |\n\ne\n\nf\n");
  });

  test("html to markdown: leaves out what is not content", async () => {
    const html = `<title>t</title><style>p{}</style><script>x</script><noscript>n</noscript><template>t</template>
      <!-- c --><iframe src=x>f</iframe><svg><text>s</text></svg><object>o</object><p>kept</p>`;
    expect(await converted(html)).toBe("kept\n");
  });
});

describe("html to markdown: URLs", () => {
  test.each([
    [
      "are absolute",
      '<a href="../x?y#z">t</a> <img src="i.png" alt="a">',
      "[t](https://site.test/x?y#z) ![a](https://site.test/docs/i.png)\n",
    ],
    ["have no credentials", '<a href="https://user:pass@a.test/">t</a>', "[t](https://a.test/)\n"],
    [
      "that run or embed something are left out",
      '<a href="javascript:alert(1)">t</a> <img src="data:image/png;base64,AA" alt="a"> <a href="file:///etc/passwd">f</a>',
      "t a f\n",
    ],
    ["of images that have none are not those of the page", '<img src="" alt="photo">', "photo\n"],
    ["around nothing are left out", '<h2><a href="#h"></a>Head</h2>', "## Head\n"],
  ])("%s", async (_, html, markdown) => {
    expect(await converted(html)).toBe(markdown);
  });
});

describe("html to markdown: hostile HTML", () => {
  const bold = "<b><i><u><s><em><strong><code><tt><font><big><small>";

  sampled(test, 8).each([
    ["nested 100,000 deep", `${"<div>".repeat(100_000)}x`],
    ["nested 100,000 deep by an element whose content is a document", `${"<template>".repeat(100_000)}x`],
    ["10 MB of tables", "<table><tr><td>".repeat(700_000)],
    ["a million unclosed links", "<a href=x".repeat(1_000_000)],
  ])("is refused: %s", async (_, html) => {
    await expect(converted(html)).rejects.toThrow(HtmlTooComplexError);
  });

  test("takes no longer than its timeout", async () => {
    const started = process.threadCpuUsage(); // what other processes take of the machine does not count
    const html = `${"<ul><li>".repeat(140)}${"<p>x".repeat(60_000)}`;
    await expect(htmlToMarkdown(html, { timeoutMs: 300 })).rejects.toThrow(HtmlTooComplexError);
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(3_000);
  });

  slowTest("that re-opens formatting in each paragraph loses the formatting, not the text", async () => {
    expect(await converted(`${bold.repeat(3)}${"<p>x".repeat(10_000)}`)).toBe(`${"x\n\n".repeat(9_999)}x\n`);
  });

  test("that asks for billions of cells becomes the text of the cells", async () => {
    const rows = '<tr><td rowspan="99999">a<td colspan="99999999">b'.repeat(1_000);
    expect(await converted(`<table>${rows}</table>`)).toBe(`${"a\n\nb\n\n".repeat(999)}a\n\nb\n`);
  });

  test("with one long cell does not pad the other cells of its column", async () => {
    const html = `<table><tr><th>A<th>B<tr><td>${"x".repeat(100_000)}<td>b${"<tr><td>a<td>b".repeat(1_000)}</table>`;
    expect((await converted(html)).length).toBeLessThan(120_000);
  });

  test("with a lone surrogate becomes well-formed text", async () => {
    expect(await converted("<p>a\ud83db</p>")).toBe("a\ufffdb\n");
  });
});
