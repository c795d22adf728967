/// <reference lib="dom" />
// Whether an element can be seen in the window.

/** True for an element that is rendered, not transparent, and at least partly in the window. */
export function isInWindow(element: Element): boolean {
  if (!element.isConnected || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    return false;
  const { top, left, bottom, right, width, height } = element.getBoundingClientRect();
  return width * height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}
