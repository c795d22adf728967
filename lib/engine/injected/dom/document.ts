/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Properties of the document that elements with such names hide, and timers as promises.

export function documentElement(): HTMLElement | null {
  return Reflect.get(Document.prototype, "documentElement", document) as HTMLElement | null;
}

export function documentBody(of: Document = document): HTMLElement | null {
  return Reflect.get(Document.prototype, "body", of) as HTMLElement | null;
}

/** The element that scrolls when the page does. */
export function scrollingElement(): Element {
  return (Reflect.get(Document.prototype, "scrollingElement", document) as Element | null) ?? document.documentElement;
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
