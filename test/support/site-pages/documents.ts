// Pages with metadata, and an article with every kind of content.
import { GREEN } from "../site-pages.ts";
import { type Pages, solidImage } from "./page.ts";

/** What `/meta` says of itself, in the head unless told; relative addresses as they are written there. */
export const META = {
  lang: "en-GB",
  title: "Fixtures & figures",
  description: "A page that describes itself.",
  canonical: "/meta?canonical=1",
  icons: [
    { rel: "icon", href: "/icon-16.png", sizes: "16x16" },
    { rel: "icon", href: "/icon-192.png", sizes: "192x192" },
    { rel: "shortcut icon", href: "/favicon.ico" },
    { rel: "apple-touch-icon", href: "/touch.png", sizes: "180x180" },
  ],
  /** The image is there twice, as galleries have it. */
  openGraph: [
    ["og:title", "Open fixtures"],
    ["og:type", "article"],
    ["og:url", "https://fixture.example/meta"],
    ["og:image", "/og-1.png"],
    ["og:image", "https://cdn.example/og-2.png"],
  ],
  /** In the body, in this order. */
  links: [
    { href: "/documents/article", text: "An article" },
    { href: "box", text: "A box" },
    { href: "https://example.com/path?a=1&b=2#part", text: "Elsewhere" },
    { href: "mailto:ann@example.com", text: "Write" },
    { href: "#part", text: "Below" },
    { href: "//example.org/scheme-relative", text: "No scheme" },
    { href: "javascript:void 0", text: "A script" },
  ],
} as const;

/** Words of `/documents/article` that are no text for a reader: each lies in an element that is never shown. */
export const UNREADABLE = ["SCRIPTED", "STYLED", "NOSCRIPTED", "TEMPLATED", "HIDDEN", "COMMENTED"] as const;

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

export const documentPages: Pages = {
  /** Describes itself with everything in `META`. */
  "/meta": () => {
    const icons = META.icons.map(
      (icon) => `<link rel="${icon.rel}" href="${icon.href}"${"sizes" in icon ? ` sizes="${icon.sizes}"` : ""}>`,
    );
    const openGraph = META.openGraph.map(([property, content]) => `<meta property="${property}" content="${content}">`);
    const links = META.links.map(({ href, text }) => `<p><a href="${escaped(href)}">${text}</a></p>`);
    return `<!doctype html><html lang="${META.lang}"><head><meta charset="utf-8"><title>${escaped(META.title)}</title>
      <meta name="description" content="${META.description}"><meta name="twitter:card" content="summary">
      <link rel="canonical" href="${META.canonical}">${icons.join("")}${openGraph.join("")}</head>
      <body><h1>Meta</h1>${links.join("")}<p id="part">Part</p></body></html>`;
  },

  /** Says nothing of itself, not even a title. */
  "/no-meta": () => `<!doctype html><p>A page without a word about itself.</p>`,

  /** Headings, lists, tables, code, images, a quotation, links, inline marks, a shadow root, and `UNREADABLE` words. */
  "/documents/article": () => {
    const [scripted, styled, noscripted, templated, hidden, commented] = UNREADABLE;
    const picture = solidImage(GREEN, 0, "article");
    return `<!doctype html><html lang="en"><meta charset="utf-8"><title>How to read a page</title>
      <style>body { max-width: 640px; margin: 16px; font: 16px/1.5 sans-serif } .${styled}::before { content: "" }</style>
      <script>window.word = "${scripted}"</script><noscript>${noscripted}</noscript><!-- ${commented} -->
      <template><p>${templated}</p></template><p hidden>${hidden}</p><p style="display:none">${hidden}</p>
      <header><nav><a href="/box">Home</a> <a href="../bands">Bands</a></nav></header>
      <main><article>
        <h1>How to read a page</h1>
        <p>A paragraph with <strong>strong</strong>, <em>emphasised</em>, <code>inline code</code>, <del>deleted</del>
          and <a href="chapter-2.html">relative</a> or <a href="https://example.com/">absolute</a> links.<br>A second line.</p>
        <h2>Lists</h2>
        <ul><li>One<ul><li>One point one<ol><li>Deep</li></ol></li><li>One point two</li></ul></li><li>Two</li></ul>
        <ol start="3"><li>Third</li><li>Fourth</li></ol>
        <h2>A table</h2>
        <table><thead><tr><th>Name</th><th align="right">Amount</th></tr></thead>
          <tbody><tr><td>Apples | pears</td><td>3</td></tr><tr><td>Plums</td><td>12</td></tr></tbody></table>
        <h3>Code</h3>
        <pre><code class="language-js">const answer = 6 * 7;\nconsole.log(\`\${answer} &lt; 43\`);\n</code></pre>
        <blockquote><p>A quotation</p><blockquote><p>within a quotation</p></blockquote></blockquote>
        <figure><img src="${escaped(picture)}" alt="A green square" width="120" height="80"><figcaption>A picture</figcaption></figure>
        <p><img src="images/relative.png" alt="A relative picture" width="10" height="10"></p>
        <hr>
        <x-note></x-note>
      </article></main>
      <footer>Written by nobody in particular</footer>
      <script>
        customElements.define("x-note", class extends HTMLElement {
          connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<p>Text in a shadow root</p>" }
        });
      </script></html>`;
  },
};
