// Inlines the files that a local page uses as data: URLs, since the service can't read them.
import { dirname } from "node:path";
import { replaceCssAddresses } from "./css-addresses.ts";
import { folderOf, isRelative, type LocalFile, readLocalFile } from "./local-files.ts";
import { replaceMarkdownImages } from "./markdown-images.ts";
import { type Attribute, type Range, type StartTag, startTags } from "./start-tags.ts";

/** A page with its files. */
export interface InlinedPage {
  readonly text: string;
  /** Paths of the files that it has. */
  readonly files: readonly string[];
  /** What it lacks, one sentence for each file. */
  readonly omitted: readonly string[];
}

export interface PageSource {
  readonly kind: "html" | "markdown";
  readonly text: string;
  /** Path of the page. */
  readonly file: string;
  /** Folder whose files the page may use. @default the folder of the page */
  readonly root?: string | undefined;
}

/** The longest `html` and `markdown` that the service takes, in characters, with some room. */
const MAX_CHARACTERS = { html: 3_900_000, markdown: 490_000 } as const;

/** Four characters for three bytes. */
const BASE64_RATIO = 4 / 3;
/** A style sheet that imports itself, or a frame that shows itself, would have no end. */
const MAX_DEPTH = 5;

/** Inlines the styles, scripts, images, fonts, icons, media, and frames of a page that are relative to it. */
export function inlineFiles({ kind, text, file, root = dirname(file) }: PageSource): InlinedPage {
  const inliner = new Inliner(root, MAX_CHARACTERS[kind] - text.length);
  const place = { folder: dirname(file), depth: 0 };
  const inlined = kind === "html" ? inliner.html(text, place) : inliner.markdown(text, place);
  return { text: inlined, files: [...inliner.files], omitted: [...inliner.omitted] };
}

/** Where a text is whose addresses are replaced. */
interface Place {
  readonly folder: string;
  /** How many data: URLs it is in. */
  readonly depth: number;
}

/** The attributes with an address, by the element. */
const addressAttributes: Readonly<Record<string, readonly string[]>> = {
  audio: ["src"],
  body: ["background"],
  embed: ["src"],
  feimage: ["href", "xlink:href"],
  iframe: ["src"],
  image: ["href", "xlink:href"],
  img: ["src"],
  input: ["src"],
  object: ["data"],
  script: ["src"],
  source: ["src"],
  table: ["background"],
  td: ["background"],
  track: ["src"],
  use: ["href", "xlink:href"],
  video: ["src", "poster"],
};

class Inliner {
  readonly files = new Set<string>();
  readonly omitted = new Set<string>();
  readonly #root: string;
  #remainingCharacters: number;

  constructor(root: string, remainingCharacters: number) {
    this.#root = root;
    this.#remainingCharacters = remainingCharacters;
  }

  html(html: string, { folder, depth }: Place): string {
    const base = baseAddress(html);
    if (base !== undefined && !isRelative(base)) return html; // its addresses are those of another place
    const place = { folder: base === undefined ? folder : `${folder}/${base.replace(/[^/]*$/, "")}`, depth };
    const edits: { readonly range: Range; readonly text: string }[] = [];
    for (const tag of startTags(html)) {
      for (const attribute of tag.attributes) {
        const value = this.#attribute(tag, attribute, place);
        if (value !== undefined && value !== attribute.value)
          edits.push({ range: attribute.range, text: `"${value.replaceAll('"', "&quot;")}"` });
      }
      if (tag.text) {
        const text = html.slice(...tag.text);
        if (tag.name === "style") edits.push({ range: tag.text, text: this.#css(text, place) });
        if (tag.name === "script") this.#reportImports(text, tag);
      }
    }
    return applyEdits(html, edits);
  }

  markdown(markdown: string, place: Place): string {
    const withImages = replaceMarkdownImages(markdown, (address) => this.#dataUrl(address, place));
    return this.html(withImages, place);
  }

  /** The new value of an attribute; undefined if it stays. */
  #attribute(tag: StartTag, { name, value }: Attribute, place: Place): string | undefined {
    if (name === "style") return value.includes("url(") ? this.#css(value, place) : undefined;
    if (name === "srcset" || name === "imagesrcset") return this.#srcset(value, place);
    if (name === "integrity" && tag.attributes.some(({ value: address }) => isRelative(address))) return "";
    const hasAddress =
      tag.name === "link" ? name === "href" && isShownLink(tag) : addressAttributes[tag.name]?.includes(name);
    if (!hasAddress) return undefined;
    if (tag.name === "use" && isRelative(value)) {
      this.#omit(value, "browsers take no symbols from data: URLs");
      return undefined;
    }
    return this.#dataUrl(value.trim(), place, tag);
  }

  #srcset(value: string, place: Place): string {
    return value.replaceAll(/(^|,)(\s*)([^\s,]\S*[^\s,]|[^\s,])/g, (_, comma, space, address) => {
      return `${comma}${space}${this.#dataUrl(address, place) ?? address}`;
    });
  }

  #css(css: string, place: Place): string {
    return replaceCssAddresses(css, (address) => this.#dataUrl(address, place));
  }

  /** The file at an address as a data: URL; undefined for another address, and for a file that is left out. */
  #dataUrl(address: string, { folder, depth }: Place, tag?: StartTag): string | undefined {
    if (/^file:/i.test(address)) return this.#omit(address, "a page can't use file: URLs");
    if (!isRelative(address)) return undefined;
    if (depth === MAX_DEPTH) return this.#omit(address, `it is nested more than ${MAX_DEPTH} levels deep`);
    const growth = BASE64_RATIO ** (depth + 1);
    const file = readLocalFile(address, { folder, root: this.#root, maxBytes: this.#remainingCharacters / growth });
    if (typeof file === "string") return this.#omit(address, file);
    this.#remainingCharacters -= Math.ceil(file.bytes.length * growth);
    this.files.add(file.path);
    return toDataUrl(file, this.#content(file, { folder: folderOf(file), depth: depth + 1 }, tag));
  }

  /** The content of a file, with the files that it uses. */
  #content({ mediaType, bytes }: LocalFile, place: Place, tag: StartTag | undefined): Buffer {
    if (mediaType === "text/css") return Buffer.from(this.#css(bytes.toString(), place));
    if (mediaType === "text/html") return Buffer.from(this.html(bytes.toString(), place));
    if (mediaType === "text/javascript" && tag) this.#reportImports(bytes.toString(), tag);
    return bytes;
  }

  /** Modules can't be put into modules: the relative ones that a module imports are left out. */
  #reportImports(script: string, { attributes }: StartTag): void {
    if (!attributes.some(({ name, value }) => name === "type" && value.toLowerCase() === "module")) return;
    for (const [, address = ""] of script.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.{0,2}\/[^"']+)["']/g)) {
      this.#omit(address, "the modules that a module imports aren't sent; bundle them into one file");
    }
  }

  #omit(address: string, reason: string): undefined {
    this.omitted.add(`'${address.slice(0, 200)}' is left out: ${reason}.`);
  }
}

/** Links that change what a page looks like. */
function isShownLink({ attributes }: StartTag): boolean {
  const relations =
    attributes
      .find(({ name }) => name === "rel")
      ?.value.toLowerCase()
      .split(/\s+/) ?? [];
  return relations.some((relation) => ["stylesheet", "icon", "apple-touch-icon", "mask-icon"].includes(relation));
}

function baseAddress(html: string): string | undefined {
  for (const { name, attributes } of startTags(html)) {
    const href = name === "base" ? attributes.find((attribute) => attribute.name === "href") : undefined;
    if (href) return href.value;
  }
  return undefined;
}

function toDataUrl({ mediaType, fragment }: LocalFile, content: Buffer): string {
  const charset = /^text\//.test(mediaType) ? ";charset=utf-8" : "";
  return `data:${mediaType}${charset};base64,${content.toString("base64")}${fragment}`;
}

function applyEdits(text: string, edits: readonly { readonly range: Range; readonly text: string }[]): string {
  let end = 0;
  const parts = edits.map(({ range, text: replacement }) => {
    const kept = text.slice(end, range[0]);
    end = range[1];
    return kept + replacement;
  });
  return parts.join("") + text.slice(end);
}
