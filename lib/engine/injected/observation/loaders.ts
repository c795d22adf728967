/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads what stands for content that is still loading: spinners, skeletons, progress bars, busy regions, and empty charts.
import { type Area, intersect } from "../../geometry/area.ts";
import { colourAlpha } from "../dom/appearance.ts";
import { queryAll } from "../dom/shadow-roots.ts";
import type { SeenText } from "./texts.ts";
import { isIn, type SeenElement } from "./walk.ts";

export type LoaderKind = "spinner" | "skeleton" | "progress" | "busy" | "text" | "chart";

export interface SeenLoader {
  readonly at: SeenElement;
  readonly kind: LoaderKind;
  /** The largest part of the page around it that shows nothing else. */
  readonly region: Area;
  readonly text: string;
}

const MAX_LOADERS = 200;
/** Parts of a progress bar that are looked at. */
const MAX_PARTS = 20;

const SPINNER_NAMES =
  /(?<![a-z])(spinner|spinners|loader|loading|preloader|pre-loader|throbber|is-loading|lds-[a-z]+|progress-circular|circular-progress|splash|splash-screen|loading-[a-z]+|[a-z]+-spinner|[a-z]+-loader|spin|spinning|anticon-spin|fa-spin|dot-flashing)(?![a-z])/;
const SKELETON_NAMES =
  /(?<![a-z])(skeleton[a-z-]*|[a-z]+-skeleton[a-z-]*|shimmer[a-z-]*|placeholder|placeholder-(glow|wave)|ghost-(line|card|row|item)|bone|content-loader|content-placeholder[a-z-]*|react-loading-skeleton|loading-placeholder|animate-pulse|ph-item|ssc-[a-z]+)(?![a-z])/;
const CHART_NAMES =
  /(?<![a-z])(chart|charts|graph|plot|sparkline|histogram|heatmap|[a-z]+-chart|chart-[a-z]+|graph-[a-z]+|apexcharts[a-z-]*|echarts|highcharts[a-z-]*|recharts[a-z-]*|uplot|plotly|vega-embed)(?![a-z])/;
const CHART_PARTS = /legend|tooltip|title|toolbar|menu|label|annotation|grid|axis|marker|control|filter|caption/;
const LOADER_IMAGES = /(?<![a-z])(loading|loader|spinner|ajax-loader|preloader)(?![a-z])/;

/** An element stands for content only where it has a few words at most, such as "Loading data". */
const MAX_OWN_WORDS = 8;
const MAX_REGION_WORDS = 12;
/** Canvases are looked at as squares of so many pixels. Axes and their labels cover little of one, and are nearly grey. */
const SAMPLE_SIDE = 48;
const MAX_AXES_SHARE = 0.12;
const MAX_GREY_RANGE = 60;
/** Bars and thick lines fill pixels of the square; lines of a grid, and labels, hardly do. */
const DENSE_ALPHA = 160;
const MAX_DENSE = 4;
/** A splash screen has at most so many words and elements. A few of them move, and each of these is small. */
const MAX_SPLASH = { words: 8, elements: 60, moving: 12, movingShare: 0.06 };
const MIN_CHART = { width: 140, height: 80 };

/** `isLoadingText` tells the texts that say that something loads. */
export function readLoaders(
  seen: readonly SeenElement[],
  texts: readonly SeenText[],
  isLoadingText: (text: string) => boolean,
): SeenLoader[] {
  const found = new Map<SeenElement, LoaderKind>();
  const isFound = (each: SeenElement) => {
    for (let around: SeenElement | undefined = each; around; around = around.parent) if (found.has(around)) return true;
    return false;
  };
  for (const each of seen) {
    if (found.size >= MAX_LOADERS) break;
    if (!each.shown || !each.isVisible || isFound(each)) continue;
    const kind = loaderKind(each);
    if (kind) found.set(each, kind);
  }
  addPlaceholders(seen, found, isFound);
  addAxesWithoutMarks(seen, found, isFound);
  addSplash(seen, texts, found);
  const loading = texts.filter(
    ({ at, text, words }) =>
      at.shown &&
      !at.isEdge &&
      words <= MAX_OWN_WORDS &&
      isLoadingText(text) &&
      !at.element.closest("a, button, label"),
  );
  for (const { at } of loading) if (!isFound(at)) found.set(at, "text");
  const loaderWords = new Map<SeenElement, number>();
  for (const { at, words } of loading) {
    for (let around: SeenElement | undefined = at; around; around = around.parent)
      loaderWords.set(around, (loaderWords.get(around) ?? 0) + words);
  }
  return [...found].map(([at, kind]) => ({
    at,
    kind,
    region: emptyRegion(at, loaderWords),
    text: loading.find((text) => isIn(at, text.at))?.text ?? "",
  }));
}

/** Blocks of one grey in place of texts, with any names: pulsing ones from three on, still ones from six. */
function addPlaceholders(
  seen: readonly SeenElement[],
  found: Map<SeenElement, LoaderKind>,
  isFound: (each: SeenElement) => boolean,
): void {
  const groups = Map.groupBy(
    seen.filter((each) => isBlock(each) && !isFound(each)),
    ({ style }) => `${style.backgroundColor} ${style.backgroundImage !== "none"} ${style.animationName}`,
  );
  for (const blocks of groups.values()) {
    const [first] = blocks;
    const isMoving = first !== undefined && isAnimated(first.style);
    if (blocks.length < (isMoving ? 3 : 6)) continue;
    for (const each of blocks.slice(0, MAX_LOADERS)) found.set(each, "skeleton");
  }
}

function isBlock({ element, style, box, shown, isVisible, isEdge, words, replaced, position }: SeenElement): boolean {
  if (!shown || !isVisible || isEdge || words > 0 || replaced > 0 || element.childElementCount > 0) return false;
  if (box.width < 40 || box.height < 8 || box.height > 600 || position === "fixed" || position === "absolute")
    return false;
  if (element.textContent?.trim()) return false; // the text of an inline element is that of its block
  if (!(element instanceof HTMLElement) || element.closest("button, a, label, [role=button]") !== null) return false;
  if (isAnimated(style)) return colourAlpha(style.backgroundColor) > 0.03 || style.backgroundImage.includes("gradient");
  return style.backgroundImage === "none" && isPlainGrey(style.backgroundColor) && box.height <= 400;
}

function isAnimated({ animationName, animationIterationCount }: CSSStyleDeclaration): boolean {
  return animationName !== "none" && animationIterationCount.includes("infinite");
}

/** True for a visible colour without a hue. */
function isPlainGrey(colour: string): boolean {
  const channels = /^rgba?\((\d+), (\d+), (\d+)/.exec(colour)?.slice(1).map(Number) ?? [];
  const alpha = colourAlpha(colour);
  return alpha > 0.03 && channels.length === 3 && Math.max(...channels) - Math.min(...channels) <= 24;
}

/** Charts that have drawn their axes and lines, all of them grey and thin, but no marks: from two on. */
function addAxesWithoutMarks(
  seen: readonly SeenElement[],
  found: Map<SeenElement, LoaderKind>,
  isFound: (each: SeenElement) => boolean,
): void {
  const charts = seen.filter(({ element, shown, isVisible, position }) => {
    const isLarge = shown && shown.width >= MIN_CHART.width && shown.height >= MIN_CHART.height;
    return isLarge && isVisible && element.localName === "canvas" && position !== "absolute" && position !== "fixed";
  });
  const empty = charts.filter(({ element }) => hasAxesAtMost(element as HTMLCanvasElement));
  if (empty.length < 2) return;
  for (const each of empty) if (!isFound(each)) found.set(each, "chart");
}

/** A page that shows a name or a picture, and something small that moves, and nothing else yet. */
function addSplash(
  seen: readonly SeenElement[],
  texts: readonly SeenText[],
  found: Map<SeenElement, LoaderKind>,
): void {
  const words = texts.reduce((sum, { at, words }) => sum + (at.shown ? words : 0), 0);
  const shown = seen.filter((each) => each.shown && each.isVisible);
  const media = shown.filter(({ element }) => /^(img|video|canvas|iframe)$/.test(element.localName));
  if (found.size > 0 || words > MAX_SPLASH.words || media.length > 1 || shown.length > MAX_SPLASH.elements) return;
  const view = window.innerWidth * window.innerHeight;
  const moving = shown.filter(({ element, style, shown }) => {
    const area = shown ? shown.width * shown.height : 0;
    const isMoving = isAnimated(style) || isIndeterminate(element);
    return isMoving && area > 0 && area < MAX_SPLASH.movingShare * view;
  });
  if (moving[0] && moving.length <= MAX_SPLASH.moving) found.set(moving[0], "spinner");
}

function loaderKind(each: SeenElement): LoaderKind | undefined {
  const { element, style, name, shown, words } = each;
  if (!shown) return undefined;
  const { width, height } = shown;
  if (element.getAttribute("aria-busy") === "true" && width * height > 2_000 && words <= 30) return "busy";
  if (isIndeterminate(element)) return "progress";
  if (element.matches("button, a, nav, code, pre, input, label, h1, h2, h3, h4, li > code")) return undefined;
  if (name === "" && style.animationName === "none" && element.localName !== "svg") return undefined;
  if (each.display.startsWith("inline") && element.textContent?.trim()) return undefined;
  const ownName = name.replace(/https?:\S+|data:\S+/g, "");
  const isEmpty = words <= MAX_OWN_WORDS;
  if (element.localName === "img") return LOADER_IMAGES.test(name) && width <= 300 ? "spinner" : undefined;
  const isMoving = style.animationName !== "none" && style.animationIterationCount.includes("infinite");
  if (isEmpty && SKELETON_NAMES.test(ownName) && isPlaceholder(each)) return "skeleton";
  const isInFlow = each.position !== "absolute" && each.position !== "fixed";
  if (isInFlow && isEmpty && isMoving && words === 0 && width >= 60 && height >= 8 && isTinted(each) && !isRound(each))
    return "skeleton";
  if (isEmpty && SPINNER_NAMES.test(ownName) && !isHuge(shown) && isPaintedLoader(each)) return "spinner";
  if (isMoving && words === 0 && isSpinning(each)) return "spinner";
  if (element.localName === "svg" && isAnimatedDrawing(element) && width <= 300) return "spinner";
  const isLarge = width >= MIN_CHART.width && height >= MIN_CHART.height;
  return isLarge && words <= 3 && isChartName(each) && isWithoutMarks(wholeChart(each)) ? "chart" : undefined;
}

/** Groups and lines in a drawing have such names, too. */
function isChartName({ element, name }: SeenElement): boolean {
  const isPartOfDrawing = element instanceof SVGElement && element.localName !== "svg";
  const own = name.replace(/https?:\S+|data:\S+/g, "").slice(0, 200);
  return !isPartOfDrawing && CHART_NAMES.test(own) && !CHART_PARTS.test(own);
}

/** The chart that an element belongs to: a plot area, a legend, or a tooltip without marks is a part of one with marks. */
function wholeChart(part: SeenElement): SeenElement {
  let whole = part;
  for (let around = part.parent; around?.parent; around = around.parent) {
    const isSameSize = around.box.width <= 2 * part.box.width && around.box.height <= 2 * part.box.height;
    if (isSameSize && isChartName(around)) whole = around;
  }
  return whole;
}

/** A bar of unknown progress moves, and has no length of its own; one that stands still is a figure. */
function isIndeterminate(element: Element): boolean {
  if (element.localName === "progress") return !element.hasAttribute("value");
  if (element.getAttribute("role") !== "progressbar") return false;
  if (element.hasAttribute("aria-valuenow") || element.hasAttribute("aria-valuetext")) return false;
  if (/(?:^|[;\s])(?:width|height|inline-size|--[\w-]+)\s*:/.test(element.getAttribute("style") ?? ""))
    return hasMovingPart(element);
  return isMovingAtAll(element) || hasMovingPart(element);
}

/** True where something in the element moves without an end. */
function hasMovingPart(element: Element): boolean {
  const inner = Element.prototype.querySelectorAll.call(element, "*") as NodeListOf<Element>;
  return [...inner].slice(0, MAX_PARTS).some(isMovingAtAll);
}

function isMovingAtAll(element: Element): boolean {
  return ["", ":before", ":after"].some((pseudo) => isAnimated(getComputedStyle(element, pseudo)));
}

function isPlaceholder({ element, words, replaced }: SeenElement): boolean {
  return words === 0 && replaced === 0 && !element.matches("input, textarea, [contenteditable]");
}

function isTinted({ style }: SeenElement): boolean {
  return (
    style.backgroundImage.includes("gradient") ||
    (style.backgroundColor !== "rgba(0, 0, 0, 0)" &&
      /pulse|shimmer|skeleton|wave|glow|loading|fade|placeholder/i.test(style.animationName))
  );
}

function isRound({ style, box }: SeenElement): boolean {
  return Number.parseFloat(style.borderTopLeftRadius) >= Math.min(box.width, box.height) / 2 && box.width < 120;
}

/** A named spinner paints something: itself, or what is in it. */
function isPaintedLoader({ style, element, shown, words }: SeenElement): boolean {
  if (!shown || shown.width < 6 || shown.height < 2) return false;
  const isSelf = style.borderTopWidth !== "0px" || style.animationName !== "none" || style.backgroundImage !== "none";
  const view = element.ownerDocument.defaultView;
  const pseudo = [":before", ":after"].some((each) => view && view.getComputedStyle(element, each).content !== "none");
  return isSelf || words > 0 || pseudo || element.childElementCount > 0;
}

function isHuge({ width, height }: Area): boolean {
  return height > 3 * window.innerHeight || width > 2 * window.innerWidth;
}

/** A small thing that turns: by its name, by the name of its animation, or as a ring. */
function isSpinning({ style, box, name }: SeenElement): boolean {
  if (box.width > 220 || box.height > 220 || box.width < 6) return false;
  const isSquare = Math.abs(box.width - box.height) <= 0.25 * Math.max(box.width, box.height);
  const isRing =
    style.borderTopLeftRadius.endsWith("%") || Number.parseFloat(style.borderTopLeftRadius) >= box.width / 2 - 1;
  return (
    /spin|rotat|load|turn|circ|orbit|dash/i.test(style.animationName) ||
    SPINNER_NAMES.test(name) ||
    (isSquare && isRing && style.borderTopWidth !== "0px")
  );
}

function isAnimatedDrawing(element: Element): boolean {
  const animated = Element.prototype.querySelector.call(
    element,
    "animateTransform[repeatCount=indefinite], animate[repeatCount=indefinite]",
  );
  return animated !== null;
}

/** A chart has drawn nothing: it has no shapes, and its canvas is transparent. */
function isWithoutMarks({ element, replaced }: SeenElement): boolean {
  if (element.localName === "canvas") return isTransparent(element as HTMLCanvasElement);
  const inner = (selector: string) => [
    ...(Element.prototype.querySelectorAll.call(element, selector) as NodeListOf<Element>),
  ];
  const shapes = inner(
    "path[d], rect, circle, line, polyline, polygon, text, image, use, img, video, iframe, table, li, [style*=height], [style*=width]",
  );
  if (shapes.some((shape) => shape.getBoundingClientRect().width > 0)) return false;
  const canvases = inner("canvas") as HTMLCanvasElement[];
  if (canvases.length > 0) return canvases.every(isTransparent);
  const isDrawn = getComputedStyle(element).backgroundImage !== "none";
  return !isDrawn && replaced <= inner("svg").length && queryAll(document, "script").length > 0;
}

/** Sampled: a canvas of another origin, or of WebGL, counts as drawn. */
function isTransparent(canvas: HTMLCanvasElement): boolean {
  return sample(canvas)?.every((value) => value === 0) ?? false;
}

/** True for a canvas with a few thin grey lines and labels, or with nothing. */
function hasAxesAtMost(canvas: HTMLCanvasElement): boolean {
  const pixels = sample(canvas);
  if (!pixels) return false;
  let covered = 0;
  let dense = 0;
  for (let index = 0; index < pixels.length; index += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.slice(index, index + 4);
    covered += alpha / 255;
    if (alpha > DENSE_ALPHA && ++dense > MAX_DENSE) return false;
    if (alpha > 40 && Math.max(red, green, blue) - Math.min(red, green, blue) > MAX_GREY_RANGE) return false;
  }
  return covered < MAX_AXES_SHARE * (pixels.length / 4);
}

/** The pixels of a canvas, reduced to a small square; empty for one without pixels, undefined for one that cannot be read. */
function sample(canvas: HTMLCanvasElement): Uint8ClampedArray | undefined {
  if (canvas.width === 0 || canvas.height === 0) return new Uint8ClampedArray();
  try {
    const context = new OffscreenCanvas(SAMPLE_SIDE, SAMPLE_SIDE).getContext("2d");
    context?.drawImage(canvas, 0, 0, SAMPLE_SIDE, SAMPLE_SIDE);
    return context?.getImageData(0, 0, SAMPLE_SIDE, SAMPLE_SIDE).data;
  } catch {
    return undefined;
  }
}

/** The part of the page around a loader that shows nothing but loaders. */
function emptyRegion(at: SeenElement, loaderWords: ReadonlyMap<SeenElement, number>): Area {
  let region = at;
  for (let around = at.parent; around; around = around.parent) {
    if (region === region.layer || around.parent === undefined) break;
    const others = around.words - (loaderWords.get(around) ?? 0);
    // The content that the visitor waits for is next to the loader.
    const isEmpty = others <= MAX_REGION_WORDS && around.replaced - region.replaced <= 0;
    if (!isEmpty) break;
    region = around;
  }
  const page = { x: 0, y: 0, width: 1e6, height: 1e6 };
  return region.shown ? (intersect(region.shown, page) ?? region.shown) : region.box;
}
