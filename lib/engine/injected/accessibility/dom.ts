/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// What the accessibility tree needs of the DOM, by getters of the prototypes: fields of a form hide its own properties.
import { propertyReader } from "../dom/read-property.ts";
import { queryAll, type Root } from "../dom/shadow-roots.ts";

export const firstChild: (node: Node) => ChildNode | null = propertyReader(Node.prototype, "firstChild");
export const nextSibling: (node: Node) => ChildNode | null = propertyReader(Node.prototype, "nextSibling");
export const nodeType: (node: Node) => number = propertyReader(Node.prototype, "nodeType");
export const nodeValue: (node: Node) => string | null = propertyReader(Node.prototype, "nodeValue");
export const localName: (element: Element) => string = propertyReader(Element.prototype, "localName");
const shadowRoot = propertyReader(Element.prototype, "shadowRoot");
const elementSlot = propertyReader(Element.prototype, "assignedSlot");
const textSlot = propertyReader(Text.prototype, "assignedSlot");

const { getAttribute, hasAttribute, checkVisibility, getBoundingClientRect } = Element.prototype;

export const attribute = (element: Element, name: string): string | null => getAttribute.call(element, name);
export const isAttributeSet = (element: Element, name: string): boolean => hasAttribute.call(element, name);
export const boundingBox = (element: Element): DOMRect => getBoundingClientRect.call(element);

/** False for an element without a box, or with `visibility: hidden`. One with `display: contents` has no box. */
export const isPainted = (element: Element): boolean => checkVisibility.call(element, { visibilityProperty: true });

/** The slot that shows a node: null for one that isn't slotted. */
export function assignedSlot(node: Node): HTMLSlotElement | null {
  const type = nodeType(node);
  if (type === Node.ELEMENT_NODE) return elementSlot(node as Element);
  return type === Node.TEXT_NODE ? textSlot(node as Text) : null;
}

/** Calls `visit` for the children of an element in the flat tree, until it returns false. */
export function visitChildren(element: Element, visit: (node: Node) => boolean): void {
  const root = shadowRoot(element);
  if (!root && localName(element) === "slot" && element instanceof HTMLSlotElement) {
    const assigned = HTMLSlotElement.prototype.assignedNodes.call(element);
    if (assigned.length > 0) {
      for (const node of assigned) if (visit(node) === false) return;
      return;
    }
  }
  for (let node = firstChild(root ?? element); node; node = nextSibling(node)) if (visit(node) === false) return;
}

/** The elements that a list of ids names, in the tree of the element that has the list. */
export function referencedElements(element: Element, ids: string | null): Element[] {
  if (!ids || ids.length > MAX_IDS_LENGTH) return [];
  const root = Node.prototype.getRootNode.call(element) as Root;
  if (nodeType(root) !== Node.DOCUMENT_NODE && nodeType(root) !== Node.DOCUMENT_FRAGMENT_NODE) return [];
  const found = new Set<Element>();
  for (const id of ids.split(/\s+/).filter(Boolean)) {
    const [first] = queryAll(root, `#${CSS.escape(id)}`);
    if (first) found.add(first);
  }
  return [...found];
}

const MAX_IDS_LENGTH = 2_000;
