// Renders the HTML of a mail. It is built of tables with styles in attributes, which Gmail, Outlook, and Apple Mail show alike, and loads
// nothing: no images, fonts, or scripts.
import {
  identityNames,
  identitySettings,
  type OperatorIdentity,
  supportLink,
} from "../../contract/operator-identity.ts";
import { SITE_NAME } from "../../site/brand.ts";
import { type Html, html, rawHtml } from "../../site/html.ts";
import type { Fact, MailBlock, MailDocument } from "./mail-document.ts";
import { mailStyleSheet, styled } from "./mail-styles.ts";

/** Layout, not data, for screen readers. */
const LAYOUT = rawHtml('role="presentation" cellpadding="0" cellspacing="0" border="0"');
/** Outlook on Windows knows no `max-width`. */
const OUTLOOK_COLUMN = rawHtml(
  '<!--[if mso]><table role="presentation" align="center" width="560" cellpadding="0" cellspacing="0"><tr><td><![endif]-->',
);
const OUTLOOK_COLUMN_END = rawHtml("<!--[if mso]></td></tr></table><![endif]-->");

/** Returns the HTML of a mail, with the addresses that the operator has set below it. */
export function mailHtml({ subject, heading, blocks }: MailDocument, identity: OperatorIdentity = {}): string {
  return html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no">
<title>${subject}</title>
<style>${mailStyleSheet()}</style>
</head>
<body ${styled("page")}>
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preheader(blocks)}</div>
<table ${LAYOUT} width="100%" ${styled("page")}><tr><td align="center" style="padding:32px 16px">
${OUTLOOK_COLUMN}<div role="article" lang="en" aria-label="${subject}"><table ${LAYOUT} align="center" ${styled("column")}>
<tr><td align="left">${wordmark()}</td></tr>
<tr><td align="left" ${styled("card")}>
<h1 ${styled("heading")}>${heading ?? subject}</h1>
${blocks.map(blockHtml)}</td></tr>
${footer(identity)}</table></div>${OUTLOOK_COLUMN_END}
</td></tr></table>
</body>
</html>
`.text;
}

/** What lists of mails show next to the subject. */
function preheader(blocks: readonly MailBlock[]): string {
  return blocks.find((block) => block.kind === "paragraph")?.text ?? "";
}

function blockHtml(block: MailBlock): Html {
  switch (block.kind) {
    case "paragraph":
      return html`<p ${styled("paragraph")}>${block.text}</p>\n`;
    case "note":
      return html`<p ${styled("note")}>${block.text}</p>\n`;
    case "code":
      return html`${frame(html`<td align="center" ${styled("code")}>${block.code}</td>`, { size: 14, margin: 20 })}\n`;
    case "button":
      return button(block);
    case "link":
      return html`<p ${styled("note")}>${block.lead}: ${link(block.address)}</p>\n`;
    case "command":
      return html`<p ${styled("paragraph")}>${block.lead}:</p>\n<p ${styled("command")}>${block.command}</p>\n`;
    case "facts":
      return facts(block.facts);
  }
}

/** The address is also written out: a reader who trusts no button, or whose program shows none, copies it. */
function button({ lead, label, address }: Extract<MailBlock, { readonly kind: "button" }>): Html {
  return html`<p ${styled("paragraph")}>${lead}:</p>
<table ${LAYOUT} style="margin:0 0 16px"><tr><td ${styled("button")}><a href="${address}" ${styled("action")}>${label}</a></td></tr></table>
<p ${styled("note")}>Or open this address: ${link(address)}</p>
`;
}

function facts(all: readonly Fact[]): Html {
  const rows = all.map(
    ([name, value]) =>
      html`<tr><th scope="row" ${styled("fact")}>${name}</th><td ${styled("value")}>${value}</td></tr>\n`,
  );
  return html`<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px">\n${rows}</table>\n`;
}

const link = (address: string, text = address): Html => html`<a href="${address}" ${styled("address")}>${text}</a>`;

function wordmark(): Html {
  const dot = html`<td width="8" height="8" ${styled("dot")}></td>`;
  return html`<table ${LAYOUT}><tr><td style="padding:0 10px 20px 0">${frame(dot, { size: 6, margin: 0 })}</td><td ${styled("name")}>${SITE_NAME}</td></tr></table>`;
}

/** The corners of a viewfinder around a cell, drawn by the borders of further cells: many readers of mail show no SVG, and block images. */
function frame(cell: Html, { size, margin }: { readonly size: number; readonly margin: number }): Html {
  const corner = (name: "top-left" | "top-right" | "bottom-left" | "bottom-right") =>
    html`<td width="${size}" height="${size}" ${styled(name)}></td>`;
  return html`<table ${LAYOUT} style="margin:0 0 ${margin}px;font-size:0;line-height:0"><tr>${corner("top-left")}<td></td>${corner("top-right")}</tr><tr><td></td>${cell}<td></td></tr><tr>${corner("bottom-left")}<td></td>${corner("bottom-right")}</tr></table>`;
}

/** Who runs the service. */
function footer(identity: OperatorIdentity): Html | false {
  const links = identityNames.flatMap((name) => {
    const address = identity[name];
    if (address === undefined) return [];
    return name === "support"
      ? [html`Support: ${link(supportLink(address), address)}`]
      : [link(address, identitySettings[name].label)];
  });
  if (links.length === 0) return false;
  return html`<tr><td align="left" ${styled("footer")}>${links.map((each, index) => html`${index > 0 && " · "}${each}`)}</td></tr>\n`;
}
