// Chooses the best favicon of a page.
import type { IconLink } from "../../injected/metadata.ts";

/**
 * Returns the URL of the best icon: an SVG, else the largest image, else an icon for home screens. Among equals the
 * last one wins, as in browsers. Undefined when there is none.
 */
export function chooseIcon(icons: readonly IconLink[]): string | undefined {
  let best: IconLink | undefined;
  for (const icon of icons) {
    if (!best || rank(icon) >= rank(best)) best = icon;
  }
  return best?.url;
}

const MAX_SIDE_PX = 10_000; // larger than any icon; separates the kinds of icons in the ranking

function rank(icon: IconLink): number {
  if (icon.isTouchIcon) return longestSide(icon) - MAX_SIDE_PX;
  return isSvg(icon) ? MAX_SIDE_PX + 1 : longestSide(icon);
}

/** Decides by type or file name, because `sizes="any"` is common for .ico files, too. */
function isSvg({ type, url }: IconLink): boolean {
  return type === "image/svg+xml" || /^(data:image\/svg\+xml|[^?#]+\.svg([?#]|$))/i.test(url);
}

/** The longest side in pixels; 0 when unspecified. */
function longestSide({ sizes }: IconLink): number {
  const sides = Array.from(sizes.matchAll(/\d+/g), ([digits]) => Number(digits));
  return Math.min(MAX_SIDE_PX, Math.max(0, ...sides));
}
