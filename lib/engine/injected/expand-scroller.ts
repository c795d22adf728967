/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Lays an element that scrolls out in full height, where that does no harm to its content and to the rest of the page.
import type { Declarations, Journal } from "./changes/journal.ts";
import { type LayoutSnapshot, takeSnapshot } from "./changes/layout-snapshot.ts";
import {
  type BoxMovement,
  isNear,
  type MeasuredChange,
  type TriedChange,
  tryChange,
} from "./changes/measured-change.ts";
import { containingBlock } from "./dom/containing-block.ts";
import { parentElement } from "./dom/tree.ts";
import { isVirtualized, largestGap, reactsToHeight } from "./virtual-scrollers.ts";

export type Expansion = "expanded" | "harmful" | "virtualized";

/** A way to lay a scroller out in full height. */
interface Way {
  /** The scroller and its ancestors become as tall as their content, also when it changes, or grow by a fixed length. */
  readonly height: "content" | "fixed";
  /** True when ancestors that clip show what is below them, because they do not grow with the scroller. */
  readonly unclipsAncestors: boolean;
  /** True when boxes in the scroller may grow with it, as in a list that renders what fits into its height. */
  readonly mayContentGrow: boolean;
}

const WAYS: readonly Way[] = [
  { height: "content", unclipsAncestors: false, mayContentGrow: false },
  { height: "fixed", unclipsAncestors: false, mayContentGrow: false },
  { height: "content", unclipsAncestors: true, mayContentGrow: false },
  { height: "content", unclipsAncestors: false, mayContentGrow: true },
];

/**
 * Gives a scrolling element its full height; its ancestors grow with it. Leaves it as it is when that would change its content
 * or what is around it (`harmful`), or when it then shows content in a part of its height only (`virtualized`).
 */
export async function expandToContent(scroller: Element): Promise<Expansion> {
  const view = scroller.clientHeight;
  let isVirtual = false;
  for (const way of WAYS) {
    if (isVirtual && !way.mayContentGrow) continue;
    const made = tryExpansion(scroller, way);
    if (made.harm) continue;
    if (largestGap(scroller, view, made.layout) === null || (await reactsToHeight(scroller, view))) return "expanded";
    const gap = largestGap(scroller, view);
    made.journal.revert();
    isVirtual = gap !== null && (await isVirtualized(scroller, gap));
    if (isVirtual) continue;
    tryExpansion(scroller, way); // the page itself is blank there
    return "expanded";
  }
  return isVirtual ? "virtualized" : "harmful";
}

/**
 * Makes the element of a frame, and its ancestors, as tall as its content of `contentHeight` CSS pixels. Returns undefined, and
 * changes nothing, where that would change what is around it.
 */
export function growFrameElement(frame: Element, contentHeight: number): Journal | undefined {
  for (const way of WAYS) {
    const { journal, harm } = tryExpansion(frame, way, contentHeight);
    if (!harm) return journal;
  }
  return undefined;
}

/** Rounds in which boxes are found whose size depends on the scroller's height. */
const MAX_ROUNDS = 4;

/** Expands a scroller in one way, and keeps the sizes of boxes in and around it that would change otherwise. */
function tryExpansion(scroller: Element, way: Way, contentHeight = scroller.scrollHeight): TriedChange {
  const before = takeSnapshot();
  let kept: ReadonlySet<Element> = new Set();
  for (let round = 1; ; round++) {
    const made = tryChange(expansion(scroller, { way, kept, before, contentHeight }), before);
    if (!made.harm || round === MAX_ROUNDS) return made;
    // Boxes that a length in percent makes depend on the scroller change others; all that changed are kept later.
    const changed = made.harm.moved.filter((movement) => isKeepable(movement, scroller)).map(({ element }) => element);
    const relative = changed.filter((element) => !kept.has(element) && hasRelativeHeight(element));
    const found = kept.union(new Set(relative.length > 0 ? relative : changed));
    if (found.size === kept.size) return made;
    kept = found;
  }
}

interface ExpansionSettings {
  readonly way: Way;
  /** Elements that keep their height, and, if they are out of the flow, their place. */
  readonly kept: ReadonlySet<Element>;
  readonly before: LayoutSnapshot;
  /** In CSS pixels of the scroller. */
  readonly contentHeight: number;
}

function expansion(scroller: Element, settings: ExpansionSettings): MeasuredChange {
  const { way, kept, before, contentHeight } = settings;
  const chain = new Set(selfAndAncestors(scroller));
  const first = scroller.getBoundingClientRect();
  const { scrollTop, clientHeight } = scroller;
  const zoom = (scroller as HTMLElement).currentCSSZoom;
  const origin = { left: first.left + window.scrollX, top: first.top + window.scrollY };
  const scrolledBelow = Math.max(0, before.height - window.innerHeight);
  const seenShare = (layout: LayoutSnapshot) => {
    const box = layout.boxes.get(scroller);
    return box ? box.seen / (box.width * box.height) : 1;
  };
  return {
    apply: (journal) => {
      // All that is kept is read before anything changes.
      const declarations = [...kept].map((element) => [element, keptStyles(element, scroller)] as const);
      growChain([...chain], way, { journal, growth: (contentHeight - clientHeight) * zoom });
      for (const [element, each] of declarations) journal.setStyle(element, each);
    },
    hasWorked: (after) =>
      Math.max(scroller.scrollHeight, isFrame(scroller) ? contentHeight : 0) <= scroller.clientHeight + 1 &&
      seenShare(after) >= seenShare(before) - 0.01,
    explains: ({ element, before: from, after: to }) => {
      const now = scroller.getBoundingClientRect();
      const growth = now.height - first.height;
      const [right, wider] = [to.left - from.left, to.width - from.width];
      const [down, taller] = [to.top - from.top, to.height - from.height];
      if (!isNear(right, 0) || !isNear(wider, 0)) return false;
      const place = placeIn(element, scroller);
      if (place === "sticky") return true;
      if (place === "scrolled" && !chain.has(element)) {
        const moved = down - (now.top + window.scrollY - origin.top) - scrollTop;
        if (way.mayContentGrow) return moved >= -1 && taller >= -1;
        return isNear(moved, 0) && isNear(taller, 0);
      }
      const most = growth + scrolledBelow + 1;
      if (chain.has(element)) return down >= -1 && down <= most && taller >= -1;
      const hasAppeared = from.seen === 0 && to.seen > 0;
      return !hasAppeared && down >= -1 && down <= most && taller >= -1 && taller <= most;
    },
    mayGrowPage: true,
  };
}

function isFrame({ localName }: Element): boolean {
  return localName === "iframe" || localName === "frame";
}

function selfAndAncestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let each: Element | null = element; each; each = parentElement(each)) found.push(each);
  return found;
}

interface Growing {
  readonly journal: Journal;
  /** CSS pixels of the window by which a fixed height grows. */
  readonly growth: number;
}

/** Makes a scroller, the first of `chain`, and its ancestors as tall as its content. */
function growChain(chain: readonly Element[], way: Way, { journal, growth }: Growing): void {
  const [scroller] = chain;
  const measured = chain.map((element) => {
    const { contain, containerType, minHeight, height, position, gridTemplateRows, overflowX, overflowY } =
      getComputedStyle(element);
    const parent = parentElement(element);
    const around = parent ? getComputedStyle(parent) : undefined;
    const isColumnItem = /flex/.test(around?.display ?? "") && /column/.test(around?.flexDirection ?? "");
    const zoom = (element as HTMLElement).currentCSSZoom;
    const styles = { contain, containerType, minHeight, height, gridTemplateRows, overflowX, overflowY };
    return { element, box: element.getBoundingClientRect(), zoom, styles, position, isColumnItem };
  });
  let isInnerOutOfFlow = false;
  for (const { element, box, zoom, styles, position, isColumnItem } of measured) {
    const isRoot = parentElement(element) === null;
    const set = (declarations: Declarations) => journal.setStyle(element, declarations);
    journal.keepScrollPosition(element);
    set({ transition: "none", "max-height": "none" });
    if ((way.height === "fixed" && !isRoot) || isFrame(element)) {
      set({ "box-sizing": "border-box", height: `${(box.height + growth) / zoom}px`, "min-height": "0" });
      if (isColumnItem) set({ flex: "none" });
    } else {
      const { minHeight } = styles;
      const isDefault = minHeight === "auto" || minHeight === "0px";
      const isRelative = /%/.test(minHeight);
      set({ height: "auto" });
      set({ "min-height": isDefault || isRelative ? lengthOf(element, box.height / zoom) : minHeight });
      if (isColumnItem) set({ "flex-basis": "auto", "flex-shrink": "0" });
    }
    if (element === scroller && !isFrame(element)) {
      // It still clips what overflows at its sides; its formatting context stays what it is.
      set({ "overflow-y": "hidden", "overflow-x": "hidden", "scroll-snap-type": "none" });
    } else if (way.unclipsAncestors && styles.overflowY !== "visible") {
      set({ "overflow-y": "visible", "overflow-x": styles.overflowX === "visible" ? "visible" : "clip" });
    }
    if (/size|strict/.test(styles.contain)) set({ contain: withoutSize(styles.contain) });
    if (way.height === "content" && styles.containerType === "size") set({ "container-type": "inline-size" });
    if (styles.gridTemplateRows !== "none" && !styles.gridTemplateRows.startsWith("subgrid")) {
      const rows = styles.gridTemplateRows.replace(/(?<![\w-])[\d.]{1,20}px/g, (length) => `minmax(${length},auto)`);
      set({ "grid-template-rows": element === scroller ? styles.gridTemplateRows : rows });
    }
    // What is out of the flow does not make its containing block taller.
    if (isInnerOutOfFlow && !isRoot) {
      const inner = measured[measured.findIndex((each) => each.element === element) - 1]?.element as Element;
      const missing = inner.getBoundingClientRect().bottom - element.getBoundingClientRect().bottom;
      const { height } = element.getBoundingClientRect();
      if (missing > 0) set({ "min-height": lengthOf(element, (height + missing) / zoom) });
    }
    isInnerOutOfFlow = isInnerOutOfFlow || /fixed|absolute/.test(position);
    if (/fixed|absolute/.test(position)) {
      set({ position: "absolute", inset: "0 auto auto 0", "box-sizing": "border-box", width: `${box.width / zoom}px` });
      const moved = element.getBoundingClientRect();
      const [down, right] = [(box.top - moved.top) / zoom, (box.left - moved.left) / zoom];
      set({ inset: `${down}px auto auto ${right}px` });
    }
  }
}

/** The length of a border box as the element's own `box-sizing` counts it, with unit. */
function lengthOf(element: Element, borderBox: number): string {
  const style = getComputedStyle(element);
  if (style.boxSizing === "border-box") return `${borderBox}px`;
  const sides = ["padding-top", "padding-bottom", "border-top-width", "border-bottom-width"];
  const around = sides.map((name) => Number.parseFloat(style.getPropertyValue(name)) || 0);
  return `${Math.max(
    0,
    around.reduce((left, each) => left - each, borderBox),
  )}px`;
}

function withoutSize(contain: string): string {
  if (contain === "strict") return "inline-size layout paint style";
  return contain.replace(/(?<!-)\bsize\b/, "inline-size");
}

type Place = "scrolled" | "sticky" | "outside";

/** Whether a scroller scrolls an element: through the containing blocks, which absolute elements can have outside of it. */
function placeIn(element: Element, scroller: Element): Place {
  for (let each: Element | null = element; each; ) {
    if (each === scroller) return "scrolled";
    const { position } = getComputedStyle(each);
    if (position === "sticky") return "sticky";
    const outer: Element | null = parentElement(each);
    if (!outer) return "outside";
    each = position === "fixed" || position === "absolute" ? containingBlock(outer, position) : outer;
  }
  return "outside";
}

/** Whether fixing the height, or the place, of a box can undo that it moved. */
function isKeepable({ element, before, after }: BoxMovement, scroller: Element): boolean {
  const place = placeIn(element, scroller);
  if (element === scroller || place === "sticky") return false;
  const isShrunk = after.height < before.height - 1;
  if (place === "outside") return isShrunk;
  const isOutOfFlow = /absolute|fixed/.test(getComputedStyle(element).position);
  return isOutOfFlow || !isNear(before.height, after.height);
}

const HEIGHTS = ["height", "min-height", "max-height", "flex-basis", "top", "bottom"];

function hasRelativeHeight(element: Element): boolean {
  const computed = element.computedStyleMap();
  return HEIGHTS.some((name) => /%|stretch|fill-available/.test(String(computed.get(name))));
}

/** The styles that keep an element as tall as it is, and, in the scroller and out of the flow, where it is. */
function keptStyles(element: Element, scroller: Element): Declarations {
  const { height, position, top, minHeight, display } = getComputedStyle(element);
  if (placeIn(element, scroller) === "outside") return { transition: "none", "min-height": height };
  const isOutOfFlow = /absolute|fixed/.test(position);
  const place = isOutOfFlow ? { top, bottom: "auto" } : {};
  const isMinimum = /%/.test(minHeight) && String(element.computedStyleMap().get("height")) === "auto";
  if (isMinimum) return { transition: "none", "min-height": height, ...place };
  const size = { height, "min-height": "0", "max-height": "none", "flex-basis": "auto", "flex-grow": "0" };
  const rows = /grid/.test(display) ? { "grid-template-rows": getComputedStyle(element).gridTemplateRows } : {};
  return { transition: "none", ...size, "flex-shrink": "0", ...rows, ...place };
}
