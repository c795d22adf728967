// Draws two pictures of a page next to each other, with what differs marked in red on both.
import sharp from "sharp";
import type { DecodedPicture, Rect } from "./tiles.ts";

const GAP = 24;
/** Longer pictures are cut: PNG viewers open them slowly. */
const MAX_HEIGHT = 30_000;

/** A PNG: `left` and `right` at the same scale, with frames around the tiles that differ, in CSS pixels of both. */
export async function drawSideBySide(
  left: DecodedPicture,
  right: DecodedPicture,
  differing: readonly Rect[],
): Promise<Buffer> {
  const height = Math.min(MAX_HEIGHT, Math.max(left.height, right.height));
  const width = left.width + GAP + right.width;
  const marks = [0, left.width + GAP].flatMap((offset) =>
    differing.map(({ left: x, top: y, width: w, height: h }) => {
      const [at, size] = [
        [x, y],
        [w, h],
      ].map((pair) => pair.map((value) => value * left.scale));
      return `<rect x="${offset + (at?.[0] ?? 0)}" y="${at?.[1]}" width="${size?.[0]}" height="${size?.[1]}"/>`;
    }),
  );
  const overlay = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g fill="red" fill-opacity=".2" stroke="red" stroke-opacity=".5">${marks.join("")}</g></svg>`;
  const raw = ({ pixels, width, height }: DecodedPicture) => sharp(pixels, { raw: { width, height, channels: 3 } });
  const cut = async (picture: DecodedPicture) => {
    const rows = Math.min(picture.height, height);
    return raw(picture).extract({ left: 0, top: 0, width: picture.width, height: rows }).png().toBuffer();
  };
  const background = { r: 120, g: 120, b: 120 };
  return sharp({ create: { width, height, channels: 3, background }, limitInputPixels: false })
    .composite([
      { input: await cut(left), left: 0, top: 0, limitInputPixels: false },
      { input: await cut(right), left: left.width + GAP, top: 0, limitInputPixels: false },
      { input: Buffer.from(overlay), left: 0, top: 0, limitInputPixels: false },
    ])
    .png()
    .toBuffer();
}
