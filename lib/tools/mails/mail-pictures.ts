// The pictures of mails in the documentation: each mail in light colors, and some as others see it.
import type { MailName } from "../../service/mail/mail-document.ts";
import { mailHtml } from "../../service/mail/mail-html.ts";
import { exampleIdentity, mailExamples } from "./mail-examples.ts";
import type { FrameView } from "./mail-page.ts";

export interface MailPicture extends Required<FrameView> {
  /** Of the mail, and of how it is seen. */
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

/** The name of its file. */
export const mailPictureFile = (name: string): string => `mail-${name}.webp`;
