// Makes the pictures of mails in the documentation.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { captureWith } from "../../../test/support/chromium.ts";
import { mailPictureFile, mailPictures } from "../mails/mail-pictures.ts";
import { picturesFolder } from "./pictures-folder.ts";

/** Writes those of the pictures whose files are wanted. */
export async function makeMailPictures(wanted: ReadonlySet<string>): Promise<void> {
  for (const { name, html, width, scheme } of mailPictures().filter((each) => wanted.has(mailPictureFile(each.name)))) {
    const { body } = await captureWith({
      html,
      viewport_width: width,
      viewport_height: 200,
      full_page: true,
      dark_mode: scheme === "dark",
      format: "webp",
      image_quality: 65,
    });
    writeFileSync(join(picturesFolder, mailPictureFile(name)), body);
  }
}
