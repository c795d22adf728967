// The command line sends a local page with its files: which addresses it inlines, which files it may read, and what it leaves out.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { inlineFiles } from "../../clients/typescript/src/cli/local-page/inline-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "local-page-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const inline = (text: string, { file = "page.html", root }: { file?: string; root?: string } = {}) =>
  inlineFiles({ kind: file.endsWith("md") ? "markdown" : "html", text, file: join(folder, file), root });

/** The text with the content of its data: URLs in brackets. */
function opened(text: string): string {
  const decode = (_: string, type: string, base64: string) =>
    `[${type} ${opened(Buffer.from(base64, "base64").toString())}]`;
  return text.replaceAll(/data:([\w/+.-]+)(?:;charset=utf-8)?;base64,([\w+/=]*)/g, decode);
}

describe("local page: it is sent with", () => {
  test.each([
    ["a style sheet", "<LINK href=a.css rel='Stylesheet'>", "<LINK href=\"[text/css p{}]\" rel='Stylesheet'>"],
    ["an icon", '<link rel="shortcut icon" href="a.ico">', '<link rel="shortcut icon" href="[image/x-icon ico]">'],
    ["a script", "<script src='a.js'></script>", '<script src="[text/javascript js]"></script>'],
    ["an image with a query", "<img src=a.png?v=2&amp;x>", '<img src="[image/png png]">'],
    ["an image below", "<img src=sub/b%20c.png>", '<img src="[image/png sub]">'],
    [
      "the images of a srcset",
      "<img srcset='a.png 1x,  sub/b%20c.png 2x'>",
      '<img srcset="[image/png png] 1x,  [image/png sub] 2x">',
    ],
    ["a source", "<picture><source srcset=a.png>", '<picture><source srcset="[image/png png]">'],
    [
      "a poster and a video",
      "<video poster=a.png src=a.mp4>",
      '<video poster="[image/png png]" src="[video/mp4 mp4]">',
    ],
    [
      "the images of a style",
      "<p style='background:url(a.png)'>",
      '<p style="background:url(&quot;[image/png png]&quot;)">',
    ],
    [
      "the fonts of a style element",
      "<style>@font-face{src:url( 'a.woff2' )}</style>",
      '<style>@font-face{src:url("[font/woff2 font]")}</style>',
    ],
    ["an image in SVG", "<svg><image href=a.png /></svg>", '<svg><image href="[image/png png]" /></svg>'],
    [
      "a frame and its files",
      "<iframe src=sub/f.html></iframe>",
      '<iframe src="[text/html <img src="[image/png sub]">]"></iframe>',
    ],
  ])("%s", (_, html, expected) => {
    write({ "a.css": "p{}", "a.ico": "ico", "a.js": "js", "a.png": "png", "a.mp4": "mp4", "a.woff2": "font" });
    write({ "sub/b c.png": "sub", "sub/f.html": "<img src='b c.png'>" });
    const { text, omitted } = inline(html);
    expect([opened(text), omitted]).toEqual([expected, []]);
  });

  test("what its style sheets import, relative to each of them", () => {
    write({
      "css/main.css":
        "@import 'parts/base.css' screen; @import url(parts/base.css); /* url(x.png) */ p{content:'url(y.png)'}",
      "css/parts/base.css": "body{background:url(../../bg.png#f)}",
      "bg.png": "png",
    });
    const { text, files, omitted } = inline("<link rel=stylesheet href=css/main.css integrity=sha256-x>");
    const base = '[text/css body{background:url("[image/png png]#f")}]';
    expect(opened(text)).toBe(
      `<link rel=stylesheet href="[text/css @import "${base}" screen; @import url("${base}"); /* url(x.png) */ p{content:'url(y.png)'}]" integrity="">`.replace(
        `@import "${base}"`,
        `@import url("${base}")`,
      ),
    );
    expect(files.map((file) => file.slice(folder.length))).toEqual(["/css/main.css", "/css/parts/base.css", "/bg.png"]);
    expect(omitted).toEqual([]);
  });

  test("the images of Markdown, but not of its code", () => {
    write({ "a.png": "png" });
    const code = "`![x](a.png)`\n\n```\n![x](a.png)\n[y]: a.png\n```\n";
    const { text } = inline(`![One](a.png "Title") ![Two][y]\n\n[y]: a.png\n\n<img src=a.png>\n\n${code}`, {
      file: "page.md",
    });
    expect(opened(text)).toBe(
      `![One]([image/png png] "Title") ![Two][y]\n\n[y]: [image/png png]\n\n<img src="[image/png png]">\n\n${code}`,
    );
  });
});

describe("local page: it stays as it is", () => {
  test.each([
    "<img src=https://example.com/a.png><img src=//example.com/a.png><img src=data:image/png,x>",
    "<!-- <img src=a.png> --><title><img src=a.png></title><script>'<img src=a.png>'</script>",
    "<a href=a.png>a.png</a><link rel=preload href=a.png><img alt=\"src='a.png'\">",
    "<base href=https://example.com/><img src=a.png>",
    "<svg><use href=#icon /></svg><p style=fill:url(#g)>",
    "<img src",
    "<!-- never ends <img src=a.png>",
  ])("%s", (html) => {
    write({ "a.png": "png" });
    const { text, files, omitted } = inline(html);
    expect([text, files, omitted]).toEqual([html, [], []]);
  });
});

describe("local page: it is sent without, and a warning names,", () => {
  test.each([
    ["a missing file", "<img src=none.png>", "'none.png' is left out: it isn't a file that can be read."],
    ["a folder", "<img src=folder.png>", "'folder.png' is left out: it isn't a file that can be read."],
    [
      "a file outside of its folder",
      "<img src=../out.png>",
      /'..\/out.png' is left out: it isn't below .*; pass --root/,
    ],
    [
      "a path from the root of the machine",
      "<img src=/etc/hosts.png>",
      "'/etc/hosts.png' is left out: it isn't a file that can be read.",
    ],
    ["a link to a file outside", "<img src=link.png>", /'link.png' is left out: it isn't below/],
    ["a hidden file", "<img src=.secret/key.png>", "'.secret/key.png' is left out: it is hidden."],
    ["a file of another kind", "<img src=id_rsa>", "'id_rsa' is left out: pages use no files of this kind."],
    ["a file: URL", "<img src=file:///etc/passwd>", "'file:///etc/passwd' is left out: a page can't use file: URLs."],
    ["a symbol of another file", "<svg><use href='i.svg#a'/></svg>", /'i.svg#a' is left out: browsers take no symbols/],
    ["what a module imports", "<script type=module src=m.js></script>", /'.\/other.js' is left out: the modules/],
    [
      "a style sheet that imports itself",
      "<link rel=stylesheet href=self.css>",
      /'self.css' is left out: it is nested more than/,
    ],
  ])("%s", (_, html, warning) => {
    write({ "page/i.svg": "<svg/>", "page/m.js": "import x from './other.js'", "page/self.css": "@import 'self.css'" });
    write({ "out.png": "png", "page/.secret/key.png": "k", "page/id_rsa": "k", "page/folder.png/x": "" });
    symlinkSync(join(folder, "out.png"), join(folder, "page/link.png"));
    const { omitted } = inline(html, { file: "page/page.html" });
    expect(omitted).toEqual([typeof warning === "string" ? warning : expect.stringMatching(warning)]);
  });

  test("files beyond the size that the service takes, while smaller ones are sent", () => {
    write({ "big.png": "x".repeat(2_000_000), "big.css": "p{background:url(big.png)}", "small.png": "png" });
    const { text, omitted } = inline("<img src=big.png><link rel=stylesheet href=big.css><img src=small.png>");
    expect(omitted).toEqual(["'big.png' is left out: the page would be too large with it."]);
    expect(opened(text)).toContain('<img src="[image/png png]">');
    expect(text.length).toBeLessThan(4_000_000);
  });
});

test("local page: --root lets it use the files of a folder above, also by paths that begin with a slash", () => {
  write({ "assets/a.png": "png" });
  const html = "<img src=../assets/a.png><img src=/assets/a.png>";
  const { text, omitted } = inline(html, { file: "pages/page.html", root: folder });
  expect([opened(text), omitted]).toEqual(['<img src="[image/png png]"><img src="[image/png png]">', []]);
});
