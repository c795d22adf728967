// Which of a page's icons is the best one.
import type { IconLink } from "../../injected/metadata.ts";

/**
 * Address of the best icon: a drawing before the largest picture, which is before an icon for home screens; of two
 * that are alike the later one, as browsers have it. Undefined when there is none.
 */
export function chooseIcon(icons: readonly IconLink[]): string | undefined {
  let best: IconLink | undefined;
  for (const icon of icons) {
    if (!best || rank(icon) >= rank(best)) best = icon;
  }
  return best?.url;
}

const MAX_SIDE_PX = 10_000; // more than any icon has, less than the distance between the kinds

function rank(icon: IconLink): number {
  if (icon.isTouchIcon) return side(icon) - MAX_SIDE_PX;
  return isSvg(icon) ? MAX_SIDE_PX + 1 : side(icon);
}

/** By type or name: `sizes="any"` is often said of an .ico file too. */
function isSvg({ type, url }: IconLink): boolean {
  return type === "image/svg+xml" || /^(data:image\/svg\+xml|[^?#]+\.svg([?#]|$))/i.test(url);
}

/** The longest side in pixels, 0 when it is not said. */
function side({ sizes }: IconLink): number {
  const sides = Array.from(sizes.matchAll(/\d+/g), ([digits]) => Number(digits));
  return Math.min(MAX_SIDE_PX, Math.max(0, ...sides));
}
