// Bombs for output formats: full pages, PDFs, videos and text; and bombs as HTML or Markdown input.
import { list, script } from "../page.ts";
import { type Bomb, type Bombs, harmless, heavy, never, type Outcome } from "./bomb.ts";

const large: readonly Outcome[] = [...heavy, "RESULT_TOO_LARGE"];

export const formatBombs: Bombs = {
  "100,000 sheets of paper": {
    page: `<p style="break-after:page">x</p>`.repeat(100_000),
    options: { format: "pdf" },
    ends: large,
  },
  "sheets of one pixel": {
    page: `<style>@page{size:1px 1px;margin:0}</style>${"<p>x".repeat(10_000)}`,
    options: { format: "pdf", pdf_prefer_css_page_size: true },
    ends: large,
  },
  "sheets as tall as a mountain": {
    page: `<style>@page{size:1000000px 1000000px}</style><p style="height:900000px">x`,
    options: { format: "pdf", pdf_prefer_css_page_size: true },
    ends: large,
  },
  "one sheet for a page without an end": {
    page: script("setInterval(() => { document.body.innerHTML += '<p style=height:9999px>x' }, 1)"),
    options: { format: "pdf", pdf_fit_one_page: true },
    ends: large,
  },
  "printing that never begins": {
    page: script("onbeforeprint = () => { for (;;); }"),
    options: { format: "pdf" },
    ends: never,
  },
  "more of it whenever it is scrolled": {
    page: `<style>p{height:2000px;background:linear-gradient(red,blue)}</style><p>${script("onscroll = () => { document.body.append(document.createElement('p')) }")}`,
    options: { full_page: true },
    ends: heavy,
  },
  "100,000 lazy pictures": {
    page: list(100_000, (n) => `<img loading=lazy width=99 height=99 src="/empty-204?${n}">`).join(""),
    options: { full_page: true },
    ends: heavy,
  },
  "a script for ever, filmed": {
    page: script("for (;;);"),
    options: { format: "gif", video_duration: 1 },
    ends: never,
  },
  "a frame that never comes, filmed": {
    page: script("setTimeout(() => requestAnimationFrame(() => { for (;;); }), 400)"),
    options: { format: "mp4", video_duration: 1 },
    ends: harmless,
  },
  "memory without an end, filmed": {
    page: script("const hoard = []; setInterval(() => hoard.push(new Uint8Array(5e7).fill(1)), 1)"),
    options: { format: "mp4", video_duration: 1 },
    ends: heavy,
  },
  "layers without an end, filmed": {
    page: `<style>i{position:absolute;inset:0;animation:a 1s infinite;background:#f001;backdrop-filter:blur(99px)}@keyframes a{to{transform:rotate(1turn) scale(9)}}</style>${"<i></i>".repeat(300)}`,
    options: { format: "mp4", video_duration: 1 },
    ends: heavy,
  },
  "100,000 elements in each other, as Markdown": {
    page: "<ul><li>".repeat(50_000),
    options: { format: "markdown" },
    ends: heavy,
  },
  "a million cells, as Markdown": {
    page: `<table>${`<tr>${"<td>x".repeat(1_000)}`.repeat(1_000)}</table>`,
    options: { format: "markdown" },
    ends: large,
  },
  "50 MB to archive": {
    page: script("document.body.innerHTML = '<p>x'.repeat(1e6)"),
    options: { format: "mhtml" },
    ends: large,
  },
  "4 MB of HTML": { options: { html: "<p>x</p>".repeat(480_000) }, ends: heavy },
  "4 MB of HTML in one attribute": { options: { html: `<p title="${"x".repeat(3_900_000)}">x` }, ends: harmless },
  "frames in frames in its HTML": {
    options: { html: `<iframe srcdoc="${"&lt;iframe srcdoc=&quot;".repeat(2_000)}"></iframe>`.repeat(20) },
    ends: heavy,
  },
};

/** The Markdown of a caller's, which is rendered by the function itself: nothing else can be done meanwhile. */
const markdown = (text: string): Bomb => ({ options: { markdown: text }, ends: [...heavy, "VALIDATION_ERROR"] });

export const markdownBombs: Bombs = {
  "quotes in each other": markdown("> ".repeat(200_000)),
  "emphasis that is never closed": markdown("*a **b ".repeat(70_000)),
  "links that are never closed": markdown("[a](<b".repeat(80_000)),
  "a table 10,000 wide": markdown(
    `|${"a|".repeat(10_000)}\n|${"-|".repeat(10_000)}\n${`|${"b|".repeat(10_000)}\n`.repeat(20)}`,
  ),
};
