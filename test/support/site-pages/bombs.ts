// All bombs, and their pages: `/bomb?is=<name>`, and below it the resources they load.
import type { Bomb, Bombs } from "./bombs/bomb.ts";
import { drawingBombs, drawingPages } from "./bombs/drawing.ts";
import { formatBombs } from "./bombs/formats.ts";
import { imageBombs, imagePages } from "./bombs/images.ts";
import { memoryBombs } from "./bombs/memory.ts";
import { networkBombs, networkPages } from "./bombs/network.ts";
import { timeBombs } from "./bombs/time.ts";
import { box, document, type Pages } from "./page.ts";

export const bombs: Bombs = {
  ...timeBombs,
  ...networkBombs,
  ...memoryBombs,
  ...imageBombs,
  ...drawingBombs,
  ...formatBombs,
};

export const bombPages: Pages = {
  ...networkPages,
  ...imagePages,
  ...drawingPages,
  "/bomb": (query, answer) => {
    const page = bombs[query.get("is") ?? ""]?.page;
    return typeof page === "function" ? page(query, answer) : document(`${box}${page ?? ""}`);
  },
};

/** The options that capture a bomb, whose page is at `origin`. */
export function bombOptions(
  name: string,
  { page, options }: Bomb,
  origin: string,
): Readonly<Record<string, unknown>> & { readonly timeout?: number } {
  return page === undefined
    ? { ...options }
    : { url: `${origin}/bomb?${new URLSearchParams({ is: name })}`, ...options };
}
