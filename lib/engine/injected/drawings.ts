/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Fits charts and maps into a window that has become narrower.
import { queryAllRoots } from "./dom/shadow-roots.ts";

/** How to take back the widths of containers that the last call has set. */
let undo: (() => void)[] = [];

/**
 * Gives the containers of charts and maps the width that they would have without them in a window of `width` CSS pixels, where
 * drawings reach beyond it: a drawing with a width in pixels keeps the items of a grid or a flexible box from becoming narrower,
 * so that the script that draws it never learns of the new width. Call it before the resize, and again after it, when media
 * queries apply: the page gets a resize event once more if a width was set before.
 */
export function fitDrawings(width: number): void {
  const isRepeated = undo.length > 0;
  for (const restore of undo.splice(0)) restore();
  if (!(document.documentElement instanceof HTMLElement)) return;
  const resetWindow = setStyles(document.documentElement, {
    width: `${width}px`,
    "min-width": "0",
    "max-width": "none",
  });
  const drawings = queryAllRoots<HTMLElement>("canvas, svg").map(outermostBox);
  if (drawings.some((drawing) => drawing.getBoundingClientRect().right > width)) undo = fitContainers(drawings);
  resetWindow();
  if (isRepeated) window.dispatchEvent(new Event("resize"));
}

function fitContainers(drawings: readonly HTMLElement[]): (() => void)[] {
  const parents = drawings.map(({ parentElement }) => parentElement).filter((parent) => parent !== null);
  const containers = [...new Set(parents)].filter((parent) => !isAsWideAsContent(parent));
  const drawnWidths = containers.map(widthOf);
  const show = drawings.map((drawing) => setStyles(drawing, { display: "none" }));
  const ownWidths = containers.map(widthOf);
  for (const restore of show.toReversed()) restore();
  return containers.flatMap((container, index) => {
    const own = ownWidths[index] ?? 0;
    if (own === 0 || own > (drawnWidths[index] ?? 0) - 1) return [];
    return [setStyles(container, { "box-sizing": "border-box", "max-width": `${own}px` })];
  });
}

/** The element that a library puts around its drawing, with a width in pixels; the drawing itself where there is none. */
function outermostBox(drawing: HTMLElement): HTMLElement {
  let outermost = drawing;
  for (let box = drawing.parentElement; box && /px$/.test(box.style.width); box = box.parentElement) outermost = box;
  return outermost;
}

/** True for a box that has no width of its own. */
function isAsWideAsContent(element: Element): boolean {
  const { display, float, position, flexGrow } = getComputedStyle(element);
  const isFlexItem = /flex/.test(element.parentElement ? getComputedStyle(element.parentElement).display : "");
  return (
    /inline|table/.test(display) ||
    float !== "none" ||
    /absolute|fixed/.test(position) ||
    (isFlexItem && flexGrow === "0")
  );
}

/** Returns how to restore the styles of the element. */
function setStyles(element: HTMLElement, styles: Readonly<Record<string, string>>): () => void {
  const before = element.getAttribute("style");
  for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, "important");
  return () => {
    if (before === null) element.removeAttribute("style");
    else element.setAttribute("style", before);
  };
}

function widthOf(element: Element): number {
  return element.getBoundingClientRect().width;
}
