/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The sides at which a page ends with its window, although it has more than that, and pages that are kept from scrolling.
import { openRoots, queryAll } from "./shadow-roots.ts";
import { parentElement } from "./tree.ts";

/**
 * The sides at which a page ends with its window, although something is outside of it that cannot be scrolled to, such as a closed
 * drawer or the other slides of a presentation. A page that is only kept from scrolling down does not end there.
 */
export function sidesOfWindow(): { readonly right: boolean; readonly bottom: boolean } {
  const { body, documentElement: root } = document;
  const { overflowX, overflowY, direction } = getComputedStyle(root);
  // The overflow of the body is that of the window when the root element has none of its own.
  const isRoots = overflowX !== "visible" || overflowY !== "visible" || !body;
  const { overflowX: across, overflowY: down } = isRoots ? { overflowX, overflowY } : getComputedStyle(body);
  const isClipped = (overflow: string) => overflow === "hidden" || overflow === "clip";
  const bottom = isClipped(down) && !hasContentBelow();
  return { right: isClipped(across) && direction === "ltr", bottom };
}

/** The body of a page that is kept from scrolling although it has more than the window shows. */
export function lockedBody(): HTMLElement | null {
  const { body, documentElement: page } = document;
  const isLocked = [body, page].every((each) => each && /hidden|clip/.test(getComputedStyle(each).overflowY));
  if (!isLocked || body.scrollHeight <= body.clientHeight + 1) return null;
  return hasContentBelow() ? body : null;
}

function hasContentBelow(): boolean {
  return openRoots().some((root) => [...queryAll(root, root === document ? "body *" : "*")].some(isLaidOutBelow));
}

/** True for a visible element below the window that no transform has moved there, as that of a presentation would. */
function isLaidOutBelow(element: Element): boolean {
  const { bottom, width, height } = element.getBoundingClientRect();
  if (bottom <= window.innerHeight + 1 || width === 0 || height === 0 || !element.checkVisibility()) return false;
  for (let each: Element | null = element; each; each = parentElement(each)) {
    const { transform } = getComputedStyle(each);
    if (transform !== "none" && !new DOMMatrix(transform).isIdentity) return false;
  }
  return true;
}
