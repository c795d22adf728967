// Registration: by how much content has moved on its page by itself, such as by a header that became smaller.
import type { Item } from "./items.page.ts";
import type { Pin } from "./pinned.page.ts";

/** The items of a window, and the offset at which it was. */
export interface Registered {
  readonly offset: number;
  readonly items: readonly Item[];
}

/** The least share of the items, by their height, that has to have moved alike. */
const MIN_SHARE = 0.6;

/** Items that say something together, by their number or by the sum of their heights as a share of the window. */
const MIN_ITEMS = 3;
const MIN_HEIGHT = 0.3;

/** Content that moves by less has not moved, in CSS pixels. */
const MIN_SHIFT = 2;

/**
 * By how many CSS pixels the items that both windows show have moved up the page since the window before; 0 where they do not
 * agree, and undefined where the windows have too few in common. Elements alone say it: by pixels, parallax and repeated words look like a shift.
 */
export function findShift(before: Registered, after: Registered, windowHeight: number): number | undefined {
  const known = new Map(before.items.map((item) => [item.id, item]));
  const heights = new Map<number, number>();
  let [count, height] = [0, 0];
  for (const item of after.items) {
    const then = known.get(item.id);
    if (!then || Math.abs(then.width - item.width) > 2 || Math.abs(then.height - item.height) > 2) continue;
    if (after.offset !== before.offset && Math.abs(then.y - item.y) < 1) continue; // pinned to the window
    const shift = Math.round(then.y + before.offset - (item.y + after.offset));
    heights.set(shift, (heights.get(shift) ?? 0) + item.height);
    count++;
    height += item.height;
  }
  if (count < MIN_ITEMS && height < MIN_HEIGHT * windowHeight) return undefined;
  const [best = [0, 0]] = [...heights].sort(([, one], [, other]) => other - one);
  const [shift, share] = [best[0], best[1] / height];
  return share >= MIN_SHARE && Math.abs(shift) > MIN_SHIFT ? shift : 0;
}

/** The items that are in no scene: what scenes show moves by itself, and where they have no space on the page, they leave it at once. */
export function outsideScenes(items: readonly Item[], pins: readonly Pin[]): Item[] {
  const scenes = pins.filter(({ kind }) => kind === "scene");
  const isIn =
    ({ y, height, width }: Item) =>
    (scene: Pin) =>
      y >= scene.top - 1 && y + height <= scene.top + scene.height + 1 && width <= scene.width + 1;
  return items.filter((item) => !scenes.some(isIn(item)));
}
