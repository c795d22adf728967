// Reference views: small pictures of what the window shows while the page is scrolled. A picture of the whole page is compared
// with them (a visual diff), because much of a page looks different, or is missing, when it is not in view.

import type { ResizeOptions } from "sharp";
import * as v from "valibot";
import { type Area, intersect } from "../../geometry/area.ts";
import type * as referenceView from "../../injected/reference-view.ts";
import type { ReferenceView } from "../../injected/reference-view.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { areaSchema } from "../../page/result-schemas.ts";
import { withAreaShown } from "../../page/visible-area.ts";
import type { FrameScheduler } from "../../rendering/frame-scheduler.ts";
import { loadSharp } from "./raster-source.ts";

/** Pixels of a reference view per CSS pixel. */
const REFERENCE_SCALE = 0.25;

const ENCODING = { format: "jpeg", quality: 80, optimizeForSpeed: true } as const;

/** A picture as JPEG, and what it shows. */
export interface Reference {
  readonly view: ReferenceView;
  readonly image: Buffer;
}

/** A decoded picture: three bytes for each pixel. */
export interface ViewPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Takes a reference view of the window. */
export async function takeReference(page: CapturedPage, frameScheduler: FrameScheduler): Promise<Reference> {
  const view = await evaluateInIsolatedWorld(page, describeView);
  return { view, image: await frameScheduler.currentFrame(ENCODING) };
}

/** Takes a picture of an area of the page at the scale of reference views. */
export function takeSmallPicture(page: CapturedPage, area: Area, frameScheduler: FrameScheduler): Promise<ViewPicture> {
  return withAreaShown(page, { area, scale: REFERENCE_SCALE }, async () =>
    decode(await frameScheduler.currentFrame(ENCODING)),
  );
}

/** Decodes a picture, scaled if sizes are given. */
async function decode(image: Buffer, size?: ResizeOptions): Promise<ViewPicture> {
  const sharp = await loadSharp();
  const scaled = size ? sharp(image).resize(size) : sharp(image);
  const { data, info } = await scaled.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

/** Side of the squares that are compared, in pixels of a reference view. */
const TILE = 8;

/** A tile of a view is missing when its pixels, without those of the background, differ by more than so much of 255 on average. */
const MAX_DIFFERENCE = 20;

/** A tile whose average colour differs by less has a fine pattern, which the two pictures sample differently. */
const MIN_SHIFT = 6;

/** The pixels of the background differ from its colour by no more than so much of 255. */
const MAX_NOISE = 12;

/** Fewer tiles of one view that differ are noise, such as that of an edge between two pixels. */
const MIN_TILES = 4;

/** A reference view that has been decoded, at `REFERENCE_SCALE`. */
export interface DecodedReference {
  readonly view: ReferenceView;
  readonly shown: ViewPicture;
}

/** Decodes reference views, in threads of their own. */
export function decodeReferences(references: readonly Reference[]): Promise<DecodedReference[]> {
  return Promise.all(
    references.map(async ({ view, image }) => {
      const [width, height] = [view.width, view.height].map((side) => Math.round(side * REFERENCE_SCALE));
      return { view, shown: await decode(image, { width, height, fit: "fill" }) };
    }),
  );
}

/** A picture of the page, and where on the page it and what the references show begin, in CSS pixels. */
export interface Comparison {
  readonly whole: ViewPicture;
  readonly area: Area;
  readonly origin: { readonly x: number; readonly y: number };
  readonly references: readonly DecodedReference[];
  /** Areas of the page that are meant to look different. */
  readonly ignored: readonly Area[];
}

/**
 * Finds what the reference views show and the picture of the page lacks: the bounding boxes of the tiles that differ, one for
 * each view, in CSS pixels of the page. What a view does not show but the picture does, such as an element that is not yet
 * revealed at the window's lower edge, is no difference.
 */
export function findMissing({ whole, area, origin, references, ignored }: Comparison): Area[] {
  const found: Area[] = [];
  for (const { view, shown } of references) {
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
        isApart(shown, tile, whole, { x, y }) &&
        difference({ ...shown, background: view.background }, tile, whole, { x, y }) > MAX_DIFFERENCE &&
        !isIgnored(tile)
      );
    });
    if (missing.length >= MIN_TILES) found.push(unscaled(boundingBox(missing), toPage, area));
  }
  return found;
}

/** The tiles that lie wholly within a part of a picture. */
function tilesWithin(part: Area, { width, height }: ViewPicture): Area[] {
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
interface View extends ViewPicture {
  readonly background: readonly number[];
}

/** False for tiles whose pixels are so close to each other that `difference` is no more than `MAX_DIFFERENCE`: most are. */
function isApart(view: ViewPicture, at: Point, whole: ViewPicture, wholeAt: Point): boolean {
  let sum = 0;
  for (let row = 0; row < TILE; row++) {
    const from = ((at.y + row) * view.width + at.x) * CHANNELS;
    const to = ((wholeAt.y + row) * whole.width + wholeAt.x) * CHANNELS;
    for (let byte = 0; byte < TILE * CHANNELS; byte++)
      sum += Math.abs((view.pixels[from + byte] ?? 0) - (whole.pixels[to + byte] ?? 0));
  }
  return sum > MAX_DIFFERENCE * TILE * TILE * CHANNELS;
}

/**
 * The mean difference of the pixels of two tiles, 0 to 255. Where the view shows the background there is none, nor for a value
 * within those of the pixels around: edges may lie elsewhere between two pixels.
 */
function difference(view: View, at: Point, whole: ViewPicture, wholeAt: Point): number {
  let sum = 0;
  const shift = [0, 0, 0];
  for (let row = 0; row < TILE; row++) {
    for (let column = 0; column < TILE; column++) {
      const pixel = ((at.y + row) * view.width + at.x + column) * CHANNELS;
      if (isBackground(view, pixel)) continue;
      const [x, y] = [wholeAt.x + column, wholeAt.y + row];
      for (let channel = 0; channel < CHANNELS; channel++) {
        const value = view.pixels[pixel + channel] ?? 0;
        const other = whole.pixels[(y * whole.width + x) * CHANNELS + channel] ?? 0;
        const apart = Math.abs(value - other);
        shift[channel] = (shift[channel] ?? 0) + value - other;
        sum += apart <= MAX_NOISE ? apart : distanceToSurroundings(value, whole, { x, y, channel });
      }
    }
  }
  const isShifted = shift.some((total) => Math.abs(total) > MIN_SHIFT * TILE * TILE);
  return isShifted ? sum / (TILE * TILE * CHANNELS) : 0;
}

function isBackground({ pixels, background }: View, pixel: number): boolean {
  for (let channel = 0; channel < CHANNELS; channel++) {
    if (Math.abs((pixels[pixel + channel] ?? 0) - (background[channel] ?? 255)) > MAX_NOISE) return false;
  }
  return true;
}

/** How far a value is from those of a channel of a pixel and the eight around it. */
function distanceToSurroundings(
  value: number,
  { pixels, width, height }: ViewPicture,
  { x, y, channel }: Point & { readonly channel: number },
): number {
  let [least, most] = [255, 0];
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
      const near = pixels[(row * width + column) * CHANNELS + channel] ?? 0;
      least = Math.min(least, near);
      most = Math.max(most, near);
    }
  }
  return Math.max(0, least - value, value - most);
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

const describeView: PageFunction<typeof referenceView.describeView> = pageFunction("fullPage", "describeView", {
  result: v.object({
    width: v.number(),
    height: v.number(),
    scrolled: areaSchema,
    left: v.number(),
    top: v.number(),
    ignored: v.array(areaSchema),
    background: v.array(v.number()),
  }),
});
