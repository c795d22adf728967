/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Whether what a page shows depends on where it is scrolled to, as far as its styles and elements say.
import { hasActiveContent } from "../injected/dom/active-content.ts";
import { scrollingElement } from "../injected/dom/document.ts";
import { findPseudoElements } from "../injected/dom/pseudo-elements.ts";
import { findInnerScrollers } from "../injected/dom/scrollers.ts";
import { openRoots, queryAll, queryAllRoots } from "../injected/dom/shadow-roots.ts";
import { lockedBody } from "../injected/dom/window-sides.ts";

export interface ScrollDependence {
  /** True when styles or elements depend on it: pinned, lazy or scroll-driven ones. */
  readonly ofStyles: boolean;
  /** True when scripts can. */
  readonly hasScripts: boolean;
  /** True for a page that is no taller than its window: if anything scrolls, it is hidden from scripts. */
  readonly fitsWindow: boolean;
}

const LAZY = "img[loading=lazy], iframe, frame, object, embed, video, audio[autoplay]";

export function readScrollDependence(): ScrollDependence {
  const roots = openRoots();
  const isLazy = roots.some((root) => queryAll(root, LAZY).length > 0) || findInnerScrollers(roots).length > 0;
  return {
    fitsWindow: scrollingElement().scrollHeight <= innerHeight,
    ofStyles:
      isLazy || lockedBody() !== null || queryAllRoots<Element>("*").some(dependsByStyle) || hasPinnedPseudoElements(),
    hasScripts: hasActiveContent(roots),
  };
}

function dependsByStyle(element: Element): boolean {
  return isDependent(getComputedStyle(element));
}

function isDependent(style: CSSStyleDeclaration): boolean {
  const { position, backgroundAttachment, contentVisibility } = style;
  if (/fixed|sticky/.test(position) || backgroundAttachment.includes("fixed")) return true;
  if (contentVisibility === "auto") return true;
  return !/^(?:auto|none)?$/.test(style.getPropertyValue("animation-timeline"));
}

function hasPinnedPseudoElements(): boolean {
  return findPseudoElements(isDependent).length > 0;
}
