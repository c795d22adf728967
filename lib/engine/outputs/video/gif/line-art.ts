// Tells what was drawn, such as text on a plain ground, from photos and gradients.
import type { PixelArea } from "../../screenshot/raster-source.ts";
import type { Pixels } from "../frame-difference.ts";

/** As many as a picture can have whose pixels are written as the numbers of its colors. */
const FEW_COLOURS = 256;

/** Share of pixels that differ from their neighbour: a page of text has a quarter as many. */
const MANY_EDGES = 0.25;

/** Whether an area has few colors, and large parts of one color. */
export function isLineArt({ data, width }: Pixels, area: PixelArea): boolean {
  const colors = new Set<number>();
  const most = MANY_EDGES * area.width * area.height;
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
      if (edges > most + area.height || colors.size > FEW_COLOURS) return false;
    }
  }
  return true;
}
