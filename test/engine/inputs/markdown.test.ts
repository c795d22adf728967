// Markdown rendering: GitHub's rules, sanitisation, and limits for hostile input.
import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../../lib/engine/inputs/markdown.ts";
import { MarkdownTooComplexError } from "../../../lib/engine/inputs/markdown-error.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

async function bodyOf(markdown: string): Promise<string> {
  return bodyIn((await renderMarkdown(markdown)).html);
}

function bodyIn(html: string): string {
  return /<article dir="auto">\n([\s\S]*)\n<\/article>/.exec(html)?.[1] ?? "";
}

async function titleOf(markdown: string): Promise<string | undefined> {
  return /<title>(.*)<\/title>/.exec((await renderMarkdown(markdown)).html)?.[1];
}

describe("markdown: the document", () => {
  test("is a complete HTML5 page with its own style and nothing to load", async () => {
    const { html } = await renderMarkdown("# Hello\n\nWorld");

    expect(html).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport"/);
    expect(html).toContain("<style>");
    expect(html).toContain("prefers-color-scheme: dark");
    expect(html).not.toMatch(/<link|<script|@import|url\("?https?:/);
  });

  test("is the same for the same Markdown, however often it is rendered", async () => {
    const markdown = "# A\n\n# A\n\nText[^1]\n\n[^1]: Note";

    expect(await renderMarkdown(markdown)).toEqual(await renderMarkdown(markdown));
  });

  test("is valid for empty Markdown", async () => {
    expect(await bodyOf("")).toBe("");
  });

  test.each([
    ["the first heading", "Intro\n\n## First *one*\n\n# Second", "First one"],
    ["a heading with markup characters, escaped", "# `</title>` & more", "&lt;/title> &amp; more"],
    ["the first heading with text", "# ![](https://a.test/logo.png)\n\n## Name", "Name"],
    ["a heading written in HTML", '<h1 align="center">Logo\n Name</h1>', "Logo Name"],
    ["a placeholder without headings", "Just text", "Untitled"],
    ["a placeholder when the only heading is that of the footnotes", "Text[^1]\n\n[^1]: Note", "Untitled"],
  ])("takes its title from %s", async (_, markdown, title) => {
    expect(await titleOf(markdown)).toBe(title);
  });
});

describe("markdown: YAML front matter", () => {
  test.each([
    ["with a title", "---\ntitle: My post\ntags: [a, b]\n---\n\n# Heading", "My post", '<h1 id="heading">Heading</h1>'],
    ["of an author's editor on Windows", '---\r\ntitle: "A: <b>"\r\n---\r\nText', "A: &lt;b>", "<p>Text</p>"],
    ["without a title", "---\nlayout: post\n---\n# Heading", "Heading", '<h1 id="heading">Heading</h1>'],
    ["with a number for a title", "---\ntitle: 1984\n---\nText", "1984", "<p>Text</p>"],
    ["with a list for a title", "---\ntitle: [a]\n---\nText", "Untitled", "<p>Text</p>"],
    ["with a title of several lines", "---\ntitle: >\n  One\n  two\n---\nText", "One two", "<p>Text</p>"],
    ["with a title that is a number with zeros", "---\ntitle: 007\n---\nText", "007", "<p>Text</p>"],
    ["with a version for a title", "---\ntitle: 1.0\n---\nText", "1.0", "<p>Text</p>"],
    ["with a truth value for a title", "---\ntitle: true\n---\nText", "true", "<p>Text</p>"],
    ["with a title that is null", "---\ntitle: ~\n---\nText", "Untitled", "<p>Text</p>"],
    ["with a title that is an alias", "---\nname: &name My post\ntitle: *name\n---\nText", "My post", "<p>Text</p>"],
    ["with an alias of nothing", "---\ntitle: *nothing\n---\nText", "Untitled", "<p>Text</p>"],
    ["with an alias of what contains it", "---\ntitle: &a [*a]\n---\nText", "Untitled", "<p>Text</p>"],
    ["with unknown tags", "---\na: !!js/function x\ntitle: !own One\n---\nText", "One", "<p>Text</p>"],
    [
      "with the names of JavaScript's own properties",
      "---\n__proto__: {title: a}\n---\nText",
      "Untitled",
      "<p>Text</p>",
    ],
    ["with keys that come twice", "---\na: 1\na: 2\n---\nText", "Untitled", "<p>Text</p>"],
    ["that is empty", "---\n---\nText", "Untitled", "<p>Text</p>"],
  ])("sets the title and is not rendered: %s", async (_, markdown, title, body) => {
    expect([await titleOf(markdown), await bodyOf(markdown)]).toEqual([title, body]);
  });

  test.each([
    ["lines of dashes around a heading", "---\nHeading\n---", '<hr>\n<h2 id="heading">Heading</h2>'],
    ["what is no YAML", "---\na: 'b\n---\nText", '<hr>\n<h2 id="a-b">a: \'b</h2>\n<p>Text</p>'],
    ["a list", "---\n- a\n---\nText", "<hr>\n<ul>\n<li>a</li>\n</ul>\n<hr>\n<p>Text</p>"],
    ["text", "---\na\n---\nText", '<hr>\n<h2 id="a">a</h2>\n<p>Text</p>'],
    ["YAML indented by tabs", "---\n\ta: 1\n---\n", "<hr>\n<pre><code>a: 1\n</code></pre>\n<hr>"],
    ["what does not begin the document", "Text\n\n---\na: 1\n---", '<p>Text</p>\n<hr>\n<h2 id="a-1">a: 1</h2>'],
    ["what has no end", "---\na: 1", "<hr>\n<p>a: 1</p>"],
  ])("is not: %s", async (_, markdown, body) => {
    expect(await bodyOf(markdown)).toBe(body);
  });

  sampled(test, 8).each([
    ["nested without end", `---\na: ${"[".repeat(5_000)}\n---\nText`],
    [
      "of aliases of aliases",
      `---\na: &a [1,1,1,1,1,1,1,1,1]\n${"bcdefghijk".replace(/./g, (key, at) => `${key}: &${key} [${`*${"abcdefghij"[at]},`.repeat(9)}]\n`)}---\nText`,
    ],
    ["of very many keys", `---\n${"a: 1\n".repeat(5_000)}---\nText`],
    ["of very many aliases", `---\nx: &x 1\n${"a: *x\n".repeat(5_000)}---\nText`],
    ["of very many errors", `---\n${"a: 'b\n".repeat(2_000)}---\nText`],
  ])("takes no longer than a document may: %s", async (_, markdown) => {
    const rendering = renderMarkdown(markdown, { timeoutMs: 20_000 }).then(({ html }) => html);
    expect(
      await rendering.catch((error) => (error instanceof MarkdownTooComplexError ? "<p>Text</p>" : error)),
    ).toContain("<p>Text</p>");
  });
});

describe("markdown: GitHub Flavored Markdown", () => {
  test.each([
    ["tables with alignment", "|a|b|\n|:-:|-|\n|1|2|", '<td align="center">1</td>'],
    ["checked tasks", "- [x] done", '<input type="checkbox" checked disabled> done'],
    ["open tasks", "- [ ] open", '<li class="task-list-item"><input type="checkbox" disabled> open'],
    ["strikethrough", "~~gone~~", "<del>gone</del>"],
    ["bare addresses", "see https://a.test/x.", '<a href="https://a.test/x">https://a.test/x</a>.'],
    ["heading ids", "## Getting started!", '<h2 id="getting-started">Getting started!</h2>'],
    ["ids of equal headings", "# A\n\n# A", '<h1 id="a-1">A</h1>'],
    ["inline HTML", "H<sub>2</sub>O <kbd>Ctrl</kbd>", "<p>H<sub>2</sub>O <kbd>Ctrl</kbd></p>"],
    ["Markdown inside HTML", "<details>\n\n**in**\n\n</details>", "<details>\n<p><strong>in</strong></p>\n</details>"],
    ["centred blocks", '<p align="center">x</p>', '<p align="center">x</p>'],
    ["embedded images", "![i](data:image/gif;base64,R0lGOD)", '<img src="data:image/gif;base64,R0lGOD" alt="i">'],
    ["highlighted code", "```js\nconst a = 1;\n```", '<span class="hljs-keyword">const</span>'],
    ["code in an unknown language", "```nope\n<a>\n```", '<code class="hljs language-nope">&#x3C;a>\n</code>'],
    ["code without a language", "```\n<a>\n```", "<pre><code>&#x3C;a>\n</code></pre>"],
  ])("has %s", async (_, markdown, html) => {
    expect(await bodyOf(markdown)).toContain(html);
  });

  test("has footnotes with links in both directions", async () => {
    const body = await bodyOf("Text[^a]\n\n[^a]: Note");

    for (const [, target] of body.matchAll(/href="#([^"]+)"/g)) expect(body).toContain(`id="${target}"`);
    expect(body).toContain('<section data-footnotes="" class="footnotes">');
  });

  test("breaks long words in table cells, so that no column is wider than the page", async () => {
    expect(await bodyOf(`|a|\n|-|\n|${"x".repeat(40)}|`)).toContain(
      `<td>${"x".repeat(16)}<wbr>${"x".repeat(16)}<wbr>${"x".repeat(8)}<wbr></td>`,
    );
  });
});

/** The TeX of each formula that is drawn; those on lines of their own are in brackets. */
async function formulasIn(markdown: string): Promise<string[]> {
  const body = await bodyOf(markdown);
  const drawn = body.matchAll(/(<span class="katex-display">)?<span class="katex">.*?x-tex">([\s\S]*?)<\/annotation>/g);
  return [...drawn].map(([, display, tex = ""]) => (display === undefined ? tex : `[${tex}]`));
}

describe("markdown: formulas", () => {
  test.each([
    ["between dollars", "a $x$, ($y$) and **$z$**-like", ["x", "y", "z"]],
    ["with a backslash and markup characters", "$a\\,b_1*c*_2$", ["a\\,b_1*c*_2"]],
    ["with an escaped dollar", "$a\\$b$", ["a\\$b"]],
    ["of two lines", "$a +\nb$", ["a +\nb"]],
    ["between dollars and backticks", "$`a*b* `$", ["a*b* "]],
    ["between two dollars in a line", "so $$x$$.", ["[x]"]],
    ["between lines of dollars, with what would be Markdown", "Text\n$$\na\n= b\n\n- c\n$$", ["[a\n= b\n\n- c]"]],
    ["in a list and in a quote", "- $$\n  x\n  $$\n\n> $$\n> y\n> $$", ["[x]", "[y]"]],
    ["in a block of code with the language math", "```math\n\\frac12\n```", ["[\\frac12\n]"]],
    ["in a table, with a pipe", "|a|\n|-|\n|$x \\| y$|", ["x | y"]],
    ["in a heading", "## On $x^2$", ["x^2"]],
    ["in a footnote", "a[^1]\n\n[^1]: $x$", ["x"]],
  ])("are drawn %s", async (_, markdown, formulas) => {
    expect(await formulasIn(markdown)).toEqual(formulas);
  });

  test.each([
    ["prices", "costs $5 and $6, or $5/$6"],
    ["prices with a currency in front", "US$5-US$6"],
    ["prices with the sign at the end", "5$ or 6$"],
    ["variables of a shell", "$HOME/bin:$PATH"],
    ["ranges of prices", "from $$ to $$$"],
    ["a dollar that is escaped", "\\$x$"],
    ["code", "`$x$`"],
    ["a block that has no end", "$$\nx\n\nText"],
  ])("are not %s", async (_, markdown) => {
    expect(await bodyOf(markdown)).not.toContain("katex");
    expect(await bodyOf(`${markdown}\n\n$x$`)).toContain("katex");
  });

  test("bring their style and fonts, without an address to load; other documents have none of it", async () => {
    const { html } = await renderMarkdown("$x$");
    expect(html).toContain("@font-face");
    expect(html.match(/url\((?!"?data:)[^)]*\)/)).toBeNull();
    expect((await renderMarkdown("x")).html).not.toContain("@font-face");
  });

  test.each([
    ["in a line", "a $\\frac{1$ b", '<p>a <code class="language-math">$\\frac{1$</code> b</p>'],
    ["in a block", "```math\n\\nope\n```", '<pre><code class="hljs language-math">\\nope\n</code></pre>'],
  ])("that are no valid TeX show their source, with a warning: %s", async (_, markdown, body) => {
    const { html, warnings } = await renderMarkdown(markdown);
    expect(bodyIn(html)).toBe(body);
    expect(warnings).toEqual([expect.stringMatching(/^The formula '.*' isn't valid TeX, and its source is shown: ./s)]);
  });

  test("that fail in great number have few warnings", async () => {
    const { warnings } = await renderMarkdown("$\\nope$ ".repeat(10));
    expect(warnings).toHaveLength(4);
    expect(warnings.at(-1)).toBe("7 more formulas aren't valid TeX.");
  });

  test.each([
    ["a link to a script", "$\\href{javascript:alert(1)}{x}$"],
    ["an image", "$\\includegraphics{https://evil.test/x.png}$"],
    ["an attribute", "$\\htmlData{x=1}{y} \\htmlStyle{position:fixed}{z}$"],
    ["a macro without end", "$\\def\\a{\\a\\a}\\a$"],
    ["braces without end", `$${"{".repeat(20_000)}$`],
  ])("cannot have %s", async (_, markdown) => {
    expect((await bodyOf(markdown)).replaceAll(/<annotation[\s\S]*?<\/annotation>/g, "")).not.toMatch(
      /<a |<img|data-x|position:fixed/,
    );
  });

  slowTest("are refused when they are too many to show", async () => {
    const rendering = renderMarkdown(`$${"\\overbrace{}".repeat(60)}$ `.repeat(100), { timeoutMs: 60_000 });
    const outcome = await rendering.then(
      () => "rendered", // a diff of the document would fill the screen
      (error) => error,
    );
    expect(outcome).toBeInstanceOf(MarkdownTooComplexError);
    expect(String(outcome)).toContain("formulas");
  });

  test("stay their source for text and Markdown", async () => {
    const { html } = await renderMarkdown("a $x_1$\n\n$$\ny\n$$", { drawsFormulas: false });
    expect(bodyIn(html)).toBe(
      '<p>a <span>$<code>x_1</code>$</span></p>\n<pre><code class="hljs language-math math-display">y</code></pre>',
    );
  });
});

describe("markdown: emoji by name", () => {
  test.each([
    ["in a text", "Done :tada: :+1:", "<p>Done 🎉 👍</p>"],
    ["next to each other", ":tada::rocket:", "<p>🎉🚀</p>"],
    ["in a heading, whose id has the name", "# :tada: Done", '<h1 id="tada-done">🎉 Done</h1>'],
    ["not in code", "`:tada:` and <kbd>:tada:</kbd>", "<p><code>:tada:</code> and <kbd>:tada:</kbd></p>"],
    ["not a name that is unknown", ":nope: :constructor:", "<p>:nope: :constructor:</p>"],
    ["not a time", "10:30:45 a:b:c", "<p>10:30:45 a:b:c</p>"],
  ])("are shown %s", async (_, markdown, body) => {
    expect(await bodyOf(markdown)).toBe(body);
  });

  test("are in the title", async () => {
    expect(await titleOf("# :tada: Done")).toBe("🎉 Done");
  });
});

describe("markdown: an alert", () => {
  test.each(["note", "tip", "important", "warning", "caution"])("of kind %s has its class and title", async (kind) => {
    const title = kind.charAt(0).toUpperCase() + kind.slice(1);

    expect(await bodyOf(`> [!${kind.toUpperCase()}]\n> Text`)).toBe(
      `<div class="markdown-alert markdown-alert-${kind}">\n<p class="markdown-alert-title">${title}</p>\n<p>Text</p>\n</div>`,
    );
  });

  test("keeps its lists and markup", async () => {
    expect(await bodyOf("> [!NOTE]\n> **Bold**\n> - item")).toContain("<p><strong>Bold</strong></p>\n<ul>");
  });

  test("may have a blank line after its marker", async () => {
    expect(await bodyOf("> [!TIP]\n>\n> Text")).toMatch(/markdown-alert-title">Tip<\/p>\n<p>Text<\/p>/);
  });

  test.each([
    ["text follows the marker on its line", "> [!NOTE] hello", "[!NOTE] hello"],
    ["markup follows the marker on its line", "> [!NOTE] **hello**", "[!NOTE] <strong>hello</strong>"],
    ["the marker is not first", "> a\n>\n> [!NOTE]\n> b", "[!NOTE]\nb"],
    ["the marker is escaped", "> \\[!NOTE]\n> b", "[!NOTE]\nb"],
    ["the kind is unknown", "> [!HINT]\n> b", "[!HINT]\nb"],
    ["there is nothing else", "> [!NOTE]", "[!NOTE]"],
  ])("stays a quote when %s", async (_, markdown, text) => {
    const body = await bodyOf(markdown);

    expect(body).toContain("<blockquote>");
    expect(body).toContain(text);
  });
});

describe("markdown: sanitising", () => {
  test.each([
    ["a script", "<script>alert(1)</script>"],
    ["a script in mixed case", "<ScRiPt src=//evil.test/x.js></sCrIpT>"],
    ["a script hidden by broken nesting", "<scr<script>ipt>alert(1)</scr</script>ipt>"],
    ["an event handler", "<img src=x onerror=alert(1)>"],
    ["an event handler after a slash", "<img/src=x/onerror=alert(1)>"],
    ["an event handler on details", "<details open ontoggle=alert(1)>x</details>"],
    ["an svg with a handler", "<svg onload=alert(1)><circle/></svg>"],
    ["a script inside svg", "<svg><script>alert(1)</script></svg>"],
    [
      "a style that mathml lets out",
      "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
    ],
    ["a handler let out of noscript", '<noscript><p title="</noscript><img src=x onerror=alert(1)>">'],
    ["a handler let out of a title", "<title><img src=x onerror=alert(1)></title>"],
    ["a handler let out of a comment", "<!--><img src=x onerror=alert(1)>-->"],
    ["a handler inside a template", "<template><img src=x onerror=alert(1)></template>"],
    ["a javascript link in Markdown", "[x](javascript:alert(1))"],
    ["a javascript link with an entity", "[x](java&#115;cript:alert(1))"],
    ["a javascript link with a tab", '<a href="java\tscript:alert(1)">x</a>'],
    ["a javascript link in capitals", "[x](JaVaScRiPt:alert(1))"],
    ["a javascript link by reference", "[x][y]\n\n[y]: javascript:alert(1)"],
    ["a javascript image", "![x](javascript:alert(1))"],
    ["a vbscript autolink", "<vbscript:alert(1)>"],
    ["a data link", "[x](data:text/html,<script>alert(1)</script>)"],
    ["an inline frame", '<iframe src="https://evil.test" srcdoc="<script>alert(1)</script>"></iframe>'],
    ["an object", '<object data="https://evil.test/x.swf"><embed src="https://evil.test"></object>'],
    ["a form", '<form action="https://evil.test"><button formaction="javascript:alert(1)">x</button></form>'],
    ["a text field", '<input type="text" value="x" autofocus onfocus=alert(1)>'],
    ["a stylesheet", "<style>body { background: url(https://evil.test) }</style>"],
    ["an external stylesheet", '<link rel="stylesheet" href="https://evil.test/x.css">'],
    ["a style attribute", '<p style="position:fixed;inset:0">x</p>'],
    ["a base address", '<base href="https://evil.test/">'],
    ["a redirect", '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">'],
    ["a handler in the language of a code block", '```js"onmouseover="alert(1)\nx\n```'],
    ["a handler after a link's title", '[x](https://a.test "t\\" onmouseover=\\"alert(1)")'],
  ])("removes %s", async (_, markdown) => {
    const elements = tagsOf(await bodyOf(markdown));

    expect(elements.filter(({ name }) => FORBIDDEN.has(name))).toEqual([]);
    const attributes = elements.flatMap((element) => element.attributes);
    expect(attributes.filter(([name]) => /^(on|style|srcdoc|action|formaction)/.test(name))).toEqual([]);
    expect(attributes.filter(([name, value]) => name === "href" && !/^(https?:|#)/.test(value))).toEqual([]);
    expect(attributes.filter(([name, value]) => name === "src" && /script:/i.test(value))).toEqual([]);
  });

  test.each([
    ["a stylesheet", "a\n\n<style>p { color: red }</style>\n\nb"],
    ["a script", "a\n\n<script>alert(1)</script>\n\nb"],
    ["an unclosed style", "a\n\n<style>\n\nb"],
  ])("shows the text around %s and none of its source", async (_, markdown) => {
    const body = await bodyOf(markdown);

    expect(body).toContain("<p>a</p>");
    expect(body).not.toMatch(/color|alert/);
  });

  test("drops foreign class names and keeps the text", async () => {
    expect(await bodyOf('<div class="sr-only x">text</div>')).toBe('<div class="">text</div>');
  });
});

const FORBIDDEN = new Set(
  "script style iframe object embed form button textarea select link base meta svg math template noscript title".split(
    " ",
  ),
);

/** The start tags as a browser sees them, for output whose attribute values are always quoted. */
function tagsOf(html: string): { name: string; attributes: [string, string][] }[] {
  return [...html.matchAll(/<([a-z][^\s/>]*)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*>/gi)].map(
    ([, name = "", rest = ""]) => ({
      name: name.toLowerCase(),
      attributes: [...rest.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, key = "", value = ""]) => [
        key.toLowerCase(),
        value,
      ]),
    }),
  );
}

describe("markdown: hostile input", () => {
  sampled(test, 16).each([
    ["opening brackets", "[".repeat(10_000)],
    ["closing brackets", "]".repeat(100_000)],
    ["brackets around brackets", "[".repeat(10_000) + "]".repeat(10_000)],
    ["unfinished images", "![a](".repeat(20_000)],
    ["mixed emphasis", "*a _b ".repeat(80_000)],
    ["closing emphasis", "a* ".repeat(50_000)],
    ["nested strong", "**x ".repeat(10_000) + " x**".repeat(10_000)],
    ["growing runs of backticks", Array.from({ length: 600 }, (_, n) => `e${"`".repeat(n)}`).join("")],
    ["levels of quotes", `${"> ".repeat(5_000)}a`],
    ["levels of lists", `${"- ".repeat(5_000)}a`],
    ["levels of footnotes", "[^a]: ".repeat(10_000)],
    ["levels of elements", "<div>".repeat(20_000)],
    [
      "unclosed formatting",
      `${Array.from({ length: 300 }, (_, n) => `<i x=${n}>`).join("")}\n\n${"<p>".repeat(50_000)}`,
    ],
    ["nested HTML tables", "<table><td>".repeat(10_000)],
    ["a table of ten thousand rows", `|a|b|\n|-|-|\n${"|x|y|\n".repeat(10_000)}`],
    ["a wide table", `${"|a".repeat(1_000)}|\n${"|-".repeat(1_000)}|\n${"x\n".repeat(5_000)}`],
    ["nested templates in code", `\`\`\`js\n${"`${".repeat(20_000)}`],
    ["one line of code", `\`\`\`js\n${"a".repeat(200_000)}`],
    ["NUL characters", "\0".repeat(100_000)],
  ])("made of %s is rendered or refused in time", async (_, markdown) => {
    const outcome = await renderMarkdown(markdown, { timeoutMs: 500 }).catch((error: unknown) => error);

    if (!("html" in (outcome as object))) expect(outcome).toBeInstanceOf(MarkdownTooComplexError);
  });

  test.each([
    ["quotes nested deeper than 100 levels", `${"> ".repeat(200)}a`, /deeper than 100 levels/],
    ["HTML nested deeper than 400 levels", "<div>".repeat(500), /deeper than 400 levels/],
    ["HTML nested too deeply to build", "<div>".repeat(20_000), /nested/],
    [
      "tables that fill up to millions of cells",
      `${"|a".repeat(500)}|\n${"|-".repeat(500)}|\n${"x\n".repeat(500)}`,
      /cells/,
    ],
    ["half a million characters", "a".repeat(500_001), /500000 characters/],
  ])("is refused when it has %s", async (_, markdown, reason) => {
    const rendering = renderMarkdown(markdown, { timeoutMs: 60_000 });

    await expect(rendering).rejects.toBeInstanceOf(MarkdownTooComplexError);
    await expect(rendering).rejects.toThrow(reason);
  });

  test("is refused when the time is up, and the next document still renders", async () => {
    await expect(renderMarkdown("]".repeat(400_000), { timeoutMs: 20 })).rejects.toThrow(/too long to render/);

    expect(await bodyOf("fine")).toBe("<p>fine</p>");
  });

  test("with code too nested to highlight is shown plain", async () => {
    const code = "`${\n".repeat(5_000);

    const { html } = await renderMarkdown(`\`\`\`js\n${code}\`\`\``, { timeoutMs: 60_000 });

    expect(bodyIn(html) === `<pre><code class="hljs language-js">${code}</code></pre>`).toBe(true); // a diff would fill the screen
  });

  test("with ninety levels of quotes is still rendered", async () => {
    expect(await bodyOf(`${"> ".repeat(90)}deep`)).toContain("<p>deep</p>");
  });
});
