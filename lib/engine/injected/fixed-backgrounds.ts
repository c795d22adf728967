/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Fixed backgrounds (`background-attachment: fixed`) in a picture of the whole page: Chromium paints them in the window only.
import type { Declarations } from "./changes/journal.ts";
import { type MeasuredChange, tryEachChange } from "./changes/measured-change.ts";
import { containingBlock } from "./dom/containing-block.ts";
import { delay, scrollingElement } from "./dom/document.ts";
import { findPseudoElements, type PseudoElement, stylePseudoElements } from "./dom/pseudo-elements.ts";
import { queryAllRoots } from "./dom/shadow-roots.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** An element, or a pseudo-element of it, that has a fixed background. */
interface Background {
  readonly element: Element;
  readonly pseudoElement?: PseudoElement;
  readonly style: CSSStyleDeclaration;
}

/**
 * Makes fixed backgrounds scroll with their elements, each as it looks when its element is in the middle of the window.
 * Elements that are wholly in the window stay as they are. In an element that is taller than the window, an image is
 * repeated downwards and a gradient spans the element. Waits for the sizes of images, at most `capMs`.
 */
export async function releaseFixedBackgrounds(capMs: number): Promise<void> {
  const found = findFixedBackgrounds().filter(({ element }) => !isContained(element));
  if (found.length === 0) return;
  const layers = found.flatMap(({ style }) => splitLayers(style.backgroundImage));
  const sizes = await imageSizes(layers, capMs);
  const released = found.flatMap((background) => {
    const declarations = scrollingStyles(background, sizes);
    return declarations ? [{ background, declarations }] : [];
  });
  tryEachChange(released, release);
}

function release(released: readonly { readonly background: Background; readonly declarations: Declarations }[]) {
  const change: MeasuredChange = {
    apply: (journal) => {
      const ofPseudoElements = new Map<PseudoElement, Declarations>();
      for (const { background, declarations } of released) {
        const { element, pseudoElement } = background;
        if (pseudoElement) ofPseudoElements.set(pseudoElement, declarations);
        else journal.setStyle(element, declarations);
      }
      stylePseudoElements(journal, ofPseudoElements);
    },
    hasWorked: () => released.every(({ background: { style } }) => !style.backgroundAttachment.includes("fixed")),
    explains: () => false,
    mayGrowPage: false,
    detail: "boxes",
  };
  return change;
}

function findFixedBackgrounds(): Background[] {
  const isFixed = ({ backgroundAttachment, backgroundImage }: CSSStyleDeclaration) =>
    backgroundAttachment.includes("fixed") && backgroundImage !== "none";
  const elements = queryAllRoots<Element>("*").map((element) => ({ element, style: getComputedStyle(element) }));
  const pseudoElements = findPseudoElements(isFixed).map((pseudoElement) => ({
    element: pseudoElement.element,
    pseudoElement,
    style: getComputedStyle(pseudoElement.element, pseudoElement.name),
  }));
  return [...elements.filter(({ style }) => isFixed(style)), ...pseudoElements];
}

/** Inside a containing block of fixed elements, Chromium itself makes the backgrounds scroll. */
function isContained(element: Element): boolean {
  for (let each: Element | null = element; each && each !== document.documentElement; each = each.parentElement) {
    const { transform, perspective, filter, willChange } = getComputedStyle(each);
    if ([transform, perspective, filter].some((value) => value !== "none") || willChange.includes("transform"))
      return true;
  }
  return false;
}

/** The values of a comma-separated list; commas in brackets and quotes do not separate. */
function splitLayers(list: string): string[] {
  return list.match(/(?:\((?:[^()"]|"[^"]*"|\((?:[^()]|\([^()]*\))*\))*\)|"[^"]*"|[^,(])+/g) ?? [];
}

/** The natural sizes of the images among the layers that load within `capMs`. */
async function imageSizes(layers: readonly string[], capMs: number): Promise<ReadonlyMap<string, Size>> {
  const cap = delay(capMs);
  const sizes = new Map<string, Size>();
  const load = async (layer: string) => {
    const [, address] = /^\s*url\("(.*)"\)\s*$/.exec(layer) ?? [];
    if (address === undefined) return;
    const image = new Image();
    image.src = address.replace(/\\(.)/g, "$1");
    await Promise.race([image.decode().catch(() => undefined), cap]);
    if (image.naturalWidth > 0 && image.naturalHeight > 0) {
      sizes.set(layer, { width: image.naturalWidth, height: image.naturalHeight });
    }
  };
  await Promise.all([...new Set(layers)].map(load));
  return sizes;
}

/** The size of a layer in an area as large as the window; undefined for a `calc()` size. */
function layerSize(size: string, area: Size, natural: Size | undefined): Size | undefined {
  if (size === "cover" || size === "contain" || size === "auto") {
    if (!natural) return area;
    const scales = [area.width / natural.width, area.height / natural.height];
    const scale = size === "auto" ? 1 : size === "cover" ? Math.max(...scales) : Math.min(...scales);
    return { width: natural.width * scale, height: natural.height * scale };
  }
  const [first = "auto", second = "auto"] = size.split(" ");
  const length = (value: string, whole: number) => {
    const [, number, unit] = /^([\d.]+)(px|%)$/.exec(value) ?? [];
    return number === undefined ? undefined : Number(number) * (unit === "%" ? whole / 100 : 1);
  };
  if ([first, second].some((value) => value.includes("calc"))) return undefined;
  const [width, height] = [length(first, area.width), length(second, area.height)];
  const ratio = natural ? natural.width / natural.height : undefined;
  return {
    width: width ?? (ratio && height ? height * ratio : area.width),
    height: height ?? (ratio && width ? width / ratio : area.height),
  };
}

/** Background properties with which a fixed background scrolls; undefined for one that is wholly in the window. */
function scrollingStyles(background: Background, sizes: ReadonlyMap<string, Size>): Declarations | undefined {
  const { element, style } = background;
  // All lengths are in pixels of the element, which can be zoomed.
  const zoom = element.currentCSSZoom;
  const area = { width: window.innerWidth / zoom, height: window.innerHeight / zoom };
  const [scrollX, scrollY] = [window.scrollX / zoom, window.scrollY / zoom];
  const pageHeight = scrollingElement().scrollHeight / zoom;
  // The background of the body is painted on the canvas of the page when the root element has none.
  const isPages =
    !background.pseudoElement &&
    element === document.body &&
    getComputedStyle(document.documentElement).backgroundImage === "none";
  const isWhole = isPages || (!background.pseudoElement && element === document.documentElement);
  const box = isPages ? document.documentElement.getBoundingClientRect() : boxOf(background);
  const [left, top, height] = [box.left / zoom, box.top / zoom, box.height / zoom];
  if (!isWhole && top >= 0 && top + height <= area.height) return undefined;
  const isTall = isWhole ? pageHeight > area.height : height > area.height;
  // The scroll offset at which the element is in the middle of the window.
  const wanted = top + scrollY - (isTall ? 0 : (area.height - height) / 2);
  const scrolled = Math.max(0, Math.min(wanted, pageHeight - area.height));
  const [fromLeft, fromTop] = [left + scrollX, isTall ? 0 : top + scrollY - scrolled];

  const images = splitLayers(style.backgroundImage);
  const listed = (list: string) => {
    const values = splitLayers(list).map((value) => value.trim());
    return images.map((_, index) => values[index % values.length] ?? "");
  };
  const values = {
    attachment: listed(style.backgroundAttachment),
    size: listed(style.backgroundSize),
    origin: listed(style.backgroundOrigin),
    repeat: listed(style.backgroundRepeat),
    "position-x": listed(style.backgroundPositionX),
    "position-y": listed(style.backgroundPositionY),
  };
  for (const [index, image] of images.entries()) {
    if (values.attachment[index] !== "fixed") continue;
    values.attachment[index] = "scroll";
    const size = values.size[index] ?? "auto";
    const shown = layerSize(size, area, sizes.get(image));
    const isStretched = isTall && !sizes.has(image) && /^(auto|cover|contain)$/.test(size);
    if (!shown || isStretched) continue;
    const place = (position: string, rest: number, from: number) =>
      `calc(${position.replace(/(-?\d{1,9}(?:\.\d{1,9})?)%/g, (_, share) => `${(Number(share) / 100) * rest}px`)} - ${from}px)`;
    values["position-x"][index] = place(values["position-x"][index] ?? "0%", area.width - shown.width, fromLeft);
    values["position-y"][index] = place(values["position-y"][index] ?? "0%", area.height - shown.height, fromTop);
    values.size[index] = `${shown.width}px ${shown.height}px`;
    values.origin[index] = "border-box";
    const isCover = shown.height >= area.height - 1 / zoom;
    if (isTall && isCover && values.repeat[index] === "no-repeat") values.repeat[index] = "repeat-y";
  }
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [`background-${name}`, list.join(", ")]));
}

/** The border box in the window: of a pseudo-element, as its used insets say, else that of its element. */
function boxOf({ element, pseudoElement, style }: Background): Pick<DOMRect, "left" | "top" | "height"> {
  const { position } = style;
  const around = element.getBoundingClientRect();
  if (!pseudoElement) return around;
  const zoom = element.currentCSSZoom;
  const length = (...values: string[]) =>
    values.reduce((sum, value) => sum + (Number.parseFloat(value) || 0), 0) * zoom;
  const sides = [style.paddingTop, style.paddingBottom, style.borderTopWidth, style.borderBottomWidth];
  const height = length(style.height, ...(style.boxSizing === "border-box" ? [] : sides));
  if (!/^\d/.test(style.height)) return around;
  if (position === "absolute" || position === "fixed") {
    const block = containingBlock(element, position);
    const outer = block?.getBoundingClientRect() ?? { left: 0, top: position === "fixed" ? 0 : -window.scrollY };
    const [left, top] = [length(style.left, style.marginLeft), length(style.top, style.marginTop)];
    return { left: outer.left + left, top: outer.top + top, height };
  }
  const outer = getComputedStyle(element);
  const start = around.top + length(outer.borderTopWidth, outer.paddingTop);
  const end = around.bottom - length(outer.borderBottomWidth, outer.paddingBottom) - height;
  const left = around.left + length(outer.borderLeftWidth, outer.paddingLeft);
  return { left, top: pseudoElement.name === "::after" ? end : start, height };
}
