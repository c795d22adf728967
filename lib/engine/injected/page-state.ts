/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Restores a page that was changed for a picture, so that another output can be captured of the same load.
import { revertAllChanges } from "./changes/journal.ts";
import { documentElement, scrollingElement } from "./dom/document.ts";
import { forgetExpanded } from "./dom/fixed-position.ts";
import { rootsWithFrames } from "./dom/shadow-roots.ts";

interface PageState {
  readonly scrollX: number;
  readonly scrollY: number;
  /** All that scripts can change without being noticed: markup, style sheets, and the size of the page. */
  readonly content: string;
}

let remembered: PageState | undefined;

/** Remembers the page, for `restorePage`. */
export function rememberPage(): void {
  remembered = describePage();
}

/** Takes back what was changed in the page. Returns whether it is as it was when it was remembered; if not, a script has reacted. */
export function restorePage(): boolean {
  revertAllChanges();
  forgetExpanded();
  if (!remembered) return false;
  window.scrollTo({ left: remembered.scrollX, top: remembered.scrollY, behavior: "instant" });
  const { scrollX, scrollY, content } = describePage();
  return scrollX === remembered.scrollX && scrollY === remembered.scrollY && content === remembered.content;
}

function describePage(): PageState {
  const { scrollX, scrollY } = window;
  const { scrollWidth, scrollHeight } = scrollingElement();
  const roots = rootsWithFrames().map((root) => {
    const isDocument = root.nodeType === Node.DOCUMENT_NODE;
    const markup = isDocument ? documentElement(root as Document)?.outerHTML : (root as ShadowRoot).innerHTML;
    return [markup, root.adoptedStyleSheets.length];
  });
  return { scrollX, scrollY, content: JSON.stringify([scrollWidth, scrollHeight, roots]) };
}
