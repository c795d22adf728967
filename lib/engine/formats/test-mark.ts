// The mark of captures with an API key for tests: the word TEST across each picture, each frame, and each page of a PDF.
import type { Sharp } from "sharp";
import type { ImageFormat } from "../../contract/options/formats.ts";
import { loadSharp } from "./screenshot/raster-source.ts";

/** The distance from one word to the next, in pixels: no useful part of a picture is without one. */
const TILE = { width: 240, height: 120 } as const;

/** The letters as strokes in a box of 88 × 24, because the machine may have no font that sharp finds. */
const LETTERS = "M2 2h20M12 2v20M44 2H28v20h16M28 12h13M66 4c-8-4-17-1-15 4s15 3 15 9-10 7-17 2M70 2h18M79 2v20";

/** Dark on light strokes, so that the word shows on every background. */
function markSvg(width: number, height: number): string {
  const stroke = (color: string, strokeWidth: number, opacity: number) =>
    `<path d="${LETTERS}" fill="none" stroke="${color}" stroke-width="${strokeWidth}" stroke-opacity="${opacity}"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 240 120" preserveAspectRatio="none">` +
    `<g transform="translate(42 82) rotate(-20) scale(1.8)">${stroke("#fff", 5, 0.65)}${stroke("#c00", 2.5, 0.75)}</g></svg>`
  );
}

/** How the marked image is encoded again. */
export interface MarkedEncoding {
  readonly format: ImageFormat | "gif";
  /** 0 to 100, of lossy formats. */
  readonly quality: number;
}

/** Draws the mark across an image, or across each frame of an animated one. */
export async function drawTestMark(image: Buffer, { format, quality }: MarkedEncoding): Promise<Buffer> {
  const sharp = await loadSharp();
  const source = sharp(image, { animated: format === "gif" || format === "webp", limitInputPixels: false });
  const { width = 1, height = 1, pageHeight = height } = await source.metadata();
  const tile = { width: Math.min(TILE.width, width), height: Math.min(TILE.height, pageHeight) };
  const mark = await sharp(Buffer.from(markSvg(tile.width, tile.height)))
    .png()
    .toBuffer();
  return encodeMarked(source.composite([{ input: mark, tile: true }]), { format, quality }).toBuffer();
}

function encodeMarked(image: Sharp, { format, quality }: MarkedEncoding): Sharp {
  const lossy = { quality: Math.max(1, quality) };
  if (format === "png") return image.png();
  if (format === "tiff") return image.tiff({ compression: "deflate" });
  if (format === "gif") return image.gif();
  return image.toFormat(format, lossy);
}

/** The mark as part of the header that Chromium prints over each page of a PDF, in a document of its own. */
export function markHeader(): string {
  const rules = [
    "display:block",
    "visibility:visible",
    "opacity:1",
    "position:fixed",
    "inset:0",
    "width:auto",
    "height:auto",
    "margin:0",
    "padding:0",
    "transform:none",
    "clip-path:none",
    "filter:none",
    `background:url(data:image/svg+xml;base64,${Buffer.from(markSvg(TILE.width, TILE.height)).toString("base64")})`,
    "-webkit-print-color-adjust:exact",
    "z-index:2147483647",
    "font:7pt sans-serif",
    "color:#c00",
  ];
  return `<div style="${rules.map((rule) => `${rule}!important`).join(";")}">${TEST_NOTE}</div>`;
}

/** What a format without pixels says, and each page of a PDF. */
export const TEST_NOTE = "Captured with an API key for tests.";

/** The template of a caller without style sheets, which could hide what is around it. */
export function withoutStyles(template: string): string {
  const [first = "", ...others] = template.split(/<\/style/i);
  const afterTags = others.map((part) => part.slice(part.indexOf(">") + 1)); // the rest of the end tag
  return [first, ...afterTags].map(beforeStyle).join("");
}

function beforeStyle(text: string): string {
  const start = text.search(/<style/i);
  return start < 0 ? text : text.slice(0, start);
}
