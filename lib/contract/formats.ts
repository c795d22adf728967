// The formats a capture can have, and what kind of thing each of them is.

export const imageFormats = ["png", "jpeg", "webp", "avif", "tiff"] as const;
export const documentFormats = ["html", "markdown", "mhtml", "text", "json"] as const;
export const formats = [...imageFormats, "pdf", ...documentFormats] as const;

export type ImageFormat = (typeof imageFormats)[number];
export type DocumentFormat = (typeof documentFormats)[number];
export type Format = (typeof formats)[number];

/** `image`: pixels. `pdf`: sheets. `document`: what the page says, without its looks. */
export type FormatKind = "image" | "pdf" | "document";

export function kindOf(format: Format): FormatKind {
  if (isImageFormat(format)) return "image";
  return format === "pdf" ? "pdf" : "document";
}

export function isImageFormat(format: Format): format is ImageFormat {
  return imageFormats.some((name) => name === format);
}

/** Formats that have a quality, because they leave something out. */
export const lossyFormats: readonly Format[] = ["jpeg", "webp", "avif"];

/** Formats whose pixels can be transparent. */
export const transparentFormats: readonly Format[] = ["png", "webp", "avif"];

export const mimeTypes: Readonly<Record<Format, string>> = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
  avif: "image/avif",
  tiff: "image/tiff",
  pdf: "application/pdf",
  html: "text/html; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
  mhtml: "multipart/related",
  text: "text/plain; charset=utf-8",
  json: "application/json; charset=utf-8",
};

/** What a file of these formats is usually called; of the others the format is the extension. */
const extensions: Partial<Record<Format, string>> = { jpeg: "jpg", markdown: "md", text: "txt" };

/** Extension of a file of this format, without a dot. */
export function extensionOf(format: Format): string {
  return extensions[format] ?? format;
}
