/// <reference lib="dom" />
// Containing blocks of positioned elements.

/** True for styles that make an element the containing block of fixed elements in it. */
export function containsFixedBoxes(style: CSSStyleDeclaration): boolean {
  const { transform, translate, rotate, scale, perspective, filter, backdropFilter, willChange, contain } = style;
  const effects = [transform, translate, rotate, scale, perspective, filter, backdropFilter];
  if (effects.some((value) => value !== "none" && value !== "" && value !== undefined)) return true;
  if (contain !== "none" && /layout|paint|content|strict/.test(contain)) return true;
  if (style.transformStyle === "preserve-3d" || style.contentVisibility === "auto") return true;
  return willChange !== "auto" && /transform|translate|rotate|scale|perspective|filter/.test(willChange);
}
