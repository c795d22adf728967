// Document formats: HTML, text, Markdown and MHTML.
import { describe, expect, test } from "vitest";
import {
  documentHtml,
  documentMarkdown,
  documentMhtml,
  documentText,
} from "../../../../lib/engine/formats/document/documents.ts";
import { openPage } from "../../../support/open-page.ts";
import { sampled } from "../../../support/slow-run.ts";

/** An element with a shadow root that shows its child in a slot, between texts of its own. */
const card = `<x-card><b slot="s">slotted</b><i>not slotted</i></x-card><script>
  document.querySelector("x-card").attachShadow({ mode: "open" }).innerHTML =
    '<style>p { color: red }</style><p>before</p><div><slot name="s"></slot></div><p>after <a href="/in">in</a></p>';
</script>`;

describe("document: HTML", () => {
  test("is the DOM as the scripts left it, with its doctype", async () => {
    await using page = await openPage(
      `<!doctype html><title>t</title><p>old<script>document.querySelector("p").firstChild.data = "new"</script>`,
    );
    const html = await documentHtml(page.capturing, { shadowDom: false });
    expect(html).toMatch(/^<!DOCTYPE html>\n<html><head><title>t<\/title><\/head><body><p>new<script>/);
    expect(html).toMatch(/<\/script><\/p><\/body><\/html>$/);
  });

  test("has declarative shadow roots on request", async () => {
    await using page = await openPage(`<!doctype html><html lang="en"><body>${card}`);
    const [without, with_] = [
      await documentHtml(page.capturing, { shadowDom: false }),
      await documentHtml(page.capturing, { shadowDom: true }),
    ];
    expect(without).not.toContain("<template");
    expect(with_).toContain('<html lang="en"><head>');
    expect(with_).toContain('<x-card><template shadowrootmode="open"><style>');
    expect(with_).toMatch(/<\/html>$/);
  });

  test("survives lone surrogates and a page that overrides DOM properties", async () => {
    await using page =
      await openPage(`<!doctype html><img name="documentElement"><img name="childNodes"><img name="body"><p>x</p>
      <script>document.querySelector("p").textContent = "a\\ud83db"; Array.prototype.map = String.prototype.slice = null</script>`);
    expect(await documentHtml(page.capturing, { shadowDom: true })).toContain("<p>a\ufffdb</p>");
    expect(await documentText(page.capturing, { shadowDom: true })).toBe("a\ufffdb");
  });

  test("that is too large is refused", async () => {
    await using page = await openPage("<body><script>document.body.dataset.long = 'x'.repeat(2.1e7)</script>");
    await expect(documentHtml(page.capturing, { shadowDom: false })).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
    });
  });

  test("includes elements that are nested deeper than scripts can recurse", async () => {
    await using page = await openPage(`<!doctype html><p>shown</p><div style="display:none"></div><script>
      let inner = document.querySelector("div");
      for (let n = 0; n < 10000; n++) inner = inner.appendChild(document.createElement("div"));
    </script>`);
    expect(await documentHtml(page.capturing, { shadowDom: true })).toContain("</div></div></div>");
    expect(await documentText(page.capturing, { shadowDom: true })).toBe("shown");
    expect(await documentMarkdown(page.capturing, { shadowDom: true })).toBe("shown\n");
  });
});

describe("document: text", () => {
  test("is the visible text", async () => {
    await using page = await openPage(`<!doctype html><title>t</title><style>p{}</style><h1>Head   line</h1>
      <p>One <b>bold</b> word</p><p hidden>hidden</p><ul><li>a<li>b</ul><script>x</script><iframe srcdoc="frame"></iframe>`);
    expect(await documentText(page.capturing, { shadowDom: true })).toBe("Head line\n\nOne bold word\n\na\nb");
  });

  test("includes shadow roots where they are rendered, on request", async () => {
    await using page = await openPage(`<!doctype html><p>start</p>${card}<pre>a\n b</pre>`);
    expect(await documentText(page.capturing, { shadowDom: false })).toBe("start\n\nslotted\na\n b");
    expect(await documentText(page.capturing, { shadowDom: true })).toBe(
      "start\n\nbefore\n\nslotted\n\nafter in\n\na\n b",
    );
  });

  test("is available for a document that is not HTML", async () => {
    await using page = await openPage((_, answer) =>
      answer
        .setHeader("content-type", "image/svg+xml")
        .end('<svg xmlns="http://www.w3.org/2000/svg"><text>drawn</text></svg>'),
    );
    expect(await documentText(page.capturing, { shadowDom: false })).toBe("drawn");
  });
});

describe("document: Markdown", () => {
  test("is the visible content, with absolute URLs", async () => {
    await using page =
      await openPage(`<!doctype html><base href="/deep/"><nav style="display:none"><a href="/menu">Menu</a></nav>
      <h1>Head</h1><p>See <a href="x">this</a> <i class="icon"></i><span style="visibility:hidden">not this</span></p>
      <img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" width="1" height="1" alt="counted"><img src="i.png" width="9" height="9" alt="pic">
      <span style="display:block">one</span><span style="display:block">two</span><iframe srcdoc="frame"></iframe>`);
    const { origin } = page;
    expect(await documentMarkdown(page.capturing, { shadowDom: false })).toBe(
      `# Head\n\nSee [this](${origin}/deep/x)\n\n![pic](${origin}/deep/i.png)\n\none\n\ntwo\n`,
    );
  });

  test("includes shadow roots where they are rendered, on request", async () => {
    await using page = await openPage(`<!doctype html><p>start</p>${card}`);
    expect(await documentMarkdown(page.capturing, { shadowDom: true })).toBe(
      `start\n\nbefore\n\n**slotted**\n\nafter [in](${page.origin}/in)\n`,
    );
    expect(await documentMarkdown(page.capturing, { shadowDom: false })).not.toContain("before");
  });

  test("of a page that is too long is cut, with a warning", async () => {
    await using page = await openPage(`<!doctype html><p>word</p>${`<p>${"word ".repeat(500)}</p>`.repeat(300)}`);
    const markdown = await documentMarkdown(page.capturing, { shadowDom: false });
    expect(markdown).toMatch(/^word\n\nword word/);
    expect(page.capturing.warnings).toEqual(["The page is too long for Markdown; its end is missing."]);
  });
});

describe("document: noscript", () => {
  const appeal = "Enable JavaScript to use this shop.";
  /** Pages by the make of their noscript elements; each shows "Orders" and "Total 42". */
  const pages = {
    "above the root of an app": `<body><noscript>${appeal}</noscript><div id="root"></div><script>
      document.getElementById("root").innerHTML = "<h1>Orders</h1><p>Total 42</p>"</script>`,
    "with a frame and images that load lazily": `<body><noscript><iframe src="/tag.html"></iframe></noscript><h1>Orders</h1>
      <noscript><img src="lazy.jpg" alt="${appeal}"></noscript><p>Total <noscript><b>${appeal}</b></noscript>42</p>`,
    "that a script copies from a template": `<body><template><noscript style="display: block"><p>${appeal}</p></noscript><h1>Orders</h1><p>Total 42</p></template>
      <script>document.body.append(document.querySelector("template").content.cloneNode(true))</script>`,
    "in a shadow root": `<body><x-app></x-app><script>
      const root = document.querySelector("x-app").attachShadow({ mode: "open" });
      root.innerHTML = "<noscript>${appeal}</noscript><h1>Orders</h1><p>Total 42</p><slot></slot>";</script>`,
  };

  sampled(test, 4).each(Object.entries(pages))("is no part of Markdown and text: %s", async (_, body) => {
    await using page = await openPage(`<!doctype html><title>t</title>${body}`);
    expect(await documentMarkdown(page.capturing, { shadowDom: true })).toBe("# Orders\n\nTotal 42\n");
    expect(await documentText(page.capturing, { shadowDom: true })).toBe("Orders\n\nTotal 42");
  });
});

test("document: MHTML has the page and its resources", async () => {
  await using page = await openPage(({ url }, answer) => {
    if (url === "/style.css") return void answer.setHeader("content-type", "text/css").end("p { color: rgb(1, 2, 3) }");
    answer
      .setHeader("content-type", "text/html")
      .end('<!doctype html><link rel="stylesheet" href="/style.css"><p>archived');
  });
  const archive = String(await documentMhtml(page.capturing));
  expect(archive).toContain(`Snapshot-Content-Location: ${page.origin}/`);
  expect(archive).toContain("archived");
  expect(archive).toContain("rgb(1, 2, 3)");
});

test("document: reading it does not change the page", async () => {
  await using page = await openPage(`<!doctype html><p>x</p>${card}<script>
    window.changes = 0;
    const observer = new MutationObserver((records) => { window.changes += records.length });
    addEventListener("load", () => observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true }));
  </script>`);
  const { capturing } = page;
  for (const read of [documentHtml, documentText, documentMarkdown]) await read(capturing, { shadowDom: true });
  await documentMhtml(capturing);
  expect(await (await capturing.session.page()).evaluate("window.changes")).toBe(0);
});
