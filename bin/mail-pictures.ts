// `npm run pictures:mails`: makes the pictures of all mails in the documentation.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { mailPictureSources, mailPictures } from "../lib/tools/mails/mail-pictures.ts";
import { captureWith } from "../test/support/chromium.ts";

const pictures = join(resolve(import.meta.dirname, ".."), "lib/site/web/pictures");

for (const { name, html, width, scheme } of mailPictures()) {
  const { body } = await captureWith({
    html,
    viewport_width: width,
    viewport_height: 200,
    full_page: true,
    dark_mode: scheme === "dark",
    format: "webp",
    image_quality: 65,
  });
  writeFileSync(join(pictures, `mail-${name}.webp`), body);
  console.log(name);
}
writeFileSync(join(pictures, "mail-sources.json"), `${JSON.stringify(mailPictureSources(), undefined, 2)}\n`);
