/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Prepares a page for print. Uses no timers, which do not fire where scripts are disabled.
import { counterValues, ordinal } from "./counters.ts";
import { openRoots, queryAllRoots } from "./dom/shadow-roots.ts";
import { findMatches } from "./dom/visible-box.ts";
import { recordWindowHeights } from "./window-heights.ts";

/** Adds rules to the document and its open shadow roots, after those of the page, regardless of its content security policy. */
export async function addStyle(css: string): Promise<void> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  for (const root of openRoots()) root.adoptedStyleSheets.push(sheet);
}

/** The number of images that are still loading, plus one for fonts. Forces a layout, which requests them; lazy images do not count. */
export async function countPendingAssets(): Promise<number> {
  document.documentElement.getBoundingClientRect();
  const images = queryAllRoots<HTMLImageElement>("img").filter((image) => !image.complete && image.loading !== "lazy");
  return images.length + (document.fonts.status === "loading" ? 1 : 0);
}

/** Loads lazy images that are displayed, wherever they are on the page. */
export function loadShownImages(): void {
  for (const image of queryAllRoots<HTMLImageElement>("img[loading=lazy]"))
    if (!image.complete && image.checkVisibility()) image.loading = "eager";
}

/** Fires the event that browsers fire before they print. */
export async function announcePrint(): Promise<void> {
  window.dispatchEvent(new Event("beforeprint"));
}

/** Excludes horizontally hidden overflow from the page's width: print would shrink everything to fit it in. */
export async function clipHiddenOverflow(): Promise<void> {
  const roots = [document.documentElement, document.body].filter((element) => element instanceof HTMLElement);
  if (!roots.some((element) => /hidden|clip/.test(getComputedStyle(element).overflowX))) return;
  // On both, because the overflow of the root element propagates to the window.
  for (const element of roots) element.style.setProperty("overflow-x", "clip", "important");
}

/** The height of the content in CSS pixels, even if it is less than the window's. */
export async function contentHeight(): Promise<number> {
  const root = document.documentElement;
  if (root.scrollHeight > window.innerHeight) return root.scrollHeight;
  let lowest = 0;
  const elements: Element[] = [root];
  for (const element of elements) {
    const { position, overflowY } = getComputedStyle(element);
    if (position === "fixed") continue;
    lowest = Math.max(lowest, element.getBoundingClientRect().bottom + window.scrollY);
    if (overflowY !== "visible" && element !== root && element !== document.body) continue;
    for (const child of element.children) elements.push(child);
  }
  return Math.ceil(lowest);
}

let restoreHeights: (() => void) | undefined;

/**
 * The first call records lengths that may depend on the window's height. The second one, in a window of another height,
 * resets those that have changed to what they were. Looks at no more than `limit` elements.
 */
export async function fixWindowHeights(limit: number): Promise<void> {
  if (restoreHeights) restoreHeights();
  else restoreHeights = recordWindowHeights(limit);
}

/** Styles of boxes that only surround what is printed. */
const BARE = {
  margin: "0",
  padding: "0",
  border: "0",
  position: "static",
  overflow: "visible",
  filter: "none",
  background: "none",
};
const FREE = { width: "auto", height: "auto", "min-width": "0", "max-width": "none", "min-height": "0" };

/**
 * Removes everything but the first visible match. Its ancestors stay for inheritance, as `display: contents`, so that it
 * starts at the top left of the paper; slots of open shadow roots are followed. Counters and list items keep their numbers. Returns false, and changes nothing, when
 * nothing visible matches.
 */
export async function isolate(selector: string): Promise<boolean> {
  const target = findMatches(selector, false).find((element): element is HTMLElement => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility();
  });
  if (!target) return false;

  const force = (element: Element, properties: Readonly<Record<string, string>>) => {
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) return;
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, "important");
  };
  const own = getComputedStyle(target);
  const around = target.parentElement ? getComputedStyle(target.parentElement).display : "";
  // A box whose width depends on its surroundings, such as a flex item, keeps it, up to the paper's width.
  if (/absolute|fixed/.test(own.position) || own.float !== "none" || /flex|grid/.test(around)) {
    const width = `${target.getBoundingClientRect().width}px`;
    force(target, { width, "max-width": "100%", "box-sizing": "border-box" });
  }
  if (own.position !== "static") force(target, { position: "relative", inset: "0 auto auto 0" });
  if (own.transform.startsWith("matrix(1, 0, 0, 1, ")) force(target, { transform: "none" });
  force(target, { margin: "0", float: "none", translate: "none" });

  const [innermost, ...outerCounters] = counterValues(target);
  if (innermost) force(target, { "counter-reset": innermost, "counter-set": innermost });
  const number = ordinal(target);
  if (number !== undefined) {
    target.setAttribute("value", String(number));
    force(target, { "list-style-position": "inside" });
  }
  const noPseudoElements = new CSSStyleSheet();
  noPseudoElements.replaceSync(
    ":is([data-around-printed],:host)::before,:is([data-around-printed],:host)::after,*::backdrop{display:none!important}",
  );
  document.adoptedStyleSheets.push(noPseudoElements);
  for (let inner: Element = target; inner !== document.documentElement; ) {
    for (const sibling of inner.parentNode?.childNodes ?? []) {
      if (sibling === inner) continue;
      if (sibling instanceof Element) {
        // SVG content refers to these, which it cannot do if they are not displayed.
        const shown = !/^(defs|clipPath|mask|marker|symbol|pattern|filter|(linear|radial)Gradient)$/.test(
          sibling.localName,
        );
        if (shown || !(sibling instanceof SVGElement)) force(sibling, { display: "none" });
      }
      if (sibling instanceof Text) sibling.data = "";
    }
    let outer = inner.assignedSlot ?? inner.parentNode;
    if (outer instanceof ShadowRoot) {
      outer.adoptedStyleSheets.push(noPseudoElements);
      outer = outer.host;
    }
    if (!(outer instanceof Element)) break;
    outer.setAttribute("data-around-printed", "");
    const counters = outerCounters.shift(); // only boxes are their scope
    if (counters !== undefined)
      force(outer, { display: "block", ...BARE, ...FREE, "counter-reset": counters, "counter-set": counters });
    else if (outer instanceof HTMLElement) force(outer, { display: "contents", background: "none" });
    inner = outer;
  }
  if (target === document.documentElement) return true;
  force(document.documentElement, {
    display: "block",
    opacity: "1",
    transform: "none",
    columns: "auto",
    ...BARE,
    ...FREE,
  });
  return true;
}
