/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The walk through the open shadow roots of a document, shared by all page scripts.
import { readProperty } from "./read-property.ts";

/** A tree in which selectors match: they do not cross the border of a shadow root. */
export type Root = Document | ShadowRoot;

/** The open shadow root of an element, or a closed one that is known. Fields of a form named `shadowRoot` hide the form's own property. */
export function openShadowRoot(element: Element): ShadowRoot | null {
  return readProperty(Element.prototype, "shadowRoot", element) ?? closedRoots.get(element) ?? null;
}

const closedRoots = new Map<Element, ShadowRoot>();

/** Takes a closed shadow root, which only DevTools can hand over, for an open one from now on. */
export function openClosedRoot(root: ShadowRoot): void {
  closedRoots.set(root.host, root);
}

/** The slot of a child of the host of a closed shadow root that is known. */
export function slotInClosedRoot(child: Element): Element | null {
  const root = closedRoots.size > 0 && child.parentElement ? closedRoots.get(child.parentElement) : undefined;
  return root ? ([...queryAll<HTMLSlotElement>(root, "slot")].find(({ name }) => name === child.slot) ?? null) : null;
}

/** The elements of one root that match. Elements named `querySelectorAll` hide the document's own method. */
export function queryAll<E extends Element = Element>(root: Root, selector: string): NodeListOf<E> {
  const isDocument = root.nodeType === Node.DOCUMENT_NODE;
  const { querySelectorAll } = isDocument ? Document.prototype : DocumentFragment.prototype;
  return Reflect.apply(querySelectorAll, root, [selector]) as NodeListOf<E>;
}

/**
 * The document, its open shadow roots, and those inside them: outer ones first, each level in document order. Looks at
 * no more than `maxElements` elements.
 */
export function openRoots(maxElements: number = Number.POSITIVE_INFINITY, within: Document = document): Root[] {
  const roots: Root[] = [within];
  let visited = 0;
  for (const root of roots) {
    for (const element of queryAll(root, "*")) {
      if (++visited > maxElements) return roots;
      const shadowRoot = openShadowRoot(element);
      if (shadowRoot) roots.push(shadowRoot);
    }
  }
  return roots;
}

/** Like `openRoots`, with the documents of frames of the same origin. */
export function rootsWithFrames(): Root[] {
  const roots: Root[] = [document];
  for (const root of roots) {
    for (const element of queryAll(root, "*")) {
      const shadowRoot = openShadowRoot(element);
      if (shadowRoot) roots.push(shadowRoot);
      // The class of an element in a frame is another one than that of the page.
      const isFrame = element.localName === "iframe" || element.localName === "frame";
      const framed = isFrame ? (element as HTMLIFrameElement).contentDocument : null;
      if (framed) roots.push(framed);
    }
  }
  return roots;
}

/** The open shadow roots alone, in the order of `openRoots`. */
export function openShadowRoots(maxElements: number): ShadowRoot[] {
  return openRoots(maxElements).slice(1) as ShadowRoot[];
}

/** The elements of the document and its open shadow roots that match, root by root. */
export function queryAllRoots<E extends Element = HTMLElement>(selector: string): E[] {
  return openRoots().flatMap((root) => [...queryAll<E>(root, selector)]);
}
