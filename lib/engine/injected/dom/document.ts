/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Properties of the document that elements with such names hide, and timers as promises.
import { readProperty } from "./read-property.ts";

export function documentElement(of: Document = document): HTMLElement | null {
  return readProperty(Document.prototype, "documentElement", of);
}

export function documentBody(of: Document = document): HTMLElement | null {
  return readProperty(Document.prototype, "body", of);
}

/** The element that scrolls when the page does. */
export function scrollingElement(): Element {
  return readProperty(Document.prototype, "scrollingElement", document) ?? document.documentElement;
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
