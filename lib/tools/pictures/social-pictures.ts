// The picture for social networks, and the icon for programs that ask for `/favicon.ico`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { captureWith } from "../../../test/support/chromium.ts";
import { iconSvg } from "../../site/brand.ts";
import { displayFont } from "../../site/display-font.ts";
import { SOCIAL_PICTURE_SIZE, socialPage } from "../../site/social-picture.ts";
import { picturesFolder } from "./pictures-folder.ts";

/** Width and height of the icon, in pixels. */
const ICON_SIZE = 32;

/** Writes both. */
export async function makeSocialPictures(): Promise<void> {
  const html = socialPage(readFileSync(join(picturesFolder, "sample.webp")), await displayFont());
  const { width: viewport_width, height: viewport_height } = SOCIAL_PICTURE_SIZE;
  const { body } = await captureWith({ html, viewport_width, viewport_height });
  const png = await sharp(body).png({ palette: true, quality: 80 }).toBuffer();
  writeFileSync(join(picturesFolder, "social.png"), png);
  const icon = await sharp(Buffer.from(iconSvg), { density: 72 }).resize(ICON_SIZE, ICON_SIZE).png().toBuffer();
  writeFileSync(join(picturesFolder, "favicon.ico"), icoFile(icon, ICON_SIZE));
}

/** An ICO file of one PNG. https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10) */
function icoFile(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // an icon
  header.writeUInt16LE(1, 4); // with one image
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10); // planes
  header.writeUInt16LE(32, 12); // bits per pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}
