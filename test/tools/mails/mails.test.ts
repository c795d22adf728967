// Every mail: its HTML loads nothing and stays small, and its picture is in the documentation.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mailHtml } from "../../../lib/service/mail/mail-html.ts";
import { mailColors } from "../../../lib/service/mail/mail-styles.ts";
import { exampleIdentity, mailExamples } from "../../../lib/tools/mails/mail-examples.ts";
import { mailPictureFile, mailPictures } from "../../../lib/tools/mails/mail-pictures.ts";
import { previewPage } from "../../../lib/tools/mails/preview-page.ts";

const project = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(project, path), "utf8");

const examples = Object.entries(mailExamples);

describe.each(examples)("mail %s", (name, mail) => {
  test("has the name of its example, at most one code and one button, and a paragraph for lists of mails", () => {
    expect(mail.name).toBe(name);
    const kinds = mail.blocks.map(({ kind }) => kind);
    for (const kind of ["code", "button"]) expect(kinds.filter((each) => each === kind).length).toBeLessThan(2);
    expect(kinds).toContain("paragraph");
  });

  test("loads nothing, runs nothing, and has less than 12 KB", () => {
    const html = mailHtml(mail, exampleIdentity);
    expect(html).toContain("<table ");
    expect(html).not.toMatch(
      /<(img|script|link|iframe|svg|form|video|object|embed|base)\b|url\(|@import|\bsrc=|\bbackground=|\bon\w+=/,
    );
    expect(Buffer.byteLength(html)).toBeLessThan(12 * 1024);
  });
});

test("mails: their colors are those of the website", () => {
  const styles = read("lib/site/web/styles/base.css");
  const ofWebsite = Object.keys(mailColors).map((name) => {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\);`).exec(styles) ?? [];
    return [name, [light, dark]];
  });
  expect(mailColors).toEqual(Object.fromEntries(ofWebsite));
});

test("mails: the page of previews has each in light and dark, wide and narrow, and as plain text", () => {
  const page = previewPage();
  for (const [name, { subject }] of examples)
    expect(page).toContain(`<article id="${name}">\n<h2>${name}</h2>\n<p class="facts">Subject: ${subject}`);
  expect(page.match(/<iframe [^>]*sandbox srcdoc/g)).toHaveLength(4 * examples.length);
  expect(page.match(/<pre>/g)).toHaveLength(examples.length);
});

test("mails: all pictures of them are in the documentation, and there is no other", () => {
  const names = mailPictures().map(({ name }) => mailPictureFile(name));
  const shown = [...read("docs/mails.md").matchAll(/pictures\/(mail-[a-z-]+\.webp)/g)].map(([, name]) => name);
  const files = readdirSync(join(project, "lib/site/web/pictures")).filter((file) => /^mail-.*\.webp$/.test(file));
  expect(shown.toSorted()).toEqual(names.toSorted());
  expect(files.toSorted()).toEqual(names.toSorted());
});
