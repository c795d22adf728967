/// <reference lib="dom" />
// Containing blocks of positioned elements.
import { parentElement } from "./tree.ts";

/**
 * The nearest of an element and its ancestors that is the containing block of absolute, or of fixed, boxes in it; null for the
 * page, or the window.
 */
export function containingBlock(element: Element, position: "absolute" | "fixed"): Element | null {
  for (let each: Element | null = element; each; each = parentElement(each)) {
    const style = getComputedStyle(each);
    if ((position === "absolute" && style.position !== "static") || containsFixedBoxes(style)) return each;
  }
  return null;
}

/** True for styles that make an element the containing block of fixed elements in it. */
export function containsFixedBoxes(style: CSSStyleDeclaration): boolean {
  const { transform, translate, rotate, scale, perspective, filter, backdropFilter, willChange, contain } = style;
  const effects = [transform, translate, rotate, scale, perspective, filter, backdropFilter];
  if (effects.some((value) => value !== "none" && value !== "" && value !== undefined)) return true;
  if (contain !== "none" && /layout|paint|content|strict/.test(contain)) return true;
  if (style.transformStyle === "preserve-3d" || style.contentVisibility === "auto") return true;
  return willChange !== "auto" && /transform|translate|rotate|scale|perspective|filter/.test(willChange);
}
