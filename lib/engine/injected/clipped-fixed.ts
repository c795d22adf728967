/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Fixed boxes that the page shows through openings with a clip path: paper has no window to be fixed to, and would have them over the text
// of each sheet.
import { isFixedToWindow } from "./dom/fixed-position.ts";
import { queryAllRoots } from "./dom/shadow-roots.ts";
import { parentElement } from "./dom/tree.ts";

/** A box fills the window with this share of its sides. */
const FILLS = 0.95;

/** Places each of them in its opening, as the middle of the window shows it there. */
export function placeClippedFixed(): void {
  const fixed = queryAllRoots<HTMLElement>("*").filter(
    (element) => getComputedStyle(element).position === "fixed" && isFixedToWindow(element),
  );
  const places = fixed.flatMap((element) => {
    const opening = openingAround(element);
    return opening
      ? [{ element, opening, box: element.getBoundingClientRect(), around: opening.getBoundingClientRect() }]
      : [];
  });
  for (const { element, opening, box, around } of places) {
    if (getComputedStyle(opening).position === "static") opening.style.setProperty("position", "relative", "important");
    const declarations = { position: "absolute", margin: "0", "box-sizing": "border-box", ...placeOf(box, around) };
    for (const [name, value] of Object.entries(declarations)) element.style.setProperty(name, value, "important");
  }
}

/**
 * One that fills the window fills the opening: what extends beyond it would cover the page where a sheet ends. Others keep their distance
 * from the middle.
 */
function placeOf(box: DOMRect, around: DOMRect): Readonly<Record<string, string>> {
  const { innerWidth, innerHeight } = window;
  if (box.width >= FILLS * innerWidth && box.height >= FILLS * innerHeight)
    return { inset: "0", width: "100%", height: "100%", "max-height": "none" };
  const down = box.top - innerHeight / 2;
  const size = { width: `${box.width}px`, height: `${box.height}px` };
  return { inset: "auto", top: `calc(50% + ${down}px)`, left: `${box.left - around.left}px`, ...size };
}

/** The closest box around an element that clips it by a clip path. */
function openingAround(element: Element): HTMLElement | undefined {
  for (let each = parentElement(element); each; each = parentElement(each))
    if (each instanceof HTMLElement && getComputedStyle(each).clipPath !== "none") return each;
  return undefined;
}
