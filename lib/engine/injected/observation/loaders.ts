/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads what stands for content that is still loading: spinners, skeletons, progress bars, busy regions, and empty charts.
import { type Area, intersect } from "../../geometry/area.ts";
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

const SPINNER_NAMES =
  /(?<![a-z])(spinner|spinners|loader|loading|preloader|pre-loader|throbber|is-loading|lds-[a-z]+|progress-circular|circular-progress|splash|splash-screen|loading-[a-z]+|[a-z]+-spinner|[a-z]+-loader|spin|spinning|anticon-spin|fa-spin|dot-flashing)(?![a-z])/;
const SKELETON_NAMES =
  /(?<![a-z])(skeleton[a-z-]*|[a-z]+-skeleton[a-z-]*|shimmer[a-z-]*|placeholder|placeholder-(glow|wave)|ghost-(line|card|row|item)|bone|content-loader|content-placeholder[a-z-]*|react-loading-skeleton|loading-placeholder|animate-pulse|ph-item|ssc-[a-z]+)(?![a-z])/;
const CHART_NAMES =
  /(?<![a-z])(chart|charts|graph|plot|sparkline|histogram|heatmap|[a-z]+-chart|chart-[a-z]+|graph-[a-z]+|apexcharts[a-z-]*|echarts|highcharts[a-z-]*|recharts[a-z-]*|uplot|plotly|vega-embed)(?![a-z])/;
const LOADER_IMAGES = /(?<![a-z])(loading|loader|spinner|ajax-loader|preloader)(?![a-z])/;

/** An element stands for content only where it has a few words at most, such as "Loading data". */
const MAX_OWN_WORDS = 8;
const MAX_REGION_WORDS = 12;
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
  const loading = texts.filter(({ at, text, words }) => at.shown && words <= MAX_OWN_WORDS && isLoadingText(text));
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

function loaderKind(each: SeenElement): LoaderKind | undefined {
  const { element, style, name, shown, words } = each;
  if (!shown) return undefined;
  const { width, height } = shown;
  if (element.getAttribute("aria-busy") === "true" && width * height > 2_000 && words <= 30) return "busy";
  if (isIndeterminate(element)) return "progress";
  if (element.matches("button, a, nav, code, pre, input, label, h1, h2, h3, h4, li > code")) return undefined;
  const ownName = name.replace(/https?:\S+|data:\S+/g, "");
  const isEmpty = words <= MAX_OWN_WORDS;
  if (element.localName === "img") return LOADER_IMAGES.test(name) && width <= 300 ? "spinner" : undefined;
  const isMoving = style.animationName !== "none" && style.animationIterationCount.includes("infinite");
  if (isEmpty && SKELETON_NAMES.test(ownName) && isPlaceholder(each)) return "skeleton";
  if (isEmpty && isMoving && words === 0 && width >= 60 && height >= 8 && isTinted(each) && !isRound(each))
    return "skeleton";
  if (isEmpty && SPINNER_NAMES.test(ownName) && !isHuge(shown) && isPaintedLoader(each)) return "spinner";
  if (isMoving && words === 0 && isSpinning(each)) return "spinner";
  if (element.localName === "svg" && isAnimatedDrawing(element) && width <= 300) return "spinner";
  const isChart = CHART_NAMES.test(ownName.slice(0, 200));
  if (isChart && width >= MIN_CHART.width && height >= MIN_CHART.height && words <= 3 && isWithoutMarks(each))
    return "chart";
  return undefined;
}

function isIndeterminate(element: Element): boolean {
  if (element.localName === "progress") return !element.hasAttribute("value");
  if (element.getAttribute("role") !== "progressbar") return false;
  return !element.hasAttribute("aria-valuenow") && !element.hasAttribute("aria-valuetext");
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
  if (canvas.width === 0 || canvas.height === 0) return true;
  try {
    const small = new OffscreenCanvas(32, 32);
    const context = small.getContext("2d");
    if (!context) return false;
    context.drawImage(canvas, 0, 0, 32, 32);
    return context.getImageData(0, 0, 32, 32).data.every((value) => value === 0);
  } catch {
    return false;
  }
}

/** The part of the page around a loader that shows nothing but loaders. */
function emptyRegion(at: SeenElement, loaderWords: ReadonlyMap<SeenElement, number>): Area {
  let region = at;
  for (let around = at.parent; around; around = around.parent) {
    if (region === region.layer || around.parent === undefined) break;
    const others = around.words - (loaderWords.get(around) ?? 0);
    const isEmpty = others <= Math.min(MAX_REGION_WORDS, 2) && around.replaced - region.replaced <= 0;
    if (!isEmpty) break;
    region = around;
  }
  const page = { x: 0, y: 0, width: 1e6, height: 1e6 };
  return region.shown ? (intersect(region.shown, page) ?? region.shown) : region.box;
}
