// The pictures of mails in the documentation: each mail in light colors, and some as others see it.
import { createHash } from "node:crypto";
import type { MailName } from "../../service/mail/mail-document.ts";
import { mailHtml } from "../../service/mail/mail-html.ts";
import { exampleIdentity, mailExamples } from "./mail-examples.ts";
import type { FrameView } from "./mail-page.ts";

export interface MailPicture extends Required<FrameView> {
  /** Of the file, `mail-<name>.webp`. */
  readonly name: string;
  readonly html: string;
}

const picture = (mail: MailName, name: string, view: Required<FrameView>): MailPicture => ({
  name,
  html: mailHtml(mailExamples[mail], exampleIdentity),
  ...view,
});

export function mailPictures(): readonly MailPicture[] {
  const all = Object.keys(mailExamples) as readonly MailName[];
  return [
    ...all.map((mail) => picture(mail, mail, { width: 640, scheme: "light" })),
    picture("sign-in-code", "sign-in-code-dark", { width: 640, scheme: "dark" }),
    picture("new-browser", "new-browser-narrow", { width: 390, scheme: "dark" }),
  ];
}

/** Identifies what each picture is made from, so that a test can tell when one is stale. */
export function mailPictureSources(): Readonly<Record<string, string>> {
  const sources = mailPictures().map(({ name, ...made }) => {
    return [name, createHash("sha256").update(JSON.stringify(made)).digest("hex").slice(0, 16)];
  });
  return Object.fromEntries(sources);
}
