/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: whether there is anything that a picture of it should show.

/**
 * Looks for text and for elements that are more than their colour, down to `height` pixels below the page's top. What is
 * only transparent for now, or as bright as its ground, counts: it is to be shown.
 */
export function contentToShow(height: number): { hasContent: boolean; canChange: boolean } {
  const all = (selector: string) => [...Document.prototype.querySelectorAll.call(document, selector)];
  const body = Reflect.get(Document.prototype, "body", document) as HTMLElement | null;
  const smallest = 4; // what only screen readers read measures a pixel
  const isInView = ({ left, right, top, bottom }: DOMRect) => {
    if (right - left < smallest || bottom - top < smallest) return false;
    return right > 0 && left < window.innerWidth && bottom + window.scrollY > 0 && top + window.scrollY < height;
  };
  const pictures = "img, svg, canvas, video, iframe, object, embed, input, button, select, textarea, progress, meter";
  const canChange = all("script, iframe, frame, object, embed, meta[http-equiv=refresh i]").length > 0;
  const most = 5_000;
  if (
    all(pictures)
      .slice(0, most)
      .some((element) => isInView(element.getBoundingClientRect()))
  ) {
    return { hasContent: true, canChange };
  }
  const walker = document.createTreeWalker(body ?? document, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let seen = 0; seen < most && walker.nextNode() !== null; seen++) {
    const node = walker.currentNode;
    if ((node.nodeValue ?? "").trim() === "") continue;
    range.selectNodeContents(node);
    if (isInView(range.getBoundingClientRect())) return { hasContent: true, canChange };
  }
  return { hasContent: false, canChange };
}
