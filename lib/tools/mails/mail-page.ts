// A page that shows mails: their HTML as readers of mail show it, and their plain text.
import { type Html, html, rawHtml } from "../../site/html.ts";

/** What a mail shows is of customers, so nothing of it runs, and nothing is loaded. */
export const MAIL_PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

const STYLES = `
:root { color-scheme: light dark; --line: light-dark(#d5d0c4, #3a3733); --soft: light-dark(#5d584d, #a8a294) }
body { margin: 0 auto; padding: 1.5rem; max-width: 88rem; font: 1rem/1.5 system-ui, sans-serif }
nav ul { columns: 16rem; padding: 0; list-style: none }
a { color: inherit }
article { margin-block: 2rem; border-block-start: 1px solid var(--line) }
h2 { margin-block-end: 0.25rem; font-size: 1.25rem }
.facts { margin: 0 0 1rem; color: var(--soft) }
.frames { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start }
figure { margin: 0; max-width: 100% }
figcaption { color: var(--soft); font-size: 0.875rem }
iframe { box-sizing: content-box; max-width: 100%; height: 36rem; border: 1px solid var(--line); resize: vertical }
.light { color-scheme: light }
.dark { color-scheme: dark }
pre { padding: 1rem; border: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.875rem }
`;

/** A page around mails, without scripts. */
export function mailPage(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${rawHtml(STYLES)}</style>
<h1>${title}</h1>
${content}
</html>
`.text;
}

export interface FrameView {
  /** Of the window, in CSS pixels. */
  readonly width: number;
  /** The reader's colors follow this machine where it is undefined. */
  readonly scheme?: "light" | "dark";
}

/** The HTML of a mail in a window of its own, in which links open nothing: they are in the plain text. */
export function mailFrame(mail: string, title: string, { width, scheme }: FrameView): Html {
  return html`<iframe title="${title}" class="${scheme ?? ""}" width="${width}" sandbox srcdoc="${mail}"></iframe>`;
}

/** The plain text of a mail, with links. */
export function mailPlainText(text: string): Html {
  const parts = text.split(/(https?:\/\/[^\s<>"”]+)/);
  return html`<pre>${parts.map((part, index) => (index % 2 === 0 ? part : html`<a href="${part}">${part}</a>`))}</pre>`;
}
