// Reads the files that a local page uses: only files of the kinds that pages use, and only below one folder.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, join, relative, sep } from "node:path";

/** Media types of the files that pages use, by their extension. Others are left out: no page can send any file of this machine. */
const mediaTypes: Readonly<Record<string, string>> = {
  avif: "image/avif",
  bmp: "image/bmp",
  css: "text/css",
  gif: "image/gif",
  htm: "text/html",
  html: "text/html",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  mjs: "text/javascript",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  ogg: "audio/ogg",
  otf: "font/otf",
  png: "image/png",
  svg: "image/svg+xml",
  ttf: "font/ttf",
  vtt: "text/vtt",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
};

/** A file that a page uses. */
export interface LocalFile {
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** The part of its address from `#` on, such as an icon of an SVG font; empty without one. */
  readonly fragment: string;
}

/** Why a file is left out: a text that follows its name. */
export type Omission = string;

/** True for an address that is relative to the page. One with a scheme, or of another host, is loaded as it is. */
export function isRelative(address: string): boolean {
  return address !== "" && !/^([a-z][a-z\d+.-]*:|\/\/|#)/i.test(address);
}

/**
 * Reads the file at an address that is relative to `folder`, or to `root` if it starts with a slash. Returns why it's left out if
 * it isn't a file below `root`, if it is hidden or of another kind, or if it has more than `maxBytes`.
 */
export function readLocalFile(
  address: string,
  { folder, root, maxBytes }: { readonly folder: string; readonly root: string; readonly maxBytes: number },
): LocalFile | Omission {
  const [, pathname = "", fragment = ""] = /^([^?#]*)[^#]*(.*)$/s.exec(address) ?? [];
  const wanted = join(pathname.startsWith("/") ? root : folder, decode(pathname));
  const mediaType = mediaTypes[extname(wanted).slice(1).toLowerCase()];
  if (mediaType === undefined) return "pages use no files of this kind";
  const path = realPath(wanted);
  if (path === undefined || !statSync(path).isFile()) return "it isn't a file that can be read";
  const below = relative(realPath(root) ?? root, path);
  if (below.startsWith("..")) return `it isn't below ${root}; pass --root with a folder that has both`;
  if (below.split(sep).some((name) => name.startsWith("."))) return "it is hidden";
  if (statSync(path).size > maxBytes) return "the page would be too large with it";
  return { path, mediaType, bytes: readFileSync(path), fragment };
}

/** The folder of a file's relative addresses. */
export function folderOf({ path }: Pick<LocalFile, "path">): string {
  return dirname(path);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The path without symbolic links; undefined if nothing is there. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
