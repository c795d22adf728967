/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// How an element looks: whether it is shown, how much of the window it covers, its text and its colour.
import { readProperty } from "./read-property.ts";
import { elementsIn, parentElement } from "./tree.ts";

/** True for a visible element, and for one that an animation may be fading in. */
export function isShown(element: Element): boolean {
  return (
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
    (element.checkVisibility() && element.getAnimations().some(({ playState }) => playState === "running"))
  );
}

/** The size, in CSS pixels, of the window or frame that shows an element. */
export function viewport(element: Element): { width: number; height: number } {
  const { innerWidth: width = 0, innerHeight: height = 0 } = element.ownerDocument.defaultView ?? {};
  return { width, height };
}

/** The share of the window that an element covers, 0 to 1. */
export function windowShare(element: Element): number {
  const { width, height } = viewport(element);
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const across = Math.min(right, width) - Math.max(left, 0);
  const down = Math.min(bottom, height) - Math.max(top, 0);
  return across > 0 && down > 0 ? (across * down) / (width * height) : 0;
}

const WITHOUT_TEXT = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "OPTION"]);

/** The text in an element's own text nodes. */
export function ownText(element: Element): string {
  if (WITHOUT_TEXT.has(element.tagName)) return "";
  let text = "";
  for (const node of readProperty(Node.prototype, "childNodes", element)) {
    if (node.nodeType === Node.TEXT_NODE) text += node.nodeValue;
  }
  return text.trim() === "" ? "" : text.replace(/\s+/g, " ").trim();
}

const MAX_ELEMENTS = 3_000;

/** The visible text in an element and its descendants, cut soon after `maxCharacters`. */
export function visibleText(element: Element, maxCharacters: number): string {
  let text = "";
  for (const each of elementsIn(element, MAX_ELEMENTS, { frames: true })) {
    const own = ownText(each);
    if (own === "" || !each.checkVisibility({ visibilityProperty: true })) continue;
    text += ` ${own}`;
    if (text.length > maxCharacters) break;
  }
  return text;
}

/** The alpha channel of a computed colour, 0 to 1. */
export function colourAlpha(colour: string): number {
  const alpha = /^rgba\(.*,\s*([\d.]+)\)$/.exec(colour)?.[1] ?? /\/\s*([\d.]+)\)$/.exec(colour)?.[1];
  return alpha === undefined ? 1 : Number(alpha);
}

/** The id, classes and other names of an element, with dashes in place of camel case. */
export function elementName(element: Element): string {
  return ["id", "class", "name", "title", "src", "aria-label", "data-testid"]
    .map((attribute) => (element.getAttribute(attribute) ?? "").slice(0, 200))
    .join(" ")
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase();
}

/** An attribute, also of a form with a field that is called `getAttribute`. */
export function readAttribute(element: Element, name: string): string | null {
  return Element.prototype.getAttribute.call(element, name);
}

/** The type of an element, also of a form with a field that is called `localName`. */
export function typeName(element: Element): string {
  return readProperty(Element.prototype, "localName", element);
}

/**
 * An element as a selector, for a message: its type, id and first classes, after those of the nearest element around it that has
 * any if it has none itself.
 */
export function describeElement(element: Element): string {
  const describe = (each: Element) => {
    const id = readAttribute(each, "id");
    const classes = (readAttribute(each, "class") ?? "").split(/\s+/).filter(Boolean).slice(0, 2);
    return [typeName(each), ...(id ? [`#${id}`] : []), ...classes.map((name) => `.${name}`)].join("").slice(0, 100);
  };
  const own = describe(element);
  if (own !== typeName(element)) return own;
  for (let outer = parentElement(element); outer; outer = parentElement(outer)) {
    const name = describe(outer);
    if (name !== typeName(outer)) return `${name} ${own}`;
  }
  return own;
}

export function hide(element: HTMLElement): void {
  element.style.setProperty("display", "none", "important");
}
