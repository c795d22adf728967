/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: takes an element into view for a click, and the page back afterwards.
import type { Area } from "../outputs/screenshot/area.ts";

/**
 * Scrolls the first visible match into view where it is not, remembering for `scrollBack` how everything lay. Tells
 * whether it is disabled, so that a click would do nothing.
 */
export function scrollIntoView(
  selector: string,
  visibleBox: (element: Element) => Area | null,
): { isDisabled: boolean } {
  const matches = Document.prototype.querySelectorAll.call(document, selector);
  const element = [...matches].find((each) => visibleBox(each) !== null);
  if (!element) return { isDisabled: false };
  const positions = new Map<Element, { left: number; top: number }>();
  const root = Reflect.get(Document.prototype, "scrollingElement", document) as Element | null;
  if (root) positions.set(root, { left: root.scrollLeft, top: root.scrollTop });
  // A form hides its properties behind the names of its fields.
  const parentOf = (node: Node) => Reflect.get(Node.prototype, "parentElement", node) as Element | null;
  for (let scroller = parentOf(element); scroller; scroller = parentOf(scroller)) {
    positions.set(scroller, { left: scroller.scrollLeft, top: scroller.scrollTop });
  }
  const { left, top, right, bottom } = element.getBoundingClientRect();
  if (left < 0 || top < 0 || right > window.innerWidth || bottom > window.innerHeight) {
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  }
  const moved = [...positions]
    .filter(([scroller, from]) => scroller.scrollLeft !== from.left || scroller.scrollTop !== from.top)
    .map(([scroller, from]) => ({ scroller, from, to: { left: scroller.scrollLeft, top: scroller.scrollTop } }));
  Object.assign(globalThis, { moved });
  return { isDisabled: element.matches(":disabled, :disabled *") };
}

/** Scrolls back what `scrollIntoView` has scrolled, unless it has been scrolled further since. */
export function scrollBack(): void {
  interface Position {
    readonly left: number;
    readonly top: number;
  }
  const { moved = [] } = globalThis as { moved?: readonly { scroller: Element; from: Position; to: Position }[] };
  for (const { scroller, from, to } of moved) {
    if (scroller.scrollLeft !== to.left || scroller.scrollTop !== to.top) continue;
    scroller.scrollTo({ ...from, behavior: "instant" });
  }
  Object.assign(globalThis, { moved: [] });
}
