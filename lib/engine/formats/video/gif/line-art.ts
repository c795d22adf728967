// Distinguishes line art, such as text on a plain background, from photos and gradients.
import type { PixelArea, Pixels } from "../../screenshot/raster-source.ts";

/** The most colors that a palette image can have. */
const MAX_LINE_ART_COLORS = 256;

/** Share of pixels that differ from their left neighbour; a page of text has a quarter of that. */
const MAX_EDGE_SHARE = 0.25;

/** Returns whether an area has few colors and large uniform parts. */
export function isLineArt({ data, width }: Pixels, area: PixelArea): boolean {
  const colors = new Set<number>();
  const maxEdges = MAX_EDGE_SHARE * area.width * area.height;
  let edges = 0;
  for (let row = area.top; row < area.top + area.height; row++) {
    const start = row * width + area.left;
    let last = -1;
    for (let at = start; at < start + area.width; at++) {
      const pixel = data[at] as number;
      if (pixel === last) continue;
      last = pixel;
      edges++;
      colors.add(pixel);
      if (edges > maxEdges + area.height || colors.size > MAX_LINE_ART_COLORS) return false;
    }
  }
  return true;
}
