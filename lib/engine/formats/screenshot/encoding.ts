// Image encoding: the formats, their limits, and the settings of their encoders.
import type { Sharp } from "sharp";
import type { ImageFormat } from "../../../contract/options/formats.ts";
import type { Rgba } from "../../../contract/options/values/css-color.ts";

export interface ImageEncoding {
  readonly format: ImageFormat;
  /** 0 to 100 on JPEG's scale; for lossy formats only. */
  readonly quality: number;
  /** Prefers speed over file size. */
  readonly fast: boolean;
}

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Configures the encoder; formats without transparency show `background` instead. */
export function encode(image: Sharp, { format, quality, fast }: ImageEncoding, background: Rgba): Sharp {
  const encoders: Readonly<Record<ImageFormat, () => Sharp>> = {
    png: () => image.png({ compressionLevel: fast ? 2 : 6 }),
    jpeg: () =>
      image.flatten({ background }).jpeg({
        quality: Math.max(1, quality),
        // Chroma subsampling is most visible around colored text.
        chromaSubsampling: quality >= 90 ? "4:4:4" : "4:2:0",
        // Optimal Huffman tables would save 3 %, but need the whole image in memory.
        optimizeCoding: false,
      }),
    webp: () => image.webp({ quality: Math.max(1, quality), effort: fast ? 0 : 2 }),
    // Efforts above 1 take seconds to save 10 %.
    avif: () => image.avif({ quality: avifQuality(quality), effort: fast ? 0 : 1 }),
    tiff: () => image.tiff({ compression: "deflate" }),
  };
  return encoders[format]();
}

/** JPEG and AVIF qualities at which screenshots have the same PSNR, as measured. */
const equivalentQualities = [
  { jpeg: 0, avif: 10 },
  { jpeg: 50, avif: 40 },
  { jpeg: 80, avif: 50 },
  { jpeg: 100, avif: 100 },
];

function avifQuality(quality: number): number {
  const next = Math.max(
    1,
    equivalentQualities.findIndex(({ jpeg }) => jpeg >= quality),
  );
  const [from, to] = [equivalentQualities[next - 1], equivalentQualities[next]];
  if (!from || !to) throw new RangeError(`A quality is between 0 and 100, not ${quality}`);
  return Math.round(from.avif + ((quality - from.jpeg) / (to.jpeg - from.jpeg)) * (to.avif - from.avif));
}
