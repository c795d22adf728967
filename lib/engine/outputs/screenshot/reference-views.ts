// Reference views: small pictures of what the window shows while the page is scrolled. A picture of the whole page is compared
// with them (a visual diff), because much of a page looks different, or is missing, when it is not in view.
import type { Area } from "../../geometry/area.ts";
import { intersect } from "../../geometry/area.ts";
import type { ReferenceView } from "../../injected/reference-view.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { withAreaShown } from "../../page/visible-area.ts";
import type { FrameScheduler } from "../../rendering/frame-scheduler.ts";
import { loadSharp } from "./raster-source.ts";

/** Pixels of a reference view per CSS pixel. */
export const REFERENCE_SCALE = 0.25;

const ENCODING = { format: "jpeg", quality: 80, optimizeForSpeed: true } as const;

/** A picture as JPEG, and what it shows. */
export interface Reference {
  readonly view: ReferenceView;
  readonly image: Buffer;
}

/** A decoded picture: three bytes for each pixel. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Takes a reference view of the window, which must be shown at `REFERENCE_SCALE`. */
export async function takeReference(page: CapturedPage, frameScheduler: FrameScheduler): Promise<Reference> {
  const view = await evaluateInIsolatedWorld(page, "describeView");
  return { view, image: await frameScheduler.currentFrame(ENCODING) };
}

/** Takes a picture of an area of the page at the scale of reference views. */
export function takeSmallPicture(page: CapturedPage, area: Area, frameScheduler: FrameScheduler): Promise<Picture> {
  return withAreaShown(page, { area, scale: REFERENCE_SCALE }, async () =>
    decode(await frameScheduler.currentFrame(ENCODING)),
  );
}

async function decode(image: Buffer): Promise<Picture> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

/** Side of the squares that are compared, in pixels of a reference view. */
const TILE = 8;

/** A tile of a view is missing when its pixels, without those of the background, differ by more than so much of 255 on average. */
const MAX_DIFFERENCE = 20;

/** The pixels of the background differ from its colour by no more than so much of 255. */
const MAX_NOISE = 12;

/** Fewer tiles of one view that differ are noise, such as that of an edge between two pixels. */
const MIN_TILES = 4;

/** A picture of the page, and where on the page it and what the references show begin, in CSS pixels. */
export interface Comparison {
  readonly whole: Picture;
  readonly area: Area;
  readonly origin: { readonly x: number; readonly y: number };
  readonly references: readonly Reference[];
  /** Areas of the page that are meant to look different. */
  readonly ignored: readonly Area[];
}

/**
 * Finds what the reference views show and the picture of the page lacks: the bounding boxes of the tiles that differ, one for
 * each view, in CSS pixels of the page. What a view does not show but the picture does, such as an element that is not yet
 * revealed at the window's lower edge, is no difference.
 */
export async function findMissing({ whole, area, origin, references, ignored }: Comparison): Promise<Area[]> {
  const found: Area[] = [];
  for (const { view, image } of references) {
    const shown = await decode(image);
    const toPage = {
      x: Math.round((origin.x + view.left - view.scrolled.x - area.x) * REFERENCE_SCALE),
      y: Math.round((origin.y + view.top - view.scrolled.y - area.y) * REFERENCE_SCALE),
    };
    const onPage = ignored.map((box) => ({ ...box, x: box.x - area.x, y: box.y - area.y }));
    const isIgnored = (tile: Area) =>
      view.ignored.some((box) => intersect(scaled(box), tile)) ||
      onPage.some((box) => intersect(scaled(box), { ...tile, x: tile.x + toPage.x, y: tile.y + toPage.y }));
    const missing = tilesWithin(scaled(view.scrolled), shown).filter((tile) => {
      const [x, y] = [tile.x + toPage.x, tile.y + toPage.y];
      if (x < 0 || y < 0 || x + TILE > whole.width || y + TILE > whole.height) return false;
      return (
        leastDifference({ ...shown, background: view.background }, tile, whole, { x, y }) > MAX_DIFFERENCE &&
        !isIgnored(tile)
      );
    });
    if (missing.length >= MIN_TILES) found.push(unscaled(boundingBox(missing), toPage, area));
  }
  return found;
}

/** The tiles that lie wholly within a part of a picture. */
function tilesWithin(part: Area, { width, height }: Picture): Area[] {
  const [right, bottom] = [Math.min(width, part.x + part.width), Math.min(height, part.y + part.height)];
  const tiles: Area[] = [];
  for (let y = Math.max(0, Math.ceil(part.y)); y + TILE <= bottom; y += TILE) {
    for (let x = Math.max(0, Math.ceil(part.x)); x + TILE <= right; x += TILE) {
      tiles.push({ x, y, width: TILE, height: TILE });
    }
  }
  return tiles;
}

/** A picture of a window, and the colour of the canvas behind its page. */
interface View extends Picture {
  readonly background: readonly number[];
}

/** Edges may lie on other sides of a pixel: the least difference from tiles that are at most one pixel away. */
function leastDifference(view: View, at: Point, whole: Picture, wholeAt: Point): number {
  let least = difference(view, at, whole, wholeAt);
  for (const y of [0, -1, 1]) {
    for (const x of [0, -1, 1]) {
      if (least <= MAX_DIFFERENCE) return least;
      const near = { x: wholeAt.x + x, y: wholeAt.y + y };
      if (near.x < 0 || near.y < 0 || near.x + TILE > whole.width || near.y + TILE > whole.height) continue;
      least = Math.min(least, difference(view, at, whole, near));
    }
  }
  return least;
}

/** The mean difference of the pixels of two tiles, 0 to 255; where the view shows the background, none. */
function difference(view: View, at: Point, whole: Picture, wholeAt: Point): number {
  const [red = 255, green = 255, blue = 255] = view.background;
  let sum = 0;
  for (let row = 0; row < TILE; row++) {
    let pixel = ((at.y + row) * view.width + at.x) * CHANNELS;
    let other = ((wholeAt.y + row) * whole.width + wholeAt.x) * CHANNELS;
    for (let column = 0; column < TILE; column++, pixel += CHANNELS, other += CHANNELS) {
      const [r = 0, g = 0, b = 0] = [view.pixels[pixel], view.pixels[pixel + 1], view.pixels[pixel + 2]];
      const isBackground =
        Math.abs(r - red) <= MAX_NOISE && Math.abs(g - green) <= MAX_NOISE && Math.abs(b - blue) <= MAX_NOISE;
      if (isBackground) continue;
      sum += Math.abs(r - (whole.pixels[other] ?? 0));
      sum += Math.abs(g - (whole.pixels[other + 1] ?? 0));
      sum += Math.abs(b - (whole.pixels[other + 2] ?? 0));
    }
  }
  return sum / (TILE * TILE * CHANNELS);
}

const CHANNELS = 3;

interface Point {
  readonly x: number;
  readonly y: number;
}

function scaled({ x, y, width, height }: Area): Area {
  const by = REFERENCE_SCALE;
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}

function unscaled({ x, y, width, height }: Area, toPage: Point, page: Area): Area {
  const by = 1 / REFERENCE_SCALE;
  return {
    x: page.x + (x + toPage.x) * by,
    y: page.y + (y + toPage.y) * by,
    width: width * by,
    height: height * by,
  };
}

function boundingBox(areas: readonly Area[]): Area {
  const [x, y] = [Math.min(...areas.map((area) => area.x)), Math.min(...areas.map((area) => area.y))];
  const right = Math.max(...areas.map((area) => area.x + area.width));
  const bottom = Math.max(...areas.map((area) => area.y + area.height));
  return { x, y, width: right - x, height: bottom - y };
}
