// The bytes of results: pictures of one colour, which the page's source decides, and the smallest files of the other formats.
import { createHash, randomUUID } from "node:crypto";
import { stripVTControlCharacters } from "node:util";
import type { EngineOptions } from "../../../lib/contract/options/engine-options.ts";
import { type Format, type ImageFormat, isImageFormat } from "../../../lib/contract/options/formats.ts";
import { windowSize } from "../../../lib/contract/options/values/window-size.ts";
import { loadSharp } from "../../../lib/engine/formats/screenshot/raster-source.ts";
import { type Slice, sliceRows } from "../../../lib/engine/formats/screenshot/slices.ts";
import type { CaptureMetadata } from "../../../lib/engine/pipeline/capture-state.ts";
import type { LoadedPage } from "./load-page.ts";
import { textOf } from "./page-text.ts";

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A colour for each source, as `#rrggbb`. */
export const colourOf = (source: string): string => `#${createHash("sha256").update(source).digest("hex").slice(0, 6)}`;

/** In image pixels, as wide as `image_width` says. A page is as tall as its window, or as its largest `height:…px`, with `full_page`. */
export function pictureSize(options: EngineOptions, source: string): PictureSize {
  const { width, height } = windowSize(options);
  const heights = [...source.matchAll(/height:\s*(\d+)px/g)].map(([, pixels]) => Number(pixels));
  const tall = options.full_page ? Math.min(options.full_page_max_height, Math.max(height, ...heights)) : height;
  const scale = options.image_width === undefined ? options.device_scale_factor : options.image_width / width;
  return { width: Math.round(width * scale), height: Math.round(tall * scale) };
}

export async function slicePicture(
  options: EngineOptions,
  { source }: LoadedPage,
  size: PictureSize,
): Promise<Slice[]> {
  const {
    format,
    full_page_slice_height: sliceHeight = size.height,
    full_page_slice_overlap_height: overlap,
  } = options;
  if (!isImageFormat(format)) return [];
  const slices: Slice[] = [];
  for (const { top, height } of sliceRows(size.height, sliceHeight, overlap))
    slices.push({ format, top, height, body: await paintPicture(source, { width: size.width, height }, format) });
  return slices;
}

/** A picture of one colour. */
export async function paintPicture(
  source: string,
  { width, height }: PictureSize,
  format: ImageFormat | "gif",
): Promise<Buffer> {
  const sharp = await loadSharp();
  const picture = sharp({ create: { width, height, channels: 3, background: colourOf(source) } });
  return picture.toFormat(format).toBuffer();
}

interface Described {
  readonly metadata: CaptureMetadata;
  readonly size: PictureSize;
}

/** The result in the requested format. Throws for a format that this renderer doesn't have. */
export async function fakeResult(
  { format, markdown }: EngineOptions,
  { source }: LoadedPage,
  { metadata, size }: Described,
): Promise<Buffer> {
  if (isImageFormat(format)) return paintPicture(source, size, format);
  if (format === "markdown" && markdown !== undefined) return Buffer.from(`${source.trim()}\n`);
  const make = otherFormats[format];
  if (!make) throw new Error(`The fake renderer has no ${format}: test it with Chromium.`);
  return make(source, { metadata, size });
}

type MakeResult = (source: string, described: Described) => Buffer | Promise<Buffer>;

/** Most pages are never converted. */
const loadMarkdown = () => import("../../../lib/engine/formats/document/html-to-markdown.ts");

const otherFormats: Partial<Record<Format, MakeResult>> = {
  gif: (source, { size }) => paintPicture(source, size, "gif"),
  animated_webp: (source, { size }) => paintPicture(source, size, "webp"),
  mp4: () => Buffer.from("\0\0\0\x14ftypisom\0\0\0\0isom\0\0\0\x08free", "latin1"),
  webm: () => Buffer.from("1a45dfa3804282847765626d", "hex"),
  pdf: (source) => pdfOf(textOf(source)),
  html: (source) => Buffer.from(source),
  markdown: async (source) => Buffer.from(await (await loadMarkdown()).htmlToMarkdown(source, {})),
  text: (source) => Buffer.from(textOf(source)),
  mhtml: (source) => Buffer.from(`MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${source}`),
  json: (_, { metadata }) => Buffer.from(JSON.stringify(metadata)),
};

/** A PDF of one page with the text, which like any PDF differs from that of every other rendering. */
function pdfOf(text: string): Buffer {
  const lines = stripVTControlCharacters(text)
    .replace(/[^ -~]+|[()\\]/g, " ")
    .match(/.{1,100}/g);
  const shown = (lines ?? []).map((line) => `(${line}) '`).join("\n");
  const content = `BT /F1 8 Tf 10 TL 36 800 Td\n${shown}\nET\n% ${randomUUID()}`;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj${object}endobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  const trailer = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}${end}${trailer}`, "latin1");
}
