/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Detects whether a page has content that a picture of it should show, for pictures that came out blank.
import { documentBody } from "./dom/document.ts";
import { queryAll } from "./dom/shadow-roots.ts";

/** Elements, and text nodes, that are looked at. */
const MAX_NODES = 5_000;

/** Content for screen readers alone measures one pixel. */
const MIN_SIZE = 4;

const REPLACED = "img, svg, canvas, video, iframe, object, embed, input, button, select, textarea, progress, meter";

/**
 * Looks for text and replaced elements in the window's width, down to `height` CSS pixels below the page's top. Content
 * that is transparent, or has the colour of its background, counts: the page may still fade it in.
 */
export function contentToShow(height: number): { hasContent: boolean; canChange: boolean } {
  const isInView = ({ left, right, top, bottom }: DOMRect) => {
    if (right - left < MIN_SIZE || bottom - top < MIN_SIZE) return false;
    return right > 0 && left < window.innerWidth && bottom + window.scrollY > 0 && top + window.scrollY < height;
  };
  const changing = "script, iframe, frame, object, embed, meta[http-equiv=refresh i]";
  const canChange = queryAll(document, changing).length > 0;
  const elements = [...queryAll(document, REPLACED)].slice(0, MAX_NODES);
  if (elements.some((element) => isInView(element.getBoundingClientRect()))) return { hasContent: true, canChange };
  const walker = document.createTreeWalker(documentBody() ?? document, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let visited = 0; visited < MAX_NODES && walker.nextNode() !== null; visited++) {
    const node = walker.currentNode;
    if ((node.nodeValue ?? "").trim() === "") continue;
    range.selectNodeContents(node);
    if (isInView(range.getBoundingClientRect())) return { hasContent: true, canChange };
  }
  return { hasContent: false, canChange };
}
