/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads the images of the page: whether each is there, and the addresses of those that only the network can tell about.
import type { Area } from "../../geometry/area.ts";
import { readProperty } from "../dom/read-property.ts";
import type { SeenElement } from "./walk.ts";

export type ImageState = "shown" | "failed" | "pending" | "unknown";

export interface SeenImage {
  readonly at: SeenElement;
  readonly area: Area;
  /** `unknown` for backgrounds, posters and images in SVG: Chromium does not say. */
  readonly state: ImageState;
  readonly url: string;
}

/** An image that has failed and has no size of its own takes about this much, in CSS pixels. */
const UNSIZED = { width: 120, height: 90 };

/** Smaller ones count visitors, or are dots. */
const MIN_SIDE = 16;
const MIN_BACKGROUND_SIDE = 40;

const LAZY_ATTRIBUTES = [
  "data-src",
  "data-lazy",
  "data-lazy-src",
  "data-original",
  "data-srcset",
  "data-url",
  "data-bg",
];

export function readImages(seen: readonly SeenElement[]): SeenImage[] {
  const images = seen.flatMap((each) => readImage(each) ?? []);
  // An image that has failed, and has no size of its own, lacks as much as the images next to it.
  const shown = images.filter(({ state }) => state === "shown").map(({ area }) => area);
  const typical = shown.toSorted((one, other) => one.width * one.height - other.width * other.height)[
    Math.floor(shown.length / 2)
  ];
  if (!typical || shown.length < 2) return images;
  return images.map((image) => {
    const { area, at } = image;
    const isUnsized = area.width === UNSIZED.width && area.height === UNSIZED.height && !isSized(at);
    return isUnsized ? { ...image, area: { ...area, width: typical.width, height: typical.height } } : image;
  });
}

function readImage(at: SeenElement): SeenImage | undefined {
  const { element, isVisible, style } = at;
  // Style sheets hide images until they have an address.
  if (!isVisible && !(element.localName === "img" && !element.hasAttribute("src"))) return undefined;
  if (element.localName === "img") return readImg(at, element as HTMLImageElement);
  const area = at.shown;
  if (!area || area.width < MIN_BACKGROUND_SIDE || area.height < MIN_BACKGROUND_SIDE) return undefined;
  const address = element.localName === "image" ? element.getAttribute("href") : element.getAttribute("poster");
  const isPoster = element.localName === "video" && address !== null;
  if (element.localName === "image" || isPoster)
    return address ? { at, area, state: "unknown", url: absolute(address, element) } : undefined;
  const background = /url\("((?!data:)[^"]+)"\)/.exec(style.backgroundImage)?.[1];
  if (background !== undefined) return { at, area, state: "unknown", url: background };
  // Such an element gets its background once it is in view.
  const lazy = element.getAttribute("data-bg") ?? element.getAttribute("data-background-image");
  const isEmpty = style.backgroundImage === "none" && at.words === 0;
  return lazy && isEmpty ? { at, area, state: "pending", url: absolute(lazy, element) } : undefined;
}

function readImg(at: SeenElement, image: HTMLImageElement): SeenImage | undefined {
  const own = at.box;
  const given = [image.getAttribute("width"), image.getAttribute("height")].map((value) =>
    Number.parseInt(value ?? "", 10),
  );
  if (given.some((side) => side <= 3)) return undefined;
  const lazy = LAZY_ATTRIBUTES.map((name) => image.getAttribute(name)).find((value) => value);
  const source = image.currentSrc || image.getAttribute("src") || "";
  const isPlaceholder = image.naturalWidth <= 4 || source === "" || source.startsWith("data:");
  const url = absolute((isPlaceholder && lazy) || source, image);
  const state = imageState(image, source, isPlaceholder && lazy !== undefined);
  if (state === "unknown") return undefined;
  const isSized = own.width >= MIN_SIDE && own.height >= MIN_SIDE;
  if (!isSized && (state === "shown" || isCounter(url) || (own.width > 0 && own.width <= 3))) return undefined;
  // A broken image without a size is as large as its symbol, or as its alternative text.
  const isCollapsed = state === "failed" && (own.height < 40 || own.width < 40) && !hasStyledSize(at);
  const [width = Number.NaN, height = Number.NaN] = given;
  const lacking = width > 0 && height > 0 ? { width, height } : UNSIZED;
  const area = isCollapsed ? { ...own, ...lacking } : at.shown;
  return area && { at, area, state, url };
}

/** True where the attributes of an image say how large it is. */
function isSized({ element }: SeenElement): boolean {
  return element.hasAttribute("width") && element.hasAttribute("height");
}

function imageState(image: HTMLImageElement, source: string, isLazy: boolean): ImageState {
  if (isLazy) return "pending";
  if (source === "") return "unknown";
  if (!readProperty(HTMLImageElement.prototype, "complete", image)) return "pending";
  const isVector = /\.svg(?:$|[?#])|^data:image\/svg/i.test(source);
  return readProperty(HTMLImageElement.prototype, "naturalWidth", image) > 0 ||
    (isVector && image.width > 0 && image.naturalHeight > 0)
    ? "shown"
    : "failed";
}

/** True where a style gives a broken image a size: then its box is what the picture lacks. */
function hasStyledSize({ style, box }: SeenElement): boolean {
  return (
    style.objectFit !== "fill" ||
    style.aspectRatio !== "auto" ||
    (box.width >= MIN_SIDE && box.height >= MIN_SIDE && box.width !== box.height && box.width < 40)
  );
}

function isCounter(url: string): boolean {
  return /pixel|track|beacon|collect|counter|analytics|\/px|1x1/i.test(url);
}

function absolute(url: string, { ownerDocument }: Element): string {
  return URL.parse(url, ownerDocument.baseURI)?.href ?? url;
}
