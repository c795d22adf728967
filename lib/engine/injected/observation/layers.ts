/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads what lies above the page: dialogs, banners, chats, and the backdrops behind them.
import { type Area, intersect } from "../../geometry/area.ts";
import { colourAlpha } from "../dom/appearance.ts";
import type { SeenText } from "./texts.ts";
import { controlLabel, isControl, isField } from "./texts.ts";
import { areaWindowShare, isIn, type SeenElement } from "./walk.ts";

export interface SeenLayer {
  readonly at: SeenElement;
  readonly area: Area;
  readonly share: number;
  readonly text: string;
  /** Labels of its buttons and links. */
  readonly labels: readonly string[];
  readonly links: number;
  readonly fields: number;
  readonly hasMedia: boolean;
  readonly hasLandmarks: boolean;
  readonly isDialog: boolean;
  readonly isModal: boolean;
  /** Covers the window with a translucent colour, and contains nothing. */
  readonly isBackdrop: boolean;
  /** Words of the page beneath it. */
  readonly coveredWords: number;
  /** Images, canvases, videos and frames of the page beneath it. */
  readonly coveredMedia: number;
}

const MAX_LAYERS = 40;
const MAX_TEXT = 800;
const MAX_LABELS = 24;
const LANDMARKS = "main, nav, [role=main], [role=navigation], header[class*=nav]";
const DIALOGS = "dialog, [role=dialog], [role=alertdialog], [aria-modal=true], [popover]";

/** The layers that can be seen, outermost first. */
export function readLayers(
  seen: readonly SeenElement[],
  texts: readonly SeenText[],
  replaced: ReadonlySet<SeenElement>,
): SeenLayer[] {
  const roots = seen.filter((each) => each.layer === each && each.shown && !isIn(each, each.parent ?? each));
  return roots.slice(0, MAX_LAYERS).flatMap((at) => {
    const inside = seen.filter((each) => each !== at && isIn(at, each));
    const area = paintedArea(at, inside);
    const share = area ? areaWindowShare(area) : 0;
    if (!area || share < 0.01) return [];
    const own = texts.filter((text) => text.at.shown && isIn(at, text.at));
    const isOfPage = (each: SeenElement) => !each.layer && !each.isEdge && !isIn(at, each);
    const beneath = texts.filter((text) => isOfPage(text.at));
    const controls = inside.filter(isControl);
    return {
      at,
      area,
      share,
      text: own
        .map(({ text }) => text)
        .join(" ")
        .slice(0, MAX_TEXT),
      labels: controls.map(controlLabel).slice(0, MAX_LABELS),
      links: controls.filter(({ element }) => element.localName === "a").length,
      fields: inside.filter(isField).length,
      hasMedia:
        inside.some(({ element, shown }) => shown && /^(video|iframe|canvas)$/.test(element.localName)) ||
        at.element.localName === "iframe",
      hasLandmarks: at.element.matches(LANDMARKS) || inside.some(({ element }) => element.matches(LANDMARKS)),
      isDialog: at.element.matches(DIALOGS) || inside.some(({ element }) => element.matches(DIALOGS)),
      isModal: isModal(at.element) || inside.some(({ element }) => isModal(element)),
      isBackdrop: isBackdrop(at, own.length, inside, replaced),
      coveredWords: Math.round(beneath.reduce((sum, text) => sum + text.words * sharedPart(text.at.shown, area), 0)),
      coveredMedia: [...replaced].filter((each) => isOfPage(each) && sharedPart(each.shown, area) > 0.25).length,
    };
  });
}

function isModal(element: Element): boolean {
  return element.matches(":modal, [aria-modal=true]");
}

/** A layer without a colour of its own is as large as what is painted in it. */
function paintedArea(at: SeenElement, inside: readonly SeenElement[]): Area | undefined {
  const { style, shown } = at;
  const isPainted =
    colourAlpha(style.backgroundColor) > 0.02 || style.backgroundImage !== "none" || style.backdropFilter !== "none";
  if (isPainted || /^(iframe|img|video|canvas)$/.test(at.element.localName)) return shown;
  if (at.element.matches("dialog:modal")) return shown;
  const painted = inside
    .filter((each) => each.shown && each.isVisible && isPaintedItself(each))
    .map(({ shown }) => shown as Area);
  if (painted.length === 0) return undefined;
  const left = Math.min(...painted.map(({ x }) => x));
  const top = Math.min(...painted.map(({ y }) => y));
  const right = Math.max(...painted.map(({ x, width }) => x + width));
  const bottom = Math.max(...painted.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function isPaintedItself({ style, element }: SeenElement): boolean {
  return (
    colourAlpha(style.backgroundColor) > 0.02 ||
    style.backgroundImage !== "none" ||
    /^(iframe|img|video|canvas)$/.test(element.localName)
  );
}

function isBackdrop(
  { style, element, shown }: SeenElement,
  texts: number,
  inside: readonly SeenElement[],
  replaced: ReadonlySet<SeenElement>,
): boolean {
  if (texts > 0 || !shown || areaWindowShare(shown) < 0.9 || element.localName === "iframe") return false;
  if (inside.some((each) => replaced.has(each)) || style.pointerEvents === "none") return false;
  const alpha = colourAlpha(style.backgroundColor) * Number(style.opacity);
  return (alpha > 0.05 && alpha < 0.98) || style.backdropFilter !== "none";
}

/** The share of a part of the page, 0 to 1, that lies in an area. */
function sharedPart(part: Area | undefined, area: Area): number {
  const common = part && intersect(part, area);
  return part && common ? (common.width * common.height) / (part.width * part.height) : 0;
}
