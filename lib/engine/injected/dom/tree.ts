/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The flat tree of elements: through open shadow roots, and frames of the same origin.
import { readProperty } from "./read-property.ts";
import { openShadowRoot, slotInClosedRoot } from "./shadow-roots.ts";

/**
 * The parent in the flat tree: the slot of a slotted element, the host of a shadow root, or else the parent. The slots of closed
 * shadow roots are mostly unknown: their host follows. Fields of a form hide the form's own properties.
 */
export function parentElement(node: Node): Element | null {
  if (node.nodeType === Node.ELEMENT_NODE) {
    const slot = readProperty(Element.prototype, "assignedSlot", node as Element) ?? slotInClosedRoot(node as Element);
    if (slot) return slot;
  }
  const parent = readProperty(Node.prototype, "parentNode", node);
  if (parent?.nodeType === Node.DOCUMENT_FRAGMENT_NODE) return (parent as ShadowRoot).host ?? null;
  return parent?.nodeType === Node.ELEMENT_NODE ? (parent as Element) : null;
}

/** True when `inner` is `outer`, or inside it. */
export function contains(outer: Element, inner: Element): boolean {
  for (let each: Element | null = inner; each; each = parentElement(each)) if (each === outer) return true;
  return false;
}

/** The document of a frame of the same origin. */
export function frameDocument(element: Element): Document | null {
  if (element.tagName !== "IFRAME" && element.tagName !== "FRAME") return null;
  try {
    return (element as HTMLIFrameElement).contentDocument;
  } catch {
    return null;
  }
}

/** The box of an element, also of one in frames of the same origin, in CSS pixels of the window of the page. */
export function boxInWindow(element: Element): DOMRect {
  const box = element.getBoundingClientRect();
  for (let view = element.ownerDocument.defaultView; view && view !== window; view = view.parent as typeof view) {
    const frame = view.frameElement;
    if (!frame) break;
    const around = frame.getBoundingClientRect();
    box.x += around.x + frame.clientLeft;
    box.y += around.y + frame.clientTop;
  }
  return box;
}

/** An element and its descendants, in document order; shadow roots, and with `frames` documents of frames, included. */
export function elementsIn(from: Element, maxElements: number, { frames = false } = {}): Element[] {
  const found: Element[] = [];
  const visit = (element: Element) => {
    if (found.length >= maxElements) return;
    found.push(element);
    const shadowRoot = openShadowRoot(element);
    for (const child of shadowRoot ? readProperty(DocumentFragment.prototype, "children", shadowRoot) : [])
      visit(child);
    for (const child of readProperty(Element.prototype, "children", element)) visit(child);
    const inner = frames ? frameDocument(element) : null;
    if (inner?.documentElement) visit(inner.documentElement);
  };
  visit(from);
  return found;
}

const MAX_ELEMENTS = 3_000;

/** Descendants of an element, frames included, that match. */
export function matchesIn(element: Element, selector: string): Element[] {
  return elementsIn(element, MAX_ELEMENTS, { frames: true }).filter(
    (each) => each !== element && each.matches(selector),
  );
}
