// The pictures of what options do: two results next to each other, without the option and with it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { readPdf } from "../../../test/fixtures/pdf.ts";
import { captureWith } from "../../../test/support/chromium.ts";
import { effects } from "../../site/effect-pictures.ts";
import { picturesFolder } from "./pictures-folder.ts";

/** Size of a pair of pictures, in pixels. */
const WIDTH = 640;
const HEIGHT = 200;

/** Writes those of the pairs that are in `wanted`, by the name of their file. */
export async function makeOptionPictures(wanted: ReadonlySet<string>): Promise<void> {
  const samplePage = readFileSync(join(picturesFolder, "sample-page.html"), "utf8");
  for (const [name, { both = {}, effect }] of Object.entries(effects)) {
    const file = `option-${name}.webp`;
    if (!wanted.has(file)) continue;
    const input = "html" in both || "markdown" in both ? {} : { html: samplePage };
    const usual = { viewport_height: 800, ...input, ...both };
    const results = [await captureWith(usual), await captureWith({ ...usual, ...effect })];
    const images = results.map(({ body }) => firstPage(body));
    writeFileSync(join(picturesFolder, file), await sideBySide(images));
  }
}

/** The first page of a PDF as a PNG; other results are pictures. */
function firstPage(result: Buffer): Buffer {
  return result.subarray(0, 5).toString() === "%PDF-" ? readPdf(result).png(0, 2) : result;
}

/** Both results at the same height, on a chequered ground that shows transparency. */
async function sideBySide(images: readonly Buffer[]): Promise<Buffer> {
  const half = { width: WIDTH / 2 - 24, height: HEIGHT - 24 };
  const parts = await Promise.all(
    images.map((image) =>
      sharp(image)
        .resize({ ...half, fit: "inside" })
        .png()
        .toBuffer({ resolveWithObject: true }),
    ),
  );
  const tiles = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><defs><pattern id="p" width="16" height="16" patternUnits="userSpaceOnUse"><rect width="16" height="16" fill="#e9e5da"/><path d="M0 0h8v8H0zM8 8h8v8H8z" fill="#dfdacc"/></pattern></defs><rect width="100%" height="100%" fill="url(#p)"/></svg>`,
  );
  return sharp(tiles)
    .composite(
      parts.map(({ data, info }, index) => ({
        input: data,
        left: Math.round((WIDTH / 2) * index + (WIDTH / 2 - info.width) / 2),
        top: Math.round((HEIGHT - info.height) / 2),
      })),
    )
    .webp({ quality: 60 })
    .toBuffer();
}
