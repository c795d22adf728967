// The formats of a capture, and the kind of each format.
import { enumeration } from "./values/enumeration.ts";

export const imageFormats = ["png", "jpeg", "webp", "avif", "tiff"] as const;
export const videoFormats = ["mp4", "webm", "gif", "animated_webp"] as const;
export const documentFormats = ["html", "markdown", "mhtml", "text", "json", "elements"] as const;
export const formats = [...imageFormats, ...videoFormats, "pdf", ...documentFormats] as const;

export type ImageFormat = (typeof imageFormats)[number];
export type VideoFormat = (typeof videoFormats)[number];
export type DocumentFormat = (typeof documentFormats)[number];
export type Format = (typeof formats)[number];

/** `document` formats have the content of the page without its layout. */
export type FormatKind = "image" | "video" | "pdf" | "document";

export function formatKind(format: Format): FormatKind {
  if (isImageFormat(format)) return "image";
  if (isVideoFormat(format)) return "video";
  return format === "pdf" ? "pdf" : "document";
}

const kindNames: Readonly<Record<FormatKind, string>> = {
  image: "images",
  video: "videos",
  pdf: "PDFs",
  document: "documents",
};

/** Kinds in a sentence, such as `images and PDFs`. */
export function describeKinds(kinds: readonly FormatKind[]): string {
  return enumeration(kinds.map((kind) => kindNames[kind]));
}

export function isImageFormat(format: Format): format is ImageFormat {
  return imageFormats.some((name) => name === format);
}

/** Accepts any name, because stored data may name a format that no longer exists. */
export function isVideoFormat(format: string): format is VideoFormat {
  return videoFormats.some((name) => name === format);
}

/** Lossy formats, which have a quality. */
export const lossyFormats: readonly Format[] = ["jpeg", "webp", "avif", "mp4", "webm", "animated_webp"];

/** Image formats with an alpha channel. */
export const transparentFormats: readonly Format[] = ["png", "webp", "avif"];

export const mimeTypes: Readonly<Record<Format, string>> = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
  avif: "image/avif",
  tiff: "image/tiff",
  mp4: "video/mp4",
  webm: "video/webm",
  gif: "image/gif",
  animated_webp: "image/webp",
  pdf: "application/pdf",
  html: "text/html; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
  mhtml: "multipart/related",
  text: "text/plain; charset=utf-8",
  json: "application/json; charset=utf-8",
  elements: "application/json; charset=utf-8",
};

/** File extensions that differ from the name of the format. */
const extensions: Partial<Record<Format, string>> = {
  jpeg: "jpg",
  animated_webp: "webp",
  markdown: "md",
  text: "txt",
  elements: "json",
};

/** The file extension of a format, without a dot. */
export function fileExtension(format: Format): string {
  return extensions[format] ?? format;
}
