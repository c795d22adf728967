// The page of the mails that were caught, newest first.
import { type Html, html } from "../../../site/html.ts";
import { mailFrame, mailPage, mailPlainText } from "../../mails/mail-page.ts";
import type { Mail } from "./smtp-sender.ts";

export interface CaughtMail extends Mail {
  /** Timestamp. */
  readonly at: string;
}

/** Returns the HTML of the page. */
export function inboxPage(mails: readonly CaughtMail[]): string {
  const content = mails.length === 0 ? html`<p>No e-mail was sent yet.</p>` : html`${mails.map(caughtMail)}`;
  return mailPage("Caught mails", content);
}

function caughtMail({ at, from, to, subject, text, html: body }: CaughtMail): Html {
  return html`<article>
<h2>${subject}</h2>
<p class="facts">${at}<br>From: ${from}<br>To: ${to.join(", ")}</p>
<div class="frames">${mailFrame(body, subject, { width: 600 })}${mailPlainText(text)}</div>
</article>`;
}
