// Relations between captures of one page, which hold without a reference picture: they compare captures with each other only.
import type { CapturePage, PageOptions } from "../engine-capture.ts";
import {
  compareTiles,
  cropPicture,
  type DecodedPicture,
  decodePicture,
  intersects,
  type Rect,
  sizeOf,
} from "./tiles.ts";
import { type PlainVisit, wholeOf } from "./visit.ts";

/** Share of the tiles that may differ. */
const MAX_SHARE = 0.01;

export const relationNames = [
  "the top of the full page is the window's picture",
  "by sections and at once agree",
  "a rectangle below the window is the crop of the full page",
  "two captures agree",
  "scale 2 scaled down is scale 1",
] as const;
export type RelationName = (typeof relationNames)[number];

export interface RelationResult {
  readonly name: RelationName;
  /** Share of the compared tiles that differ, 0 to 1; 1 for pictures of different sizes. */
  readonly share: number;
  readonly isBroken: boolean;
  /** Why a picture is missing: the message of its error. */
  readonly error?: string;
  /** Both pictures and what differs, in CSS pixels of both. */
  readonly pictures?: {
    readonly one: DecodedPicture;
    readonly other: DecodedPicture;
    readonly differing: readonly Rect[];
  };
}

export interface RelationSettings {
  /** Options of every capture, with the address; at scale 1, without an area. */
  readonly options: PageOptions;
  readonly capturePage: CapturePage;
  /** What a visitor saw: which boxes are fixed to the window's bottom, and what moves by itself. */
  readonly visit: PlainVisit;
  /** The full page, captured with these options. */
  readonly fullPage: Buffer;
  /** All by default. */
  readonly names?: readonly RelationName[];
}

/** The service takes no image of more pixels. */
const MAX_IMAGE_PIXELS = 128_000_000;

/** Height of the rectangle that is captured below the window, in CSS pixels. */
const CLIP_HEIGHT = 500;

/** Checks relations; a capture that fails breaks its relation. */
export async function checkRelations(settings: RelationSettings): Promise<RelationResult[]> {
  const results: RelationResult[] = [];
  const full = await decodePicture(settings.fullPage);
  for (const name of settings.names ?? relationNames) {
    try {
      results.push(await relations[name](full, settings));
    } catch (error) {
      results.push({ name, share: 1, isBroken: true, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return results;
}

type Relation = (full: DecodedPicture, settings: RelationSettings) => Promise<RelationResult>;

const relations: Readonly<Record<RelationName, Relation>> = {
  async "the top of the full page is the window's picture"(full, settings) {
    const picture = await take(settings, {});
    const atBottom = bottomBoxes(settings.visit);
    const size = sizeOf(picture);
    const part = cropPicture(full, { left: 0, top: 0, ...size });
    const isLeftOut = (tile: Rect) => atBottom.some((box) => intersects(box, tile));
    return compare("the top of the full page is the window's picture", settings, part, picture, { isLeftOut });
  },
  async "by sections and at once agree"(full, settings) {
    const picture = await take(settings, { full_page: true, full_page_algorithm: "by_sections" });
    return compare("by sections and at once agree", settings, full, picture);
  },
  async "a rectangle below the window is the crop of the full page"(full, settings) {
    const name = "a rectangle below the window is the crop of the full page";
    const { window, geometry } = settings.visit;
    const { width, height } = sizeOf(full);
    const rect = { left: 0, top: window.height + 100, width: Math.min(width, window.width), height: CLIP_HEIGHT };
    // A scroller is laid out in full height for a full page only.
    if (geometry.hasInnerScroller || rect.top + rect.height > height) return { name, share: 0, isBroken: false };
    const clip = { clip_x: rect.left, clip_y: rect.top, clip_width: rect.width, clip_height: rect.height };
    const picture = await take(settings, clip);
    // A clip shows fixed boxes where the window has them, a full page where they belong.
    const pinned = settings.visit.stops.flatMap(({ pinned, scrollTop }) =>
      pinned.map((box) => ({ ...box, top: box.top + scrollTop })),
    );
    const isLeftOut = (tile: Rect) => pinned.some((box) => intersects(box, { ...tile, top: tile.top + rect.top }));
    return compare(name, settings, cropPicture(full, rect), picture, { isLeftOut, top: rect.top });
  },
  async "two captures agree"(full, settings) {
    return compare("two captures agree", settings, full, await take(settings, { full_page: true }));
  },
  async "scale 2 scaled down is scale 1"(full, settings) {
    const name = "scale 2 scaled down is scale 1";
    const { width, height } = sizeOf(full);
    if (width * height * 2 ** 2 > MAX_IMAGE_PIXELS) return { name, share: 0, isBroken: false };
    const picture = await take(settings, { full_page: true, device_scale_factor: 2 }, 2);
    return compare(name, settings, full, picture);
  },
};

async function take({ options, capturePage }: RelationSettings, area: PageOptions, scale = 1): Promise<DecodedPicture> {
  const { body } = await capturePage({ ...options, ...area });
  return decodePicture(body, scale);
}

interface CompareOptions {
  readonly isLeftOut?: (tile: Rect) => boolean;
  /** Where the pictures begin in the page, in CSS pixels. */
  readonly top?: number;
}

function compare(
  name: RelationName,
  { visit }: RelationSettings,
  one: DecodedPicture,
  other: DecodedPicture,
  { isLeftOut = () => false, top = 0 }: CompareOptions = {},
): RelationResult {
  const [first, second] = [sizeOf(one), sizeOf(other)];
  const moving = visit.stops.flatMap((stop) =>
    stop.moving.map((rect) => ({ ...rect, top: rect.top + stop.scrollTop })),
  );
  const isMoving = (tile: Rect) => moving.some((rect) => intersects(rect, { ...tile, top: tile.top + top }));
  const [larger, smaller] = first.height >= second.height ? [one, other] : [other, one];
  const result = compareTiles(
    larger,
    wholeOf(larger),
    smaller,
    { left: 0, top: 0 },
    {
      isLeftOut: (tile) => isLeftOut(tile) || isMoving(tile),
    },
  );
  const share = result.compared === 0 ? 0 : result.differing.length / result.compared;
  return { name, share, isBroken: share > MAX_SHARE, pictures: { one, other, differing: result.differing } };
}

/**
 * Boxes at the bottom of the window, which a full page has at its end: fixed ones that are nearer to it than to its top, and don't
 * fill the window; and what lies below a scroller.
 */
function bottomBoxes({ stops, window, geometry }: PlainVisit): readonly Rect[] {
  const fixed = (stops[0]?.pinned ?? []).filter(
    ({ top, height }) => height < window.height / 2 && top > window.height - (top + height),
  );
  if (!geometry.hasInnerScroller) return fixed;
  const top = geometry.viewport.top + geometry.viewport.height;
  return [...fixed, { left: 0, top, width: window.width, height: window.height - top }];
}
