// Style sheet of rendered Markdown: one column, light or dark, for screen and print.

/** An icon as a CSS mask, so that it takes the text's colour. */
function icon(shapes: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" fill="none" stroke="#000" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${shapes}</svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
}

const icons = {
  note: icon('<circle cx="10" cy="10" r="7.6"/><path d="M10 9.3v4.2M10 6.4v.1"/>'),
  tip: icon('<path d="M7.4 14.2c0-2-2.6-3-2.6-6.3a5.2 5.2 0 0 1 10.4 0c0 3.3-2.6 4.3-2.6 6.3zM8 17.6h4"/>'),
  important: icon(
    '<path d="M3.5 3h13a1.2 1.2 0 0 1 1.2 1.2v8.6a1.2 1.2 0 0 1-1.2 1.2H10l-3.8 3.3V14H3.5a1.2 1.2 0 0 1-1.2-1.2V4.2A1.2 1.2 0 0 1 3.5 3zM10 5.9v2.9M10 11.2v.1"/>',
  ),
  warning: icon('<path d="M10 2.8 18 16.6H2zM10 8v3.8M10 14.2v.1"/>'),
  caution: icon('<path d="M6.9 2.4h6.2l4.5 4.5v6.2l-4.5 4.5H6.9l-4.5-4.5V6.9zM10 6.2v4.2M10 13.5v.1"/>'),
  back: icon('<path d="M8 5.5 4 9.5l4 4M4.5 9.5H13a3 3 0 0 1 3 3v2"/>'),
  check: icon('<path d="m4.5 10.5 3.8 3.8 7.4-8.4" stroke-width="2.8"/>'),
};

const light = `
	--page: #ffffff; --text: #262b33; --strong: #12161c; --muted: #5c6573; --link: #1858b0; --link-line: #b4cbea;
	--hairline: #e2e6ea; --rule: #c9d0d8; --stripe: #f8f9fa; --code-page: #f5f6f8; --code-text: #2b313b; --inline: #eef0f3;
	--note: #1c5dae; --tip: #1c6f43; --important: #7340ab; --warning: #8a5400; --caution: #b3293a;
	--hl-comment: #626b78; --hl-keyword: #8a2f8f; --hl-string: #1f6b3b; --hl-number: #a1440c; --hl-name: #1a58ae;
	--hl-type: #0c6672; --hl-attribute: #7d5400; --hl-variable: #ab2c52; --hl-added: #dff3e4; --hl-removed: #fbe4e6;`;

const dark = `
	--page: #14171c; --text: #d3d9e2; --strong: #f1f4f8; --muted: #98a2b1; --link: #86b6f6; --link-line: #38527a;
	--hairline: #2a303a; --rule: #404957; --stripe: #191d23; --code-page: #1b2027; --code-text: #d3d9e2; --inline: #252b34;
	--note: #7fb2f5; --tip: #77cc99; --important: #c3a0f2; --warning: #e3b45c; --caution: #f48d92;
	--hl-comment: #8b96a6; --hl-keyword: #d59be4; --hl-string: #93d0a0; --hl-number: #f0ac78; --hl-name: #86b6f6;
	--hl-type: #75cdd6; --hl-attribute: #dcbc73; --hl-variable: #f297ae; --hl-added: #173524; --hl-removed: #44212a;`;

/** `github` follows `prefers-color-scheme` and is light in print; `dark` is always dark; `plain` has no style. */
export type MarkdownTheme = "github" | "dark" | "plain";

export function markdownStyle(theme: MarkdownTheme): string {
  if (theme === "plain") return "";
  return `${theme === "dark" ? alwaysDark : preferredScheme}${baseStyle}`;
}

const preferredScheme = `
:root { color-scheme: light dark; ${light} }
@media screen and (prefers-color-scheme: dark) { :root { ${dark} } }
@media print { :root { color-scheme: light; } }
@page { margin: 2cm; }
`;

/** When printing, browsers omit backgrounds and darken text by default; page margins have a background of their own. */
const alwaysDark = `
:root { color-scheme: dark; -webkit-print-color-adjust: exact; print-color-adjust: exact; ${dark} }
@page { margin: 2cm; background: #14171c; }
`;

/** A capture cannot be scrolled: code and tables wrap instead of hiding overflow. */
const baseStyle = `
*, ::before, ::after { box-sizing: border-box; }
html {
	background: var(--page); color: var(--text);
	font: 400 16px/1.7 "Open Sans", system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif;
	-webkit-text-size-adjust: 100%; text-rendering: optimizeLegibility;
}
body { margin: 0; padding: clamp(1.5rem, 6vw, 4.5rem) clamp(1.25rem, 5vw, 3rem); }
article { max-width: 46rem; margin: 0 auto; overflow-wrap: break-word; }
article > :first-child { margin-top: 0; }
article > :last-child { margin-bottom: 0; }

p, ul, ol, dl, pre, table, blockquote, details, .markdown-alert { margin: 0 0 1.25rem; }
p, li, h1, h2, h3, h4, h5, h6, td, th { unicode-bidi: plaintext; text-align: start; }
[align="left"] { text-align: left; } [align="center"] { text-align: center; } [align="right"] { text-align: right; }
p { text-wrap: pretty; }

h1, h2, h3, h4, h5, h6 { margin: 2.25em 0 .7em; color: var(--strong); font-weight: 700; line-height: 1.28; text-wrap: balance; }
h1 { margin-top: 1.75em; margin-bottom: .6em; font-size: 2.25rem; letter-spacing: -.022em; line-height: 1.18; }
h2 { font-size: 1.5rem; letter-spacing: -.014em; padding-bottom: .4em; border-bottom: 1px solid var(--hairline); }
h3 { font-size: 1.2rem; letter-spacing: -.008em; }
h4 { font-size: 1rem; }
h5, h6 { font-size: .875rem; }
h6 { color: var(--muted); }
:is(h1, h2, h3, h4, h5, h6) + :is(h2, h3, h4, h5, h6) { margin-top: 1.2em; }
:is(h1, h2, h3, h4, h5, h6) code { font-size: .88em; }

strong, b, dt, th { color: var(--strong); font-weight: 650; }
a { color: var(--link); text-decoration: underline; text-decoration-color: var(--link-line); text-decoration-thickness: 1px; text-underline-offset: .2em; }
:is(a:not([href])) { color: inherit; text-decoration: none; }
del, s, strike { color: var(--muted); }
sub, sup { font-size: .72em; line-height: 0; }
hr { height: 1px; margin: 2.75rem 0; border: 0; background: var(--rule); }

ul, ol { padding-inline-start: 1.6em; }
li { margin: .3em 0; }
li::marker { color: var(--muted); font-variant-numeric: tabular-nums; }
li > p { margin: .75em 0; }
li > :is(ul, ol) { margin: .3em 0; }
li > :is(pre, blockquote, table) { margin: .75em 0; }
dt { margin-top: 1em; }
dd { margin: .25em 0 .75em; margin-inline-start: 1.6em; }

.task-list-item { position: relative; list-style: none; }
.task-list-item input {
	appearance: none; position: absolute; inset-inline-start: -1.6em; top: .34em; width: 1.05em; height: 1.05em; margin: 0;
	border: 1.5px solid var(--rule); border-radius: .28em; background: var(--page); font-size: 1em;
}
.task-list-item input:checked { border-color: var(--link); background: var(--link); }
.task-list-item input:checked::before { content: ""; display: block; width: 100%; height: 100%; background: var(--page); mask: ${icons.check} center / 92% no-repeat; }

code, kbd, samp, tt, pre { font-family: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", monospace; font-variant-ligatures: none; }
code, samp, tt { padding: .14em .32em; border-radius: .3em; background: var(--inline); color: var(--strong); font-size: .89em; overflow-wrap: anywhere; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
a code { color: inherit; }
:is(th, td) code { overflow-wrap: inherit; }
kbd { padding: .12em .45em; border: 1px solid var(--rule); border-bottom-width: 2px; border-radius: .35em; background: var(--page); color: var(--strong); font-size: .8em; white-space: nowrap; }
pre { padding: 1rem 1.2rem; border: 1px solid var(--hairline); border-radius: .6rem; background: var(--code-page); color: var(--code-text); font-size: .86rem; line-height: 1.65; tab-size: 4; white-space: pre-wrap; overflow-wrap: anywhere; text-align: left; direction: ltr; }
pre code { padding: 0; background: none; color: inherit; font-size: inherit; overflow-wrap: inherit; }

blockquote { padding: .1rem 0 .1rem 1.25rem; border-inline-start: 3px solid var(--rule); color: var(--muted); }
blockquote > :last-child, .markdown-alert > :last-child, details > :last-child, td > :last-child, li > :last-child { margin-bottom: 0; }
blockquote > :first-child, td > :first-child, li > :first-child { margin-top: 0; }

.markdown-alert { --tone: var(--note); --icon: ${icons.note}; padding: .95rem 1.2rem 1rem; border: 1px solid color-mix(in srgb, var(--tone) 24%, var(--page)); border-inline-start: 4px solid var(--tone); border-radius: .6rem; background: color-mix(in srgb, var(--tone) 7%, var(--page)); }
.markdown-alert > p { margin-bottom: .7em; }
.markdown-alert-tip { --tone: var(--tip); --icon: ${icons.tip}; }
.markdown-alert-important { --tone: var(--important); --icon: ${icons.important}; }
.markdown-alert-warning { --tone: var(--warning); --icon: ${icons.warning}; }
.markdown-alert-caution { --tone: var(--caution); --icon: ${icons.caution}; }
.markdown-alert > .markdown-alert-title { display: flex; align-items: center; gap: .5em; margin: 0 0 .3em; color: var(--tone); font-size: .92rem; font-weight: 650; }
.markdown-alert-title::before { content: ""; flex: none; width: 1.2em; height: 1.2em; background: currentColor; mask: var(--icon) center / contain no-repeat; }

table { display: block; width: fit-content; max-width: 100%; overflow-x: auto; border-spacing: 0; font-size: .925rem; line-height: 1.55; font-variant-numeric: tabular-nums; }
th, td { min-width: 3em; padding: .55em .9em; border-bottom: 1px solid var(--hairline); vertical-align: top; }
table:has(tr > :nth-child(7)) :is(th, td) { min-width: 0; padding-inline: .5em; font-size: .92em; overflow-wrap: anywhere; }
@media screen and (max-width: 40rem) { th, td { min-width: 4em; padding-inline: .4em; font-size: .92em; overflow-wrap: anywhere; } }
th { vertical-align: bottom; }
thead th { border-bottom: 1.5px solid var(--rule); }
tbody tr:nth-child(even) { background: var(--stripe); }

img, picture, svg { max-width: 100%; }
img { height: auto; vertical-align: middle; border-style: none; }
p > img:only-child { border-radius: .4rem; }
.diagram { margin: 0 0 1.25rem; line-height: 1.5; text-align: center; }
.diagram :is(p, li, td, th) { text-align: inherit; text-wrap: wrap; }
details { padding: .7rem 1.1rem; border: 1px solid var(--hairline); border-radius: .6rem; }
summary { color: var(--strong); font-weight: 600; }
details[open] > summary { margin-bottom: .6rem; }

.footnotes { margin-top: 3.5rem; padding-top: 1.4rem; border-top: 1px solid var(--hairline); color: var(--muted); font-size: .875rem; line-height: 1.6; }
.footnotes ol { margin: 0; }
[data-footnote-ref] { padding: 0 .15em; font-weight: 600; text-decoration: none; }
[data-footnote-backref] { margin-inline-start: .2em; font-size: 0; }
[data-footnote-backref]::after { content: ""; display: inline-block; width: .95rem; height: .95rem; vertical-align: -.12rem; background: currentColor; mask: ${icons.back} center / contain no-repeat; }
.sr-only { position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; border: 0; }

.hljs-comment, .hljs-quote, .hljs-meta { color: var(--hl-comment); }
.hljs-comment, .hljs-emphasis { font-style: italic; }
.hljs-keyword, .hljs-selector-tag, .hljs-literal, .hljs-doctag, .hljs-template-tag { color: var(--hl-keyword); }
.hljs-string, .hljs-regexp, .hljs-char, .hljs-addition, .hljs-code, .hljs-meta .hljs-string { color: var(--hl-string); }
.hljs-number, .hljs-symbol, .hljs-bullet, .hljs-link { color: var(--hl-number); }
.hljs-title, .hljs-section, .hljs-selector-id, .hljs-name, .hljs-tag .hljs-name { color: var(--hl-name); }
.hljs-type, .hljs-built_in, .hljs-title.class_, .hljs-selector-class, .hljs-selector-pseudo { color: var(--hl-type); }
.hljs-attr, .hljs-attribute, .hljs-selector-attr, .hljs-property { color: var(--hl-attribute); }
.hljs-variable, .hljs-template-variable, .hljs-deletion, .hljs-variable.language_ { color: var(--hl-variable); }
.hljs-subst, .hljs-tag, .hljs-params, .hljs-punctuation, .hljs-operator { color: var(--code-text); }
.hljs-strong, .hljs-section { font-weight: 650; }
.hljs-addition, .hljs-deletion { display: inline-block; width: 100%; background: var(--hl-added); }
.hljs-deletion { background: var(--hl-removed); }

@media print {
	html { font-size: 11pt; }
	body { padding: 0; }
	article { max-width: none; }
	h1, h2, h3, h4, h5, h6, .markdown-alert-title, summary { break-after: avoid; }
	tr, img, .markdown-alert, li > input, .diagram, .formula { break-inside: avoid; }
	.diagram svg { max-height: 90vh; }
	pre, blockquote, .markdown-alert, tr, code { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
	table { display: table; overflow: visible; }
	thead { display: table-header-group; }
	p, li, pre { orphans: 3; widows: 3; }
}
`;
