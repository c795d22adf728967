// Recognizes the format of an image by its first bytes, without decoding anything.
import { type ImageFormat, imageFormats } from "../../contract/options/formats.ts";

const isAt = (bytes: Buffer, signature: string, at = 0) =>
  bytes.toString("latin1", at, at + signature.length) === signature;

const signatures: Readonly<Record<ImageFormat, (bytes: Buffer) => boolean>> = {
  png: (bytes) => isAt(bytes, "\x89PNG\r\n\x1a\n"),
  jpeg: (bytes) => isAt(bytes, "\xff\xd8\xff"),
  webp: (bytes) => isAt(bytes, "RIFF") && isAt(bytes, "WEBPVP8", 8),
  avif: (bytes) => isAt(bytes, "ftypavif", 4),
  tiff: (bytes) => isAt(bytes, "II*\0") || isAt(bytes, "MM\0*"),
};

/** The format whose signature the bytes begin with; undefined for any other. https://mimesniff.spec.whatwg.org/#image-type-pattern-matching-algorithm */
export function imageSignature(bytes: Buffer): ImageFormat | undefined {
  return imageFormats.find((format) => signatures[format](bytes));
}
