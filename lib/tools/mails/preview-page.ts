// The page of previews for developers: each mail in light and dark colors, in narrow and wide windows, and as plain text.
import { mailHtml } from "../../service/mail/mail-html.ts";
import { mailText } from "../../service/mail/mail-text.ts";
import { html } from "../../site/html.ts";
import { exampleIdentity, mailExamples } from "./mail-examples.ts";
import { type FrameView, mailFrame, mailPage, mailPlainText } from "./mail-page.ts";

/** Those in which every mail is looked at. */
export const previewViews: readonly Required<FrameView>[] = [
  { width: 640, scheme: "light" },
  { width: 640, scheme: "dark" },
  { width: 390, scheme: "light" },
  { width: 390, scheme: "dark" },
];

/** Returns the HTML of the page. */
export function previewPage(): string {
  const names = Object.keys(mailExamples);
  const mails = Object.entries(mailExamples).map(([name, mail]) => {
    const frames = previewViews.map((view) => {
      const title = `${view.width} pixels, ${view.scheme}`;
      return html`<figure>${mailFrame(mailHtml(mail, exampleIdentity), title, view)}<figcaption>${title}</figcaption></figure>\n`;
    });
    return html`<article id="${name}">
<h2>${name}</h2>
<p class="facts">Subject: ${mail.subject}</p>
<div class="frames">${frames}${mailPlainText(mailText(mail, exampleIdentity))}</div>
</article>
`;
  });
  const links = names.map((name) => html`<li><a href="#${name}">${name}</a></li>`);
  return mailPage("Mails", html`<nav><ul>${links}</ul></nav>\n${mails}`);
}
