// The formats a capture can have, and what kind of thing each of them is.

export const imageFormats = ["png", "jpeg", "webp", "avif", "tiff"] as const;
export const videoFormats = ["mp4", "webm", "gif", "animated_webp"] as const;
export const documentFormats = ["html", "markdown", "mhtml", "text", "json"] as const;
export const formats = [...imageFormats, ...videoFormats, "pdf", ...documentFormats] as const;

export type ImageFormat = (typeof imageFormats)[number];
export type VideoFormat = (typeof videoFormats)[number];
export type DocumentFormat = (typeof documentFormats)[number];
export type Format = (typeof formats)[number];

/** `image`: pixels. `video`: pixels that move. `pdf`: sheets. `document`: what the page says, without its looks. */
export type FormatKind = "image" | "video" | "pdf" | "document";

export function formatKind(format: Format): FormatKind {
  if (isImageFormat(format)) return "image";
  if (isVideoFormat(format)) return "video";
  return format === "pdf" ? "pdf" : "document";
}

export function isImageFormat(format: Format): format is ImageFormat {
  return imageFormats.some((name) => name === format);
}

/** Also of names that are no longer formats, or were never any. */
export function isVideoFormat(format: string): format is VideoFormat {
  return videoFormats.some((name) => name === format);
}

/** Formats that have a quality, because they leave something out. */
export const lossyFormats: readonly Format[] = ["jpeg", "webp", "avif", "mp4", "webm", "animated_webp"];

/** Formats whose pixels can be transparent. */
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
};

/** What a file of these formats is usually called; of the others the format is the extension. */
const extensions: Partial<Record<Format, string>> = { jpeg: "jpg", animated_webp: "webp", markdown: "md", text: "txt" };

/** Extension of a file of this format, without a dot. */
export function fileExtension(format: Format): string {
  return extensions[format] ?? format;
}
